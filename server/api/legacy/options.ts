import { z } from 'zod'
import { route } from '../contract/route.ts'

const tag = 'Options'

export const getModelOptions = route({
  method: 'get',
  path: '/api/options/models',
  summary: 'Known models, as provider/model',
  description: 'Lists known models by their full names.',
  tag,
  reply: z.array(z.string()),
})

export const getAgentOptions = route({
  method: 'get',
  path: '/api/options/agents',
  summary: 'Agents',
  description: 'Lists the names of agents that the settings may have. There is one.',
  tag,
  reply: z.array(z.string()),
})

export const getSecurityAnalyzers = route({
  method: 'get',
  path: '/api/options/security-analyzers',
  summary: 'Security analyzers',
  description: 'Lists what can rate the risk of actions.',
  tag,
  reply: z.array(z.string()),
})

/** What existing clients ask first. There is no telemetry, so there is no key for any. */
export const getConfigOptions = route({
  method: 'get',
  path: '/api/options/config',
  summary: 'How this server is set up',
  description: 'Tells existing web clients how this server is set up: no accounts, no billing, no analytics.',
  tag,
  reply: z.object({
    APP_MODE: z.literal('oss').describe('Always `oss`, as there are no accounts.'),
    GITHUB_CLIENT_ID: z.literal('').describe('Always empty, as there is no GitHub app.'),
    POSTHOG_CLIENT_KEY: z.literal('').describe('Always empty, as nothing is sent to analytics.'),
    FEATURE_FLAGS: z
      .object({
        ENABLE_BILLING: z.literal(false).describe('Always false: nothing is billed.'),
        HIDE_LLM_SETTINGS: z.literal(false).describe('Always false: the user chooses the model.'),
        ENABLE_JIRA: z.literal(false).describe('Always false: there is no Jira integration.'),
        ENABLE_JIRA_DC: z.literal(false).describe('Always false: there is no Jira integration.'),
        ENABLE_LINEAR: z.literal(false).describe('Always false: there is no Linear integration.'),
      })
      .describe('What a web client may show, by its name.'),
  }),
})

const amount = z.number().min(0)

export const getServerInfo = route({
  method: 'get',
  path: '/server_info',
  summary: 'How long the service runs and what it uses',
  description: 'Tells how long the service has been running and what it uses of the machine.',
  tag,
  open: true,
  reply: z.object({
    uptime: amount.describe('Seconds since the service started.'),
    idle_time: amount.describe('Seconds since the last request.'),
    resources: z
      .object({
        cpu_percent: amount.describe('Processor time of the service, in percent of one core.'),
        memory: z
          .object({
            rss: amount.describe('Bytes of memory in use.'),
            vms: amount.describe('Bytes of virtual memory.'),
            percent: amount.describe("Memory in use, in percent of the machine's."),
          })
          .describe('Memory of the service.'),
        disk: z
          .object({
            total: amount.describe('Bytes of the disk.'),
            used: amount.describe('Bytes in use.'),
            free: amount.describe('Bytes that are free.'),
            percent: amount.describe('What is in use, in percent.'),
          })
          .describe('Disk of the data folder.'),
        io: z
          .object({
            read_bytes: amount.describe('Bytes read from disks since the start.'),
            write_bytes: amount.describe('Bytes written to disks since the start.'),
          })
          .describe('What the service has read and written.'),
      })
      .describe('What the service and its machine use.'),
  }),
})
