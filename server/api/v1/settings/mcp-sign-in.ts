import { z } from 'zod'
import { IN_VAULT } from '../../contract/failures.ts'
import { success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { serverUrl } from './mcp.ts'
import { mcpServerInput } from './mcp-servers.ts'

const tag = 'Tool servers'

/** Signing in to a tool server with a browser. */
export const mcpSignIn = z.object({
  job_id: z.string().describe('Id of the sign-in.'),
  status: z.enum(['authorizing', 'succeeded', 'failed']).describe('How far the sign-in is.'),
  authorization_url: z.string().nullable().describe('Address to open in a browser; null when no more is needed.'),
  error: z.string().nullable().describe('What went wrong and what to do next, in words; null when nothing did.'),
})
export type McpSignIn = z.output<typeof mcpSignIn>

export const mcpSignInRequest = z.object({
  name: z.string().max(100).default('server').describe('Name of the server for people.'),
  server: mcpServerInput.describe('Tool server to sign in to.'),
})
const params = z.object({ job_id: z.string().describe('Id of the sign-in, which its start answered.') })
export const mcpSignInAnswer = z.object({
  callback_url: z.string().describe('Address that the browser came back to, with everything after the question mark.'),
})

export const startMcpSignIn = route({
  method: 'post',
  path: '/api/v1/mcp/oauth/start',
  summary: 'Begin to sign in to a tool server',
  description:
    'Begins to sign in to a tool server and answers with the address to open in a browser. The browser comes back to this port.',
  tag,
  body: mcpSignInRequest,
  failures: ['bad_request'],
  reply: mcpSignIn,
})

export const getMcpSignIn = route({
  method: 'get',
  path: '/api/v1/mcp/oauth/status/{job_id}',
  summary: 'How far a sign-in is',
  description: 'Tells how far a sign-in is.',
  tag,
  params,
  failures: ['not_found'],
  reply: mcpSignIn,
})

export const submitMcpSignIn = route({
  method: 'post',
  path: '/api/v1/mcp/oauth/callback/{job_id}',
  summary: 'End a sign-in with the address that the browser came back to, where it could not reach this machine',
  description:
    'Ends a sign-in with the address that the browser came back to, where that could not reach this machine.',
  tag,
  params,
  body: mcpSignInAnswer,
  failures: ['not_found', 'bad_request'],
  reply: mcpSignIn,
})

export const endMcpSignIn = route({
  method: 'get',
  path: '/api/v1/mcp/oauth/callback',
  summary: 'Where the browser comes back to',
  description:
    'Ends a sign-in for the browser that comes back and shows a page for the person. The state in the address takes the place of a key.',
  tag,
  open: true,
  query: z.looseObject({
    state: z
      .string()
      .max(200)
      .nullish()
      .describe('Text that was sent along with the browser; it tells which sign-in this is.'),
  }),
  media: { reply: 'text/html' },
  reply: z.string(),
})

export const forgetMcpSignIn = route({
  method: 'post',
  path: '/api/v1/mcp/oauth/forget',
  summary: 'Sign out of a tool server: what it was given is deleted here',
  description: 'Signs out of a tool server: what the sign-in was given is deleted from the keychain.',
  tag,
  body: z.object({ url: serverUrl.describe('Address of the tool server to sign out of.') }),
  failures: IN_VAULT,
  reply: success,
})
