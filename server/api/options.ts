import { z } from 'zod'
import { route } from './route.ts'

const tag = 'Options'

export const getModelOptions = route({
  method: 'get',
  path: '/api/options/models',
  summary: 'Known models, as provider/model',
  tag,
  reply: z.array(z.string()),
})

export const getAgentOptions = route({
  method: 'get',
  path: '/api/options/agents',
  summary: 'Agents',
  tag,
  reply: z.array(z.string()),
})

export const getSecurityAnalyzers = route({
  method: 'get',
  path: '/api/options/security-analyzers',
  summary: 'Security analyzers',
  tag,
  reply: z.array(z.string()),
})

/** What existing clients ask first. There is no telemetry, so there is no key for any. */
export const getConfigOptions = route({
  method: 'get',
  path: '/api/options/config',
  summary: 'How this server is set up',
  tag,
  reply: z.object({
    APP_MODE: z.literal('oss'),
    GITHUB_CLIENT_ID: z.literal(''),
    POSTHOG_CLIENT_KEY: z.literal(''),
    FEATURE_FLAGS: z.object({
      ENABLE_BILLING: z.literal(false),
      HIDE_LLM_SETTINGS: z.literal(false),
      ENABLE_JIRA: z.literal(false),
      ENABLE_JIRA_DC: z.literal(false),
      ENABLE_LINEAR: z.literal(false),
    }),
  }),
})

const amount = z.number().min(0)

export const getServerInfo = route({
  method: 'get',
  path: '/server_info',
  summary: 'How long the service runs and what it uses',
  tag,
  open: true,
  reply: z.object({
    /** seconds */
    uptime: amount,
    idle_time: amount,
    resources: z.object({
      cpu_percent: amount,
      memory: z.object({ rss: amount, vms: amount, percent: amount }),
      disk: z.object({ total: amount, used: amount, free: amount, percent: amount }),
      io: z.object({ read_bytes: amount, write_bytes: amount }),
    }),
  }),
})
