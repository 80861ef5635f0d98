import { KEY_MASK } from '../../api/contract/hidden-values.ts'
import type { McpConfig } from '../../api/v1/settings/mcp.ts'
import { type McpServer, mcpServerInput } from '../../api/v1/settings/mcp-servers.ts'
import { createMutex } from '../../async/mutex.ts'
import { AppError } from '../../domain/errors.ts'
import { NO_CONVERSATION_SERVERS, namedServers } from '../../mcp/configured.ts'
import type { SettingsService } from '../../settings/service.ts'

type Tree = Record<string, unknown>
const NONE: McpConfig = { stdio_servers: [], shttp_servers: [], sse_servers: [] }

/** The tool servers of all conversations by their names, as agent servers have them; the settings keep them in lists. */
export class ToolServerSettings {
  readonly #settings: SettingsService
  readonly #mutex = createMutex()

  constructor(settings: SettingsService) {
    this.#settings = settings
  }

  /** Without what they carry of keys; nothing while the keychain does not answer. */
  async shown(): Promise<Tree> {
    if (!this.#settings.exist()) return {}
    const { mcp_config } = await this.#settings.reply()
    return Object.fromEntries(locationsOf(mcp_config ?? NONE).map(({ name, server }) => [name, masked(server)]))
  }

  /** @throws AppError conflict, not_supported, or one of the vault */
  add(name: string, server: McpServer): Promise<void> {
    return this.#change(config => {
      if (locationsOf(config).some(place => place.name === name)) {
        throw new AppError('conflict', `There is a tool server '${name}' already. Change it, or choose another name.`)
      }
      return withServer(config, name, server)
    })
  }

  /** @throws AppError not_found, bad_request, not_supported, or one of the vault */
  change(name: string, patch: Tree): Promise<void> {
    return this.#change(config => {
      const server = find(config, name).server
      const parsed = mcpServerInput.safeParse(mergePatch(toWire(server), patch))
      if (parsed.success) return withServer(without(config, name), name, parsed.data)
      const [issue] = parsed.error.issues
      throw new AppError(
        'bad_request',
        `The tool server would make no sense: ${issue?.path.join('.')} ${issue?.message}`,
      )
    })
  }

  /** @throws AppError not_found, or one of the vault */
  remove(name: string): Promise<void> {
    return this.#change(config => {
      find(config, name)
      return without(config, name)
    })
  }

  #change(next: (config: McpConfig) => McpConfig): Promise<void> {
    return this.#mutex(async () => {
      const { config } = await this.#settings.toolServers()
      await this.#settings.save({ mcp_config: next(config ?? NONE) })
    })
  }
}

interface ServerLocation {
  name: string
  server: McpServer
  list: keyof McpConfig
  index: number
}

/** Names are given in this order, list by list. */
function locationsOf(config: McpConfig): ServerLocation[] {
  const lists = (['stdio_servers', 'shttp_servers', 'sse_servers'] as const).flatMap(list =>
    config[list].map((_, index) => ({ list, index })),
  )
  return namedServers({ settings: config, kept: NO_CONVERSATION_SERVERS, searchKey: null }).flatMap(
    ({ name, server }, at) => {
      const place = lists[at]
      return place ? [{ name, server, ...place }] : []
    },
  )
}

/** @throws AppError not_found */
function find(config: McpConfig, name: string): ServerLocation {
  const found = locationsOf(config).find(place => place.name === name)
  if (!found) {
    throw new AppError('not_found', `There is no tool server '${name}'. Those that there are stand in mcp_config.`)
  }
  return found
}

function without(config: McpConfig, name: string): McpConfig {
  const { list, index } = find(config, name)
  return { ...config, [list]: config[list].filter((_, at) => at !== index) }
}

/** @throws AppError not_supported */
function withServer(config: McpConfig, name: string, server: McpServer): McpConfig {
  if (!server.enabled) throw unsupported('a server that is switched off. Remove it instead')
  if (server.transport === 'stdio') {
    if (server.cwd !== null) throw unsupported('a working directory of a tool server')
    if (server.timeout !== null) throw unsupported('a time-out of a command')
    const { command, args, env } = server
    return { ...config, stdio_servers: [...config.stdio_servers, { name, command, args, env }] }
  }
  const remote = { name, url: server.url, api_key: keyOf(server) }
  if (server.transport === 'http') {
    return { ...config, shttp_servers: [...config.shttp_servers, { ...remote, timeout: server.timeout }] }
  }
  if (server.timeout !== null) throw unsupported('a time-out of an SSE server')
  return { ...config, sse_servers: [...config.sse_servers, remote] }
}

type Remote = Exclude<McpServer, { transport: 'stdio' }>

/** @throws AppError not_supported */
function keyOf({ auth, headers }: Remote): string | null {
  if (Object.keys(headers).length > 0) throw unsupported('headers of a tool server')
  if (auth.strategy === 'none') return null
  if (auth.strategy === 'bearer') return auth.value
  if (auth.strategy === 'api_key' && !auth.header_name) return auth.value
  throw unsupported('this way to tell a tool server who calls')
}

function unsupported(what: string): AppError {
  return new AppError(
    'not_supported',
    `The settings cannot hold this: ${what}. A conversation of its own can bring it.`,
  )
}

/** As clients write it. */
function toWire(server: McpServer): Tree {
  if (server.transport === 'stdio') {
    const { command, args, env } = server
    return { transport: 'stdio', command, args, env }
  }
  const { transport, url, auth, timeout } = server
  return {
    transport,
    url,
    ...(auth.strategy !== 'none' && { auth: { ...auth } }),
    ...(timeout !== null && { timeout }),
  }
}

function masked(server: McpServer): Tree {
  const hidden = (values: Tree) => Object.fromEntries(Object.keys(values).map(key => [key, KEY_MASK]))
  const shown = toWire(server)
  if (server.transport === 'stdio') return { ...shown, env: hidden(server.env) }
  return server.auth.strategy === 'bearer' ? { ...shown, auth: { strategy: 'bearer', value: KEY_MASK } } : shown
}

/** RFC 7386, but that the mask keeps what it stands for. */
function mergePatch(before: Tree, patch: Tree): Tree {
  const result = new Map(Object.entries(before))
  for (const [key, value] of Object.entries(patch)) {
    if (value === KEY_MASK && result.has(key)) continue
    if (value === null) result.delete(key)
    else if (isTree(value)) result.set(key, mergePatch(isTree(result.get(key)) ? (result.get(key) as Tree) : {}, value))
    else result.set(key, value)
  }
  return Object.fromEntries(result)
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
