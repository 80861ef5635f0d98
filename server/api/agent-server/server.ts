import { z } from 'zod'
import { route } from '../contract/route.ts'

const tag = 'Server'
const status = z.object({ status: z.literal('ok') })

export const gatewayAlive = route({
  method: 'get',
  path: '/alive',
  summary: 'It answers',
  description: 'Tells that the gateway answers. It needs no key.',
  tag,
  open: true,
  reply: status,
})
export const gatewayHealth = route({
  method: 'get',
  path: '/health',
  summary: 'It answers',
  description: 'Tells that the gateway answers. It needs no key.',
  tag,
  open: true,
  reply: status,
})

export const gatewayReady = route({
  method: 'get',
  path: '/ready',
  summary: 'It can start conversations; 503 without an engine',
  description: 'Tells that conversations can be started: 503 without an engine. It needs no key.',
  tag,
  open: true,
  failures: ['engine_unavailable'],
  reply: z.object({ status: z.literal('ready') }),
})

/** Clients compare `version` with versions of agent servers; Atelier's own is `atelier_version`. */
const serverInfo = {
  method: 'get',
  summary: 'What it is compatible with, and what it can do',
  description:
    'Tells what versions of agent servers this is compatible with, and where its documentation is. It needs no key.',
  tag,
  open: true,
  reply: z.object({
    uptime: z.number().describe('Seconds since the service started.'),
    idle_time: z.number().describe('Seconds since the last request.'),
    title: z.string().describe('Name of the server, as clients of agent servers expect it.'),
    version: z.string().describe("Version of the agent server's interface that this is compatible with."),
    sdk_version: z.string().describe('Version of the agent SDK that this is compatible with.'),
    tools_version: z.string().describe('Version of the tools that this is compatible with.'),
    workspace_version: z.string().describe('Version of the workspace interface that this is compatible with.'),
    atelier_version: z.string().describe('Version of Atelier.'),
    build_git_sha: z.string().describe('Always `unknown`: builds are named by their version.'),
    build_git_ref: z.string().describe('Always `unknown`: builds are named by their version.'),
    python_version: z.string().describe('Always `none`, as no Python runs here.'),
    usable_tools: z.array(z.string()).describe('Names of the tools that the agent can use.'),
    runtime_idle_timeout_seconds: z
      .number()
      .nullable()
      .describe('Seconds without a request until the server ends; null for never.'),
    capabilities: z.array(z.string()).describe("Always empty: what a server can do beyond the interface's version."),
    max_foreground_terminal_timeout_seconds: z
      .number()
      .nullable()
      .describe('Longest time-out of a command that the agent waits for, in seconds; null for none.'),
    docs: z.string().describe('Path of this documentation.'),
    redoc: z.string().nullable().describe('Path of another documentation; null for none.'),
  }),
} as const

export const gatewayServerInfo = route({ ...serverInfo, path: '/server_info' })
export const gatewayRoot = route({ ...serverInfo, path: '/' })

export const listGatewayTools = route({
  method: 'get',
  path: '/api/tools',
  summary: 'The names of the tools',
  description: 'Lists the names of the tools that the agent can use.',
  tag,
  reply: z.array(z.string()),
})

export const getVscodeStatus = route({
  method: 'get',
  path: '/api/vscode/status',
  summary: 'Whether an editor is served in the sandbox',
  description: 'Tells whether an editor is served in the sandbox. None is.',
  tag,
  reply: z.object({
    running: z.boolean().describe('Whether an editor runs in the sandbox.'),
    enabled: z.boolean().describe('Whether there could be one.'),
  }),
})

const llmPath = '/api/llm' as const
export const listGatewayProviders = route({
  method: 'get',
  path: `${llmPath}/providers`,
  summary: 'Known providers',
  description: 'Lists the providers of known models.',
  tag,
  reply: z.object({
    providers: z.array(z.string()).describe('Names of providers, as the part before the slash of a model.'),
  }),
})
/** Those that the price list knows, which are all that can be named without asking a provider. */
export const listVerifiedModels = route({
  method: 'get',
  path: '/api/llm/models/verified',
  summary: 'Known models by provider',
  description: 'Lists known models by their provider.',
  tag,
  reply: z.object({
    models: z
      .record(z.string(), z.array(z.string()))
      .describe('Names of models that the price list knows, by their provider.'),
  }),
})

export const listGatewayModels = route({
  method: 'get',
  path: `${llmPath}/models`,
  summary: 'Known models',
  description: 'Lists known models by their full names.',
  tag,
  query: z.object({ provider: z.string().nullish().describe('Only models of this provider; absent is all.') }),
  reply: z.object({ models: z.array(z.string()).describe('Names of models, as `provider/model`.') }),
})
