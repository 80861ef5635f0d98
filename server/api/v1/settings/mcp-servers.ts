import { z } from 'zod'
import { isKept, LOST_NAME } from '../../contract/lost-name.ts'
import { argumentText } from '../../event/argument-text.ts'
import { isHeaderText, keyText } from '../../input-text.ts'
import { argsInput, environment, environmentInput, serverTimeout, serverUrl } from './mcp.ts'

/** How a server on the network authenticates its caller. */
const mcpAuth = z.discriminatedUnion('strategy', [
  z.object({ strategy: z.literal('none') }),
  /** In the header of that name, or as a bearer token. */
  z.object({
    strategy: z.literal('api_key'),
    value: z.string().describe('Key of the tool server; stored in the keychain.'),
    header_name: z
      .string()
      .nullish()
      .describe('Header that the key is sent in; absent is `Authorization`, as a bearer token.'),
  }),
  z.object({
    strategy: z.literal('bearer'),
    value: z.string().describe('Bearer token of the tool server; stored in the keychain.'),
  }),
  z.object({
    strategy: z.literal('basic'),
    username: z.string().describe('User name at the tool server.'),
    password: z.string().describe('Password at the tool server; stored in the keychain.'),
  }),
  z.object({
    strategy: z.literal('header'),
    headers: z
      .record(z.string(), z.string())
      .describe('Headers to send along, by their name; their values are stored in the keychain.'),
  }),
  /** Signing in with a browser. `authentication` is for a client that was registered by hand. */
  z.object({
    strategy: z.literal('oauth2'),
    authentication: z
      .object({
        client_id: z.string().nullish().describe('Id of a client that was registered before; absent registers one.'),
        client_secret: z.string().nullish().describe('Secret of that client; absent for one without.'),
        scopes: z
          .union([z.string(), z.array(z.string())])
          .nullish()
          .describe(
            'What to ask permission for, as a list or separated by blanks; absent is what the server proposes.',
          ),
      })
      .nullish()
      .describe('How to sign in, where the server cannot tell by itself.'),
  }),
])
export type McpAuth = z.output<typeof mcpAuth>

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/)
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/)
const settled = { timeout: serverTimeout.nullable(), enabled: z.boolean() }

/** One that is a command. */
export const sandboxServer = z.object({
  transport: z.literal('stdio'),
  command: z.string().min(1).describe('Command that starts the tool server in the sandbox.'),
  args: z.array(z.string()).describe('Arguments of the command.'),
  env: environment.describe('Variables that the command gets beside those of the sandbox.'),
  cwd: z.string().nullable().describe('Folder to start it in; null is the working directory.'),
  ...settled,
})
export type SandboxServer = z.output<typeof sandboxServer>

/** One tool server, however it was written. `timeout` is in seconds, for its start and for each call. */
export const mcpServer = z.discriminatedUnion('transport', [
  sandboxServer,
  z.object({
    transport: z.literal(['http', 'sse']),
    url: serverUrl.describe('Address of the tool server.'),
    headers: z.record(headerName, headerValue).describe('Headers to send along, by their name.'),
    auth: mcpAuth.describe('How the server is told who calls.'),
    ...settled,
  }),
])
export type McpServer = z.output<typeof mcpServer>

const kind = z.enum(['stdio', 'http', 'shttp', 'streamable-http', 'streamable_http', 'sse'])

const written = z.object({
  type: kind.nullish().describe('Kind of the server: a command, or an address; absent is told from the other fields.'),
  transport: kind.nullish().describe('The same under the name that some clients use.'),
  command: z
    .string()
    .trim()
    .nullish()
    .describe('Command that starts the tool server in the sandbox; for a server that is a command.'),
  args: argsInput.nullish().describe('Arguments of the command.'),
  env: environmentInput.nullish().describe('Variables that the command gets beside those of the sandbox.'),
  cwd: argumentText(4096).nullish().describe('Folder to start it in; absent is the working directory.'),
  url: serverUrl.nullish().describe('Address of the tool server; for one that is an address.'),
  headers: z.record(headerName, headerValue).nullish().describe('Headers to send along, by their name.'),
  auth: mcpAuth
    .superRefine((auth, context) => {
      const path = pathToUnsendable(auth)
      if (path) context.addIssue({ code: 'custom', path, message: 'a header of HTTP cannot carry these characters' })
    })
    .nullish()
    .describe('How the server is told who calls; absent is nothing.'),
  api_key: keyText().nullish().describe('Key of the server, sent as a bearer token: a short form of `auth`.'),
  timeout: serverTimeout.nullish().describe('Seconds that a call of its tools may take.'),
  enabled: z.boolean().default(true).describe('Whether the server is used.'),
})

/** What clients may send: `type` or `transport`, or neither where the command or the address tells. */
export const mcpServerInput = written.transform((given, context): McpServer => {
  const settledFields = { timeout: given.timeout ?? null, enabled: given.enabled }
  if (given.url && given.type !== 'stdio' && given.transport !== 'stdio') {
    return {
      transport: onNetwork(given),
      url: given.url,
      headers: given.headers ?? {},
      auth: authOf(given),
      ...settledFields,
    }
  }
  if (given.command) {
    const { command, args, env, cwd } = given
    return { transport: 'stdio', command, args: args ?? [], env: env ?? {}, cwd: cwd ?? null, ...settledFields }
  }
  context.addIssue({ code: 'custom', message: 'A tool server needs a command, or a URL' })
  return z.NEVER
})

type Written = z.output<typeof written>

/** Where what is sent in a header cannot be. */
function pathToUnsendable(auth: McpAuth): string[] | undefined {
  switch (auth.strategy) {
    case 'api_key':
      if (!headerName.nullish().safeParse(auth.header_name).success) return ['header_name']
      return isHeaderText(auth.value) ? undefined : ['value']
    case 'bearer':
      return isHeaderText(auth.value) ? undefined : ['value']
    case 'header': {
      const wrong = Object.entries(auth.headers).find(
        ([name, value]) => !headerName.safeParse(name).success || !headerValue.safeParse(value).success,
      )
      return wrong && ['headers', wrong[0]]
    }
    default:
      return undefined
  }
}

function onNetwork({ type, transport, url }: Written): 'http' | 'sse' {
  const named = type ?? transport
  if (named) return named === 'sse' ? 'sse' : 'http'
  return /\/sse\/?([?#]|$)/.test(url ?? '') ? 'sse' : 'http'
}

function authOf({ auth, api_key }: Written): McpAuth {
  if (auth && auth.strategy !== 'none') return auth
  return api_key ? { strategy: 'bearer', value: api_key } : { strategy: 'none' }
}

/** Letters, digits, dash and underscore: a part of the names of its tools. */
export const mcpServerName = z
  .string()
  .trim()
  .max(40)
  .regex(/^[A-Za-z0-9_-]+$/)
  .refine(isKept, LOST_NAME)

/** Servers by their names, also wrapped as other programs keep them. */
const servers = z.record(mcpServerName, mcpServerInput)
export const mcpServersInput = z.union([
  z
    .object({
      mcpServers: servers.describe('Tool servers by name: the shape of configuration files of other programs.'),
    })
    .transform(({ mcpServers }) => mcpServers),
  servers,
])
