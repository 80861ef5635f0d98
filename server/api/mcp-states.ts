import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION, IN_VAULT } from './failures.ts'
import { mcpServerInput, mcpServerName } from './mcp-servers.ts'
import { success } from './page.ts'
import { route } from './route.ts'

const tag = 'Tool servers'

export const MCP_ERROR_KINDS = [
  'timeout',
  'connection',
  /** Somebody has to sign in with a browser. */
  'sign_in',
  /** Its key was refused. */
  'authorization',
  'configuration',
  'crashed',
  'protocol',
  'sandbox',
  'unknown',
] as const
export const mcpErrorKind = z.enum(MCP_ERROR_KINDS)
export type McpErrorKind = z.output<typeof mcpErrorKind>

/** What went wrong, and what to do about it. */
export const mcpProblem = z.object({ error_kind: mcpErrorKind, error: z.string(), next_step: z.string() })
export type McpProblem = z.output<typeof mcpProblem>

export const mcpToolInfo = z.object({
  /** As the agent calls it. */
  name: z.string(),
  /** As its server calls it. */
  server_name: z.string(),
  description: z.string(),
  read_only: z.boolean(),
})

const common = {
  name: z.string(),
  transport: z.enum(['stdio', 'http', 'sse']),
  /** The command or the address, without anything secret. */
  detail: z.string(),
  /** Where it was set up: the settings, this conversation's own configuration, added while it went on, the search key. */
  source: z.enum(['settings', 'conversation', 'added', 'search']),
  /** The last lines of what it said, and of what happened to it. */
  log: z.array(z.string()),
}

export const mcpServerState = z.discriminatedUnion('state', [
  z.object({ ...common, state: z.literal('stopped') }),
  z.object({ ...common, state: z.literal('starting') }),
  z.object({
    ...common,
    state: z.literal('ready'),
    tools: z.array(mcpToolInfo),
    /** Tools beyond what models take, which the agent does not see. */
    tools_left_out: z.int(),
  }),
  z.object({ ...common, state: z.literal('failed'), ...mcpProblem.shape }),
])
export type McpServerState = z.output<typeof mcpServerState>

const path = '/api/v1/app-conversations/{conversation_id}/mcp-servers' as const
const params = z.object({ conversation_id: z.string() })
const named = z.object({ conversation_id: z.string(), name: z.string() })

export const listMcpServers = route({
  method: 'get',
  path,
  summary: 'The tool servers of a conversation and how each is',
  tag,
  params,
  failures: [...IN_CONVERSATION, ...IN_VAULT],
  reply: z.object({ items: z.array(mcpServerState) }),
})

export const addMcpServer = route({
  method: 'post',
  path,
  summary: 'Add a tool server to a conversation while it goes on, and start it',
  tag,
  params,
  body: z.object({ name: mcpServerName, server: mcpServerInput }),
  failures: [...IN_OWN_CONVERSATION, ...IN_VAULT, 'conflict'],
  reply: mcpServerState,
})

export const removeMcpServer = route({
  method: 'delete',
  path: `${path}/{name}`,
  summary: 'Take a tool server away from a conversation; one of the settings stays for the others',
  tag,
  params: named,
  failures: [...IN_OWN_CONVERSATION, ...IN_VAULT, 'not_found'],
  reply: success,
})

export const restartMcpServer = route({
  method: 'post',
  path: `${path}/{name}/restart`,
  summary: 'Start a tool server anew',
  tag,
  params: named,
  failures: [...IN_OWN_CONVERSATION, ...IN_VAULT, 'not_found'],
  reply: mcpServerState,
})

/** `tool_call` is carried out after the tools were listed; what comes of it does not change `ok`. */
export const mcpTestRequest = z.object({
  name: z.string().max(100).default('server'),
  server: mcpServerInput,
  /** Seconds for the connection and the list of its tools. */
  timeout: z.number().min(1).max(300).default(15),
  tool_call: z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }).nullish(),
  /** Where a server that is a command is run; absent is a sandbox that is started for the test and removed after it. */
  sandbox_id: z.string().nullish(),
})
export type McpTestRequest = z.output<typeof mcpTestRequest>

export const mcpToolResult = z.object({ is_error: z.boolean(), text: z.string() })

export const mcpTestReply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), tools: z.array(z.string()), tool_result: mcpToolResult.nullable() }),
  z.object({ ok: z.literal(false), ...mcpProblem.shape, log: z.array(z.string()) }),
])
export type McpTestReply = z.output<typeof mcpTestReply>

export const testMcpServer = route({
  method: 'post',
  path: '/api/v1/mcp/test',
  summary: 'Connect to a tool server and list its tools; a command runs in the sandbox named, or in one of its own',
  tag,
  body: mcpTestRequest,
  failures: ['engine_unavailable'],
  reply: mcpTestReply,
})
