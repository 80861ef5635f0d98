import type { RouteBodyInput } from '../../../server/api/contract/route.ts'
import { type McpConfig, mcpConfig } from '../../../server/api/v1/settings/mcp.ts'
import type { testMcpServer } from '../../../server/api/v1/settings/mcp-states.ts'
import { linesOf } from './lines.ts'
import { t } from './text.ts'

export type ToolServers = McpConfig
export type McpTestInput = RouteBodyInput<typeof testMcpServer>
export const NO_SERVERS: ToolServers = { stdio_servers: [], shttp_servers: [], sse_servers: [] }

export const SERVER_KINDS = ['stdio', 'shttp', 'sse'] as const
export type ServerKind = (typeof SERVER_KINDS)[number]

/** A tool server as it is typed; only the fields of its kind count. */
export interface ServerDraft {
  kind: ServerKind
  name: string
  command: string
  /** One argument a line: nothing has to be quoted. */
  args: string
  /** `NAME=value` a line. */
  env: string
  url: string
  apiKey: string
  /** Seconds. */
  timeout: string
}

export type DraftField = Exclude<keyof ServerDraft, 'kind'>
export type DraftErrors = Partial<Record<DraftField, string>>

export const EMPTY_SERVER: ServerDraft = {
  kind: 'stdio',
  name: '',
  command: '',
  args: '',
  env: '',
  url: '',
  apiKey: '',
  timeout: '',
}

/** Where a server stands in the configuration. */
export interface ServerPosition {
  kind: ServerKind
  index: number
}

export interface ServerRow extends ServerPosition {
  title: string
  detail: string
  hasKey: boolean
}

export function serverRows({ stdio_servers, shttp_servers, sse_servers }: ToolServers): ServerRow[] {
  return [
    ...stdio_servers.map(({ name, command, args }, index) => ({
      kind: 'stdio' as const,
      index,
      title: name,
      detail: [command, ...args].join(' '),
      hasKey: false,
    })),
    ...shttp_servers.map((server, index) => remoteRow('shttp', index, server)),
    ...sse_servers.map((server, index) => remoteRow('sse', index, server)),
  ]
}

function remoteRow(kind: ServerKind, index: number, server: { url: string; api_key?: string | null | undefined }) {
  const { url, api_key } = server
  return { kind, index, title: URL.canParse(url) ? new URL(url).host : url, detail: url, hasKey: Boolean(api_key) }
}

export function draftAt(servers: ToolServers, { kind, index }: ServerPosition): ServerDraft {
  if (kind === 'stdio') {
    const server = servers.stdio_servers[index]
    if (!server) return EMPTY_SERVER
    const env = Object.entries(server.env).map(([name, value]) => `${name}=${value}`)
    const { name, command, args } = server
    return { ...EMPTY_SERVER, kind, name, command, args: args.join('\n'), env: env.join('\n') }
  }
  const url = (kind === 'sse' ? servers.sse_servers : servers.shttp_servers)[index]
  const timeout = kind === 'shttp' ? servers.shttp_servers[index]?.timeout : null
  return { ...EMPTY_SERVER, kind, url: url?.url ?? '', apiKey: url?.api_key ?? '', timeout: timeout?.toString() ?? '' }
}

export type CheckedServer = { ok: true; servers: ToolServers } | { ok: false; errors: DraftErrors }

/** The configuration with the draft in it, in the place of another server or as a new one; or what is wrong with it. */
export function withServer(servers: ToolServers, place: ServerPosition | null, draft: ServerDraft): CheckedServer {
  const others = place ? withoutServer(servers, place) : servers
  const errors = ownErrors(others, draft)
  const result = mcpConfig.safeParse({ [`${draft.kind}_servers`]: [inputOf(draft)] })
  for (const { path } of result.error?.issues ?? []) {
    const field = FIELDS[String(path[2])]
    if (field) errors[field] ??= fieldProblem(field, draft, result.error?.issues ?? [])
  }
  if (!result.success || Object.keys(errors).length > 0) return { ok: false, errors }
  return { ok: true, servers: inserted(others, place, draft.kind, result.data) }
}

export function withoutServer(servers: ToolServers, { kind, index }: ServerPosition): ToolServers {
  const rest = <Item>(items: readonly Item[]) => items.filter((_, place) => place !== index)
  switch (kind) {
    case 'stdio':
      return { ...servers, stdio_servers: rest(servers.stdio_servers) }
    case 'shttp':
      return { ...servers, shttp_servers: rest(servers.shttp_servers) }
    case 'sse':
      return { ...servers, sse_servers: rest(servers.sse_servers) }
  }
}

/** Keeps the order: a server that stays of its kind stays in its place. */
function inserted(others: ToolServers, place: ServerPosition | null, kind: ServerKind, one: ToolServers): ToolServers {
  const put = <Item>(items: readonly Item[], added: readonly Item[]) => {
    const at = place?.kind === kind ? place.index : items.length
    return [...items.slice(0, at), ...added, ...items.slice(at)]
  }
  return {
    stdio_servers: kind === 'stdio' ? put(others.stdio_servers, one.stdio_servers) : others.stdio_servers,
    shttp_servers: kind === 'shttp' ? put(others.shttp_servers, one.shttp_servers) : others.shttp_servers,
    sse_servers: kind === 'sse' ? put(others.sse_servers, one.sse_servers) : others.sse_servers,
  }
}

function inputOf(draft: ServerDraft): Record<string, unknown> {
  const api_key = draft.apiKey.trim() || null
  switch (draft.kind) {
    case 'stdio':
      return { name: draft.name, command: draft.command, args: linesOf(draft.args), env: environmentOf(draft.env) }
    case 'shttp':
      return { url: draft.url, api_key, timeout: draft.timeout.trim() ? Number(draft.timeout) : null }
    case 'sse':
      return { url: draft.url, api_key }
  }
}

/** The server of a draft that fits, as a test takes it. */
export function testInputOf(draft: ServerDraft): McpTestInput {
  const name = draft.kind === 'stdio' ? draft.name.trim() : 'server'
  const apiKey = draft.apiKey.trim()
  if (draft.kind === 'stdio') {
    const { command, args, env } = draft
    return { name, server: { transport: 'stdio', command, args: linesOf(args), env: environmentOf(env) } }
  }
  const transport = draft.kind === 'sse' ? 'sse' : 'http'
  return { name, server: { transport, url: draft.url.trim(), ...(apiKey ? { api_key: apiKey } : {}) } }
}

function environmentOf(text: string): Record<string, string> {
  return Object.fromEntries(
    linesOf(text).map(line => [line.replace(/=.*/s, '').trim(), line.replace(/^[^=]*=?/, '').trim()]),
  )
}

/** The schema's names for the fields of a draft. */
const FIELDS: Readonly<Record<string, DraftField>> = {
  name: 'name',
  command: 'command',
  args: 'args',
  env: 'env',
  url: 'url',
  api_key: 'apiKey',
  timeout: 'timeout',
}

const WORDS: Partial<Record<DraftField, string>> = {
  name: t('useLetters'),
  command: t('giveOneProgram'),
  env: t('writeNameAndValue'),
  timeout: t('giveWholeSeconds'),
}

function fieldProblem(field: DraftField, draft: ServerDraft, issues: readonly { message: string }[]): string {
  if (field === 'name' && !draft.name.trim()) return t('giveItName')
  if (field === 'command' && !draft.command.trim()) return t('giveProgramToRun')
  return WORDS[field] ?? `${issues[0]?.message ?? t('thisValueDoesNotFit')}.`
}

/** What the schema lets pass but cannot be meant. */
function ownErrors(others: ToolServers, draft: ServerDraft): DraftErrors {
  if (draft.kind !== 'stdio') return {}
  const errors: DraftErrors = {}
  const name = draft.name.trim()
  if (name && others.stdio_servers.some(server => server.name === name)) errors.name = t('anotherServerHasThisName')
  if (linesOf(draft.env).some(line => !line.includes('='))) errors.env = t('writeOneNameValueLine')
  return errors
}
