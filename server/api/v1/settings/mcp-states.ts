import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION, IN_VAULT } from '../../contract/failures.ts'
import { success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { conversationParams } from '../conversation/params.ts'
import { mcpServerInput, mcpServerName } from './mcp-servers.ts'

const tag = 'Tool servers'

export const MCP_ERROR_KINDS = [
  'timeout',
  'connection',
  /** Somebody has to sign in with a browser. */
  'sign_in',
  /** Its key was refused. */
  'authorization',
  /** A person has to trust what it runs of the repository. */
  'trust',
  'configuration',
  'crashed',
  'protocol',
  'sandbox',
  'unknown',
] as const
export const mcpErrorKind = z.enum(MCP_ERROR_KINDS)
export type McpErrorKind = z.output<typeof mcpErrorKind>

/** What went wrong, and what to do about it. */
export const mcpProblem = z.object({
  error_kind: mcpErrorKind.describe('What kind of failure it was, to branch on.'),
  error: z.string().describe('What went wrong, in words for people.'),
  next_step: z.string().describe('What to do about it, in words for people.'),
})
export type McpProblem = z.output<typeof mcpProblem>

export const mcpToolInfo = z.object({
  name: z.string().describe('Name by which the agent calls the tool.'),
  server_name: z.string().describe('Name by which its server calls it.'),
  description: z.string().describe('What the tool does, as its server says.'),
  read_only: z.boolean().describe('Whether the server says that it changes nothing.'),
})

const common = {
  name: z.string().describe('Name of the tool server.'),
  transport: z.enum(['stdio', 'http', 'sse']).describe('How the server is reached: as a command, or at an address.'),
  detail: z.string().describe('The command or the address, without anything secret.'),
  source: z
    .enum(['settings', 'conversation', 'added', 'search', 'skill'])
    .describe(
      'Where it was set up: in the settings, with the conversation, added while it went on, by the search key, or by a skill of the repository.',
    ),
  log: z
    .array(z.string())
    .describe('Last lines of what it said, and of what happened to it, with secret values masked.'),
}

export const mcpServerState = z.discriminatedUnion('state', [
  z.object({ ...common, state: z.literal('stopped') }),
  z.object({ ...common, state: z.literal('starting') }),
  z.object({
    ...common,
    state: z.literal('ready'),
    tools: z.array(mcpToolInfo).describe('Tools that the agent can call.'),
    tools_left_out: z.int().describe('How many tools the agent does not see, as models take no more.'),
  }),
  z.object({ ...common, state: z.literal('failed'), ...mcpProblem.shape }),
])
export type McpServerState = z.output<typeof mcpServerState>

const path = '/api/v1/app-conversations/{conversation_id}/mcp-servers' as const
const named = z.object({ ...conversationParams.shape, name: z.string().describe('Name of the tool server.') })

export const listMcpServers = route({
  method: 'get',
  path,
  summary: 'The tool servers of a conversation and how each is',
  description:
    'Lists the tool servers of the conversation with their state, their tools and the last lines that they said.',
  tag,
  params: conversationParams,
  failures: [...IN_CONVERSATION, ...IN_VAULT],
  reply: z.object({ items: z.array(mcpServerState).describe('Tool servers of the conversation.') }),
})

export const addMcpServer = route({
  method: 'post',
  path,
  summary: 'Add a tool server to a conversation while it goes on, and start it',
  description: 'Adds a tool server to the conversation while it goes on and starts it. The settings stay as they are.',
  tag,
  params: conversationParams,
  body: z.object({
    name: mcpServerName.describe('Name for the tool server; its tools are called by it.'),
    server: mcpServerInput.describe('Tool server to add.'),
  }),
  failures: [...IN_OWN_CONVERSATION, ...IN_VAULT, 'conflict'],
  reply: mcpServerState,
})

export const removeMcpServer = route({
  method: 'delete',
  path: `${path}/{name}`,
  summary: 'Take a tool server away from a conversation',
  description:
    'Takes a tool server away from the conversation. One of the settings stays there for other conversations.',
  tag,
  params: named,
  failures: [...IN_OWN_CONVERSATION, ...IN_VAULT, 'not_found'],
  reply: success,
})

export const restartMcpServer = route({
  method: 'post',
  path: `${path}/{name}/restart`,
  summary: 'Start a tool server anew',
  description: 'Stops a tool server of the conversation and starts it anew.',
  tag,
  params: named,
  failures: [...IN_OWN_CONVERSATION, ...IN_VAULT, 'not_found'],
  reply: mcpServerState,
})

/** `tool_call` is carried out after the tools were listed; what comes of it does not change `ok`. */
export const mcpTestRequest = z.object({
  name: z.string().max(100).default('server').describe('Name of the server for people.'),
  server: mcpServerInput.describe('Tool server to connect to.'),
  timeout: z.number().min(1).max(300).default(15).describe('Seconds for the connection and the list of its tools.'),
  tool_call: z
    .object({
      name: z.string().describe('Name of the tool, as its server calls it.'),
      arguments: z.record(z.string(), z.unknown()).default({}).describe('Arguments of the call.'),
    })
    .nullish()
    .describe('Tool to call after that; absent calls none.'),
  sandbox_id: z
    .string()
    .nullish()
    .describe(
      'Sandbox that a server that is a command runs in; absent starts one for the test and removes it after that.',
    ),
})
export type McpTestRequest = z.output<typeof mcpTestRequest>

export const mcpToolResult = z.object({
  is_error: z.boolean().describe('Whether the call failed.'),
  text: z.string().describe('What came of the call, as text.'),
})

export const mcpTestReply = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    tools: z.array(z.string()).describe("Names of the server's tools."),
    tool_result: mcpToolResult.nullable().describe('What came of the call that was asked for; null when none was.'),
  }),
  z.object({
    ok: z.literal(false),
    ...mcpProblem.shape,
    log: z.array(z.string()).describe('Last lines of what the server said, with secret values masked.'),
  }),
])
export type McpTestReply = z.output<typeof mcpTestReply>

export const testMcpServer = route({
  method: 'post',
  path: '/api/v1/mcp/test',
  summary: 'Connect to a tool server and list its tools',
  description:
    'Connects to a tool server, lists its tools and calls one of them if asked to. A server that is a command runs in a sandbox, never on this machine itself.',
  tag,
  body: mcpTestRequest,
  failures: ['engine_unavailable'],
  reply: mcpTestReply,
})
