import { z } from 'zod'
import { argsInput, environment, environmentInput, serverTimeout, serverUrl } from './mcp.ts'

/** How a server on the network is told who calls. */
export const mcpAuth = z.discriminatedUnion('strategy', [
  z.object({ strategy: z.literal('none') }),
  /** In the header of that name, or as a bearer token. */
  z.object({ strategy: z.literal('api_key'), value: z.string(), header_name: z.string().nullish() }),
  z.object({ strategy: z.literal('bearer'), value: z.string() }),
  z.object({ strategy: z.literal('basic'), username: z.string(), password: z.string() }),
  z.object({ strategy: z.literal('header'), headers: z.record(z.string(), z.string()) }),
  /** Signing in with a browser. `authentication` is for a client that was registered by hand. */
  z.object({
    strategy: z.literal('oauth2'),
    authentication: z
      .object({
        client_id: z.string().nullish(),
        client_secret: z.string().nullish(),
        scopes: z.union([z.string(), z.array(z.string())]).nullish(),
      })
      .nullish(),
  }),
])
export type McpAuth = z.output<typeof mcpAuth>

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/)
const headerValue = z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/)
const settled = { timeout: serverTimeout.nullable(), enabled: z.boolean() }

/** One tool server, however it was written. `timeout` is in seconds, for its start and for each call. */
export const mcpServer = z.discriminatedUnion('transport', [
  z.object({
    transport: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()),
    env: environment,
    cwd: z.string().nullable(),
    ...settled,
  }),
  z.object({
    transport: z.literal(['http', 'sse']),
    url: serverUrl,
    headers: z.record(headerName, headerValue),
    auth: mcpAuth,
    ...settled,
  }),
])
export type McpServer = z.output<typeof mcpServer>

const kind = z.enum(['stdio', 'http', 'shttp', 'streamable-http', 'streamable_http', 'sse'])

const written = z.object({
  type: kind.nullish(),
  transport: kind.nullish(),
  command: z.string().trim().nullish(),
  args: argsInput.nullish(),
  env: environmentInput.nullish(),
  cwd: z.string().nullish(),
  url: serverUrl.nullish(),
  headers: z.record(headerName, headerValue).nullish(),
  auth: mcpAuth.nullish(),
  api_key: headerValue.nullish(),
  timeout: serverTimeout.nullish(),
  enabled: z.boolean().default(true),
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

/** Servers by their names, also wrapped as other programs keep them. */
const servers = z.record(mcpServerName, mcpServerInput)
export const mcpServersInput = z.union([
  z.object({ mcpServers: servers }).transform(({ mcpServers }) => mcpServers),
  servers,
])
export type McpServers = z.output<typeof servers>
