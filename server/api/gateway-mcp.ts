import { z } from 'zod'
import { IN_KEYS_SANDBOX } from './failures.ts'
import { mcpSignInAnswer, mcpSignInRequest } from './mcp-sign-in.ts'
import { mcpTestRequest, mcpToolResult } from './mcp-states.ts'
import { route } from './route.ts'

const tag = 'Tool servers'
const errorKind = z.enum(['timeout', 'connection', 'unknown'])

/** Where a command runs is told by the key. */
const testRequest = mcpTestRequest.omit({ sandbox_id: true })

export const gatewayTestMcp = route({
  method: 'post',
  path: '/api/mcp/test',
  summary: 'Connect to a tool server and list its tools; a command runs in the sandbox of the key',
  tag,
  body: testRequest,
  failures: IN_KEYS_SANDBOX,
  reply: z.discriminatedUnion('ok', [
    z.object({
      ok: z.literal(true),
      tools: z.array(z.string()),
      tool_result: mcpToolResult.nullable(),
      oauth_state: z.null(),
    }),
    z.object({ ok: z.literal(false), error: z.string(), error_kind: errorKind }),
  ]),
})

export const gatewayStartMcpSignIn = route({
  method: 'post',
  path: '/api/mcp/oauth/start',
  summary: 'Begin to sign in to a tool server',
  tag,
  body: mcpSignInRequest,
  failures: ['forbidden', 'bad_request'],
  reply: z.object({
    ok: z.boolean(),
    job_id: z.string().nullable(),
    authorization_url: z.string().nullable(),
    error: z.string().nullable(),
    error_kind: errorKind.nullable(),
  }),
})

/** Tokens stay in the keychain: no client gets to see them. */
const status = z.object({
  ok: z.boolean(),
  job_id: z.string(),
  status: z.enum(['pending', 'authorizing', 'succeeded', 'failed']),
  authorization_url: z.string().nullable(),
  callback_ready: z.boolean(),
  error: z.string().nullable(),
  error_kind: errorKind.nullable(),
  oauth_state: z.null(),
  tools: z.null(),
  tool_result: z.null(),
})
const params = z.object({ job_id: z.string() })

export const gatewayGetMcpSignIn = route({
  method: 'get',
  path: '/api/mcp/oauth/status/{job_id}',
  summary: 'How far a sign-in is',
  tag,
  params,
  failures: ['forbidden', 'not_found'],
  reply: status,
})

export const gatewaySubmitMcpSignIn = route({
  method: 'post',
  path: '/api/mcp/oauth/callback/{job_id}',
  summary: 'End a sign-in with the address that the browser came back to',
  tag,
  params,
  body: mcpSignInAnswer,
  failures: ['forbidden', 'not_found', 'bad_request'],
  reply: status,
})
