import { z } from 'zod'
import { IN_KEYS_SANDBOX } from '../contract/failures.ts'
import { route } from '../contract/route.ts'
import { mcpSignInAnswer, mcpSignInRequest } from '../v1/settings/mcp-sign-in.ts'
import { mcpTestRequest, mcpToolResult } from '../v1/settings/mcp-states.ts'

const tag = 'Tool servers'
const errorKind = z.enum(['timeout', 'connection', 'unknown'])

/** The key selects the sandbox in which a command runs. */
const testRequest = mcpTestRequest.omit({ sandbox_id: true })

export const gatewayTestMcp = route({
  method: 'post',
  path: '/api/mcp/test',
  summary: 'Connect to a tool server and list its tools',
  description:
    'Connects to a tool server, lists its tools and calls one of them if asked to. A server that is a command runs in the sandbox of the key.',
  tag,
  body: testRequest,
  failures: IN_KEYS_SANDBOX,
  reply: z.discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      tools: z.array(z.string()).describe("Names of the server's tools."),
      tool_result: mcpToolResult.nullable().describe('What came of the call that was asked for; null when none was.'),
      oauth_state: z.null().describe('Always null: what a sign-in was given stays in the keychain.'),
    }),
    z.object({
      ok: z.literal(false),
      error: z.string().describe('What went wrong and what to do next, in words for people.'),
      error_kind: errorKind.describe('What kind of failure it was, to branch on.'),
    }),
  ]),
})

export const gatewayStartMcpSignIn = route({
  method: 'post',
  path: '/api/mcp/oauth/start',
  summary: 'Begin to sign in to a tool server',
  description: 'Begins to sign in to a tool server and answers with the address to open in a browser.',
  tag,
  body: mcpSignInRequest,
  failures: ['forbidden', 'bad_request'],
  reply: z.object({
    ok: z.boolean().describe('Whether the sign-in has begun.'),
    job_id: z.string().nullable().describe('Id of the sign-in; null when it has not begun.'),
    authorization_url: z.string().nullable().describe('Address to open in a browser; null when none is needed.'),
    error: z.string().nullable().describe('What went wrong, in words; null when nothing did.'),
    error_kind: errorKind.nullable().describe('What kind of failure it was; null when there was none.'),
  }),
})

/** Tokens stay in the keychain: no client gets to see them. */
const status = z.object({
  ok: z.boolean().describe('Whether nothing has gone wrong.'),
  job_id: z.string().describe('Id of the sign-in.'),
  status: z.enum(['pending', 'authorizing', 'succeeded', 'failed']).describe('How far the sign-in is.'),
  authorization_url: z.string().nullable().describe('Address to open in a browser; null when none is needed.'),
  callback_ready: z.boolean().describe('Whether this machine waits for the browser to come back.'),
  error: z.string().nullable().describe('What went wrong, in words; null when nothing did.'),
  error_kind: errorKind.nullable().describe('What kind of failure it was; null when there was none.'),
  oauth_state: z.null().describe('Always null: what the sign-in was given stays in the keychain.'),
  tools: z.null().describe('Always null: the tools are listed by the test of the server.'),
  tool_result: z.null().describe('Always null: tools are called by the test of the server.'),
})
const params = z.object({ job_id: z.string().describe('Id of the sign-in, which `/api/mcp/oauth/start` answered.') })

export const gatewayGetMcpSignIn = route({
  method: 'get',
  path: '/api/mcp/oauth/status/{job_id}',
  summary: 'How far a sign-in is',
  description: 'Tells how far a sign-in is.',
  tag,
  params,
  failures: ['forbidden', 'not_found'],
  reply: status,
})

export const gatewaySubmitMcpSignIn = route({
  method: 'post',
  path: '/api/mcp/oauth/callback/{job_id}',
  summary: 'End a sign-in with the address that the browser came back to',
  description: 'Ends a sign-in with the address that the browser came back to.',
  tag,
  params,
  body: mcpSignInAnswer,
  failures: ['forbidden', 'not_found', 'bad_request'],
  reply: status,
})
