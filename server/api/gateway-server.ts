import { z } from 'zod'
import { route } from './route.ts'

const tag = 'Server'
const status = z.object({ status: z.literal('ok') })

export const gatewayAlive = route({
  method: 'get',
  path: '/alive',
  summary: 'It answers',
  tag,
  open: true,
  reply: status,
})
export const gatewayHealth = route({
  method: 'get',
  path: '/health',
  summary: 'It answers',
  tag,
  open: true,
  reply: status,
})

export const gatewayReady = route({
  method: 'get',
  path: '/ready',
  summary: 'It can start conversations; 503 without an engine',
  tag,
  open: true,
  failures: ['engine_unavailable'],
  reply: z.object({ status: z.literal('ready') }),
})

/** Clients compare `version` with versions of agent servers; Atelier's own is `atelier_version`. */
const serverInfo = {
  method: 'get',
  summary: 'What it is compatible with, and what it can do',
  tag,
  open: true,
  reply: z.object({
    uptime: z.number(),
    idle_time: z.number(),
    title: z.string(),
    version: z.string(),
    sdk_version: z.string(),
    tools_version: z.string(),
    workspace_version: z.string(),
    atelier_version: z.string(),
    build_git_sha: z.string(),
    build_git_ref: z.string(),
    python_version: z.string(),
    usable_tools: z.array(z.string()),
    runtime_idle_timeout_seconds: z.number().nullable(),
    capabilities: z.array(z.string()),
    max_foreground_terminal_timeout_seconds: z.number().nullable(),
    docs: z.string(),
    redoc: z.string().nullable(),
  }),
} as const

export const gatewayServerInfo = route({ ...serverInfo, path: '/server_info' })
export const gatewayRoot = route({ ...serverInfo, path: '/' })

export const listGatewayTools = route({
  method: 'get',
  path: '/api/tools/',
  summary: 'The names of the tools',
  tag,
  reply: z.array(z.string()),
})

export const getVscodeStatus = route({
  method: 'get',
  path: '/api/vscode/status',
  summary: 'Whether an editor is served in the sandbox',
  tag,
  reply: z.object({ running: z.boolean(), enabled: z.boolean() }),
})

const llmPath = '/api/llm' as const
export const listGatewayProviders = route({
  method: 'get',
  path: `${llmPath}/providers`,
  summary: 'Known providers',
  tag,
  reply: z.object({ providers: z.array(z.string()) }),
})
/** Those that the price list knows, which are all that can be named without asking a provider. */
export const listVerifiedModels = route({
  method: 'get',
  path: '/api/llm/models/verified',
  summary: 'Known models by provider',
  tag,
  reply: z.object({ models: z.record(z.string(), z.array(z.string())) }),
})

export const listGatewayModels = route({
  method: 'get',
  path: `${llmPath}/models`,
  summary: 'Known models',
  tag,
  query: z.object({ provider: z.string().nullish() }),
  reply: z.object({ models: z.array(z.string()) }),
})
