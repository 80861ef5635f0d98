import { z } from 'zod'
import { IN_VAULT } from './failures.ts'
import { serverUrl } from './mcp.ts'
import { mcpServerInput } from './mcp-servers.ts'
import { success } from './page.ts'
import { route } from './route.ts'

const tag = 'Tool servers'

/** Signing in to a tool server with a browser. */
export const mcpSignIn = z.object({
  job_id: z.string(),
  status: z.enum(['authorizing', 'succeeded', 'failed']),
  /** To be opened in a browser; null when no more is needed. */
  authorization_url: z.string().nullable(),
  error: z.string().nullable(),
})
export type McpSignIn = z.output<typeof mcpSignIn>

export const mcpSignInRequest = z.object({ name: z.string().max(100).default('server'), server: mcpServerInput })
const params = z.object({ job_id: z.string() })
export const mcpSignInAnswer = z.object({ callback_url: z.string() })

export const startMcpSignIn = route({
  method: 'post',
  path: '/api/v1/mcp/oauth/start',
  summary: 'Begin to sign in to a tool server; the browser that signs in comes back to this port',
  tag,
  body: mcpSignInRequest,
  failures: ['bad_request'],
  reply: mcpSignIn,
})

export const getMcpSignIn = route({
  method: 'get',
  path: '/api/v1/mcp/oauth/status/{job_id}',
  summary: 'How far a sign-in is',
  tag,
  params,
  failures: ['not_found'],
  reply: mcpSignIn,
})

export const submitMcpSignIn = route({
  method: 'post',
  path: '/api/v1/mcp/oauth/callback/{job_id}',
  summary: 'End a sign-in with the address that the browser came back to, where it could not reach this machine',
  tag,
  params,
  body: mcpSignInAnswer,
  failures: ['not_found', 'bad_request'],
  reply: mcpSignIn,
})

export const endMcpSignIn = route({
  method: 'get',
  path: '/api/v1/mcp/oauth/callback',
  summary: 'Where the browser comes back to; the state in the address takes the place of a key',
  tag,
  open: true,
  query: z.looseObject({ state: z.string().max(200).nullish() }),
  media: { reply: 'text/html' },
  reply: z.string(),
})

export const forgetMcpSignIn = route({
  method: 'post',
  path: '/api/v1/mcp/oauth/forget',
  summary: 'Sign out of a tool server: what it was given is deleted here',
  tag,
  body: z.object({ url: serverUrl }),
  failures: IN_VAULT,
  reply: success,
})
