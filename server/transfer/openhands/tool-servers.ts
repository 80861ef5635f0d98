import { type McpConfig, mcpConfigInput } from '../../api/v1/settings/mcp.ts'
import { type Fields, fieldsOf, given, listIn, textIn } from './values.ts'

type List = keyof McpConfig

/**
 * Tool servers of either form: three lists, or servers by their names. One that cannot be kept is named and keeps none of the
 * others away.
 * @returns undefined for none
 */
export function toolServersOf(value: unknown, problems: string[]): McpConfig | undefined {
  const config = fieldsOf(value)
  const named = fieldsOf(config.mcpServers ?? (isInLists(config) ? undefined : config))
  const found = [
    ...LISTS.flatMap(list => listIn(config, list).map(server => ({ list, server }))),
    ...Object.entries(named).map(([name, server]) => fromNamed(name, fieldsOf(server))),
  ]
  const kept: McpConfig = { stdio_servers: [], sse_servers: [], shttp_servers: [] }
  for (const { list, server } of found.slice(0, 1000)) {
    const { data } = mcpConfigInput.safeParse({ [list]: [server] })
    if (!data) problems.push('A tool server cannot be kept as it is: its name, address, command or headers do not fit.')
    else for (const each of LISTS) kept[each].push(...(data[each] as never[]))
  }
  return LISTS.some(list => kept[list].length > 0) ? kept : undefined
}

const LISTS = ['stdio_servers', 'sse_servers', 'shttp_servers'] as const satisfies readonly List[]

function isInLists(config: Fields): boolean {
  return LISTS.some(list => list in config)
}

/** What has headers beside a bearer token is not kept: its list has no place for them, so that it does not fit. */
function fromNamed(name: string, server: Fields): { list: List; server: unknown } {
  const { command, args, env, url, transport, headers, timeout } = server
  if (url === undefined)
    return { list: 'stdio_servers', server: { name, command, ...given('args', args), ...given('env', env) } }
  const others = Object.entries(fieldsOf(headers)).filter(([header]) => header.toLowerCase() !== 'authorization')
  if (others.length > 0) return { list: 'shttp_servers', server: null }
  const remote = { name, url, ...given('api_key', bearerOf(server)) }
  return transport === 'sse'
    ? { list: 'sse_servers', server: remote }
    : { list: 'shttp_servers', server: { ...remote, ...given('timeout', timeout) } }
}

function bearerOf({ auth, headers }: Fields): string | undefined {
  const [, header] = Object.entries(fieldsOf(headers)).find(([name]) => name.toLowerCase() === 'authorization') ?? []
  if (typeof header === 'string') return /^bearer (.+)$/i.exec(header)?.[1]
  if (typeof auth === 'string') return auth === 'oauth' ? undefined : auth
  return textIn(fieldsOf(auth), 'value') || undefined
}
