import type { McpConfig } from '../api/v1/settings/mcp.ts'
import type { McpServer, SandboxServer } from '../api/v1/settings/mcp-servers.ts'
import type { McpServerState } from '../api/v1/settings/mcp-states.ts'
import { createMutex } from '../async/mutex.ts'
import type { Bus } from '../bus.ts'
import { AppError, messageOf } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import type { Log } from '../log.ts'
import type { NamedBy, Outbound } from '../outbound/outbound.ts'
import type { Mask } from '../secret/mask/mask.ts'
import { withSecrets } from '../tools/mcp.ts'
import { type Admission, unrestricted } from './admission.ts'
import { type ConversationServerConfig, NO_CONVERSATION_SERVERS, namedServers } from './configured.ts'
import type { NamedServer } from './connection/running-server.ts'
import type { ConversationServers } from './conversation-servers.ts'
import { isReference, secretValues } from './secret-values.ts'
import { McpSession } from './session.ts'
import type { McpTokens } from './sign-in/tokens.ts'
import { toStoppedState } from './to-api.ts'

/** Whose servers they are: a conversation, or a sandbox by itself. */
export interface ServerOwner {
  id: string
  sandbox_id: string
  working_dir: string | undefined
}

export interface HubOptions {
  version: string
  outbound: Outbound
  settings: { toolServers(): Promise<{ config: McpConfig | null; searchKey: string | null }> }
  kept: ConversationServers
  tokens: McpTokens
  /** @param resume whether one that is paused or stopped may be woken @throws AppError of the sandbox */
  sandbox: (owner: ServerOwner, resume: boolean) => Promise<SandboxHandle>
  /** Secrets that a text of the owner's agent names, of those that the agent has. */
  environmentFor: (ownerId: string, text: string, signal?: AbortSignal) => Promise<Record<string, string>>
  /** Secrets that a server's configuration names: it is the person's word, whatever the agent may have. */
  serverEnvironmentFor: HubOptions['environmentFor']
  /** For a command in the owner's sandbox. @throws McpFailure when it may not run */
  admit: (
    owner: ServerOwner,
    named: NamedServer,
    at: { sandbox: SandboxHandle; signal: AbortSignal },
  ) => Promise<Admission>
  /** What skills of the owner's repository bring along. */
  skillServers: (ownerId: string) => Record<string, SandboxServer>
  /** Names of tools that a conversation has from elsewhere. */
  takenNames: (ownerId: string) => readonly string[]
  mask: Pick<Mask, 'add' | 'mask'>
  /** undefined when there is no such conversation. */
  find: (conversationId: string) => { parent_conversation_id: string | null } | undefined
  bus: Bus
  log: Log
  idleMs?: number
}

/** Tool servers that a conversation brings along. */
export interface OwnServers {
  config: McpConfig
  servers?: Record<string, McpServer>
  namedBy: NamedBy
}

const IDLE_MS = 20 * 60_000

/** The tool servers of all conversations. */
export class McpHub {
  readonly #options: HubOptions
  readonly #sessions = new Map<string, McpSession>()
  readonly #mutex = createMutex()
  readonly #unsubscribe: () => void
  #closed = false

  constructor(options: HubOptions) {
    this.#options = options
    this.#unsubscribe = options.bus.subscribe(change => {
      if (change.resource === 'conversation' && change.id) this.#forgetDeleted(change.id)
    })
  }

  /** Made when it is first asked for, and the same as long as its conversation is there. */
  session(owner: ServerOwner): McpSession {
    if (this.#closed) throw new AppError('unavailable', 'Atelier is closing.')
    const known = this.#sessions.get(owner.id)
    if (known) return known
    const { bus, log, mask, outbound, tokens, version, idleMs = IDLE_MS } = this.#options
    const session = new McpSession({
      version,
      outbound,
      environmentFor: (text, signal) => this.#options.environmentFor(owner.id, text, signal),
      idleMs,
      mask: mask.mask,
      authFor: url => tokens.authFor(url),
      sandbox: resume => this.#options.sandbox(owner, resume),
      configured: () => this.configured(owner.id),
      takenNames: this.#options.takenNames(owner.id),
      // A repository's word gets no secrets, so it needs no trust.
      prepare: async ({ source, server }) => (source === 'skill' ? server : this.prepare(server, owner.id)),
      admit: async (named, sandbox, signal) =>
        named.source === 'skill' ? unrestricted(named) : this.#options.admit(owner, named, { sandbox, signal }),
      onChange: () => bus.publish({ resource: 'conversation', id: owner.id }),
      onProblem: error =>
        log.warn({ conversation: owner.id, error: messageOf(error) }, 'Tool servers could not be read'),
    })
    this.#sessions.set(owner.id, session)
    return session
  }

  /** As they are now; those of a conversation that has not run are stopped. @throws AppError of the vault */
  async states(conversationId: string): Promise<McpServerState[]> {
    const running = new Map(
      this.#sessions
        .get(conversationId)
        ?.states()
        .map(state => [state.name, state]),
    )
    const configured = await this.configured(conversationId)
    return configured.map(named => running.get(named.name) ?? toStoppedState(named, this.#options.mask.mask))
  }

  /** Adds to what the conversation keeps, and starts. @throws AppError conflict, or one of the vault */
  async add(owner: ServerOwner, name: string, server: McpServer): Promise<void> {
    await this.#mutex(async () => {
      const taken = (await this.configured(owner.id)).some(named => named.name === name)
      if (taken) throw new AppError('conflict', `There is a tool server '${name}' already. Choose another name.`)
      const kept = await this.#kept(owner.id)
      await this.#options.kept.save(owner.id, { ...kept, added: { ...kept.added, [name]: server } })
    })
    await this.session(owner).wake()
  }

  /** @throws AppError not_found, or one of the vault */
  async remove(owner: ServerOwner, name: string): Promise<void> {
    await this.#mutex(async () => {
      const found = (await this.configured(owner.id)).some(named => named.name === name)
      if (!found) throw noServer(name)
      const kept = await this.#kept(owner.id)
      const { [name]: given, ...added } = kept.added
      const removed = given ? kept.removed : [...kept.removed, name]
      await this.#options.kept.save(owner.id, { ...kept, added, removed })
    })
    await this.#sessions.get(owner.id)?.wake()
    this.#options.bus.publish({ resource: 'conversation', id: owner.id })
  }

  /** @throws AppError not_found, or one of the vault */
  async restart(owner: ServerOwner, name: string): Promise<void> {
    if (!(await this.session(owner).restart(name))) throw noServer(name)
  }

  /** What a conversation brings along, before it starts. @throws AppError of the vault */
  async keep(conversationId: string, { config, servers = {}, namedBy }: OwnServers): Promise<void> {
    await this.#options.kept.save(conversationId, {
      ...NO_CONVERSATION_SERVERS,
      config,
      added: servers,
      named_by: namedBy,
    })
  }

  /** Its servers end, and what it kept is deleted. */
  async forget(conversationId: string): Promise<void> {
    const session = this.#sessions.get(conversationId)
    this.#sessions.delete(conversationId)
    await session?.close()
    await this.#options.kept.forget(conversationId)
  }

  /** A person trusts the repository of these conversations, or does not any more. */
  trustChanged(conversationIds: readonly string[]): void {
    for (const id of conversationIds) this.#sessions.get(id)?.trustChanged()
  }

  /** Somebody has signed in: those that wait for it start. */
  signedIn(url: string): void {
    for (const session of this.#sessions.values()) session.signedIn(url)
  }

  /** @throws AppError of the vault */
  async configured(conversationId: string): Promise<NamedServer[]> {
    const { settings } = this.#options
    const { config, searchKey } = await settings.toolServers()
    const kept = await this.#kept(conversationId)
    const skills = this.#options.skillServers(conversationId)
    const servers = namedServers({ settings: config, kept, searchKey, skills })
    const given = servers.filter(({ source }) => source !== 'skill')
    for (const value of given.flatMap(({ server }) => secretValues(server))) {
      // A name in the place of a secret is none: hidden, it could not be read wherever it is written.
      if (!isReference(value)) this.#options.mask.add(value)
    }
    return servers
  }

  /** With the secrets that it names in their places; whatever it carries is known to the mask after that. */
  async prepare(server: McpServer, ownerId = NO_OWNER): Promise<McpServer> {
    const { serverEnvironmentFor } = this.#options
    const prepared = await withSecrets(server, text => serverEnvironmentFor(ownerId, text))
    // An address is shown and logged by others: no secret is put there.
    const kept =
      prepared.transport !== 'stdio' && server.transport !== 'stdio' ? { ...prepared, url: server.url } : prepared
    return this.learn(kept)
  }

  /** Tells the mask what a server's configuration holds. */
  learn(server: McpServer): McpServer {
    for (const value of secretValues(server)) this.#options.mask.add(value)
    return server
  }

  /** Tells the mask what the servers of all conversations hold, and the tokens of sign-ins. @throws AppError of the vault */
  async learnAll(): Promise<void> {
    const { kept, tokens } = this.#options
    const urls = new Set<string>()
    for (const id of [NO_OWNER, ...kept.owners()]) {
      for (const { server } of await this.configured(id)) if (server.transport !== 'stdio') urls.add(server.url)
    }
    for (const url of urls) await tokens.read(url)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#unsubscribe()
    await Promise.all([...this.#sessions.values()].map(session => session.close()))
    this.#sessions.clear()
  }

  /** A sub-conversation has what its parent has, until it gets something of its own. */
  async #kept(conversationId: string): Promise<ConversationServerConfig> {
    const { kept, find } = this.#options
    const own = await kept.read(conversationId)
    if (own) return own
    const parent = find(conversationId)?.parent_conversation_id
    return (parent && (await kept.read(parent))) || NO_CONVERSATION_SERVERS
  }

  #forgetDeleted(id: string): void {
    const { find, kept, log } = this.#options
    if (find(id) || id.startsWith(SANDBOX_OWNER)) return
    const gone = this.#sessions.has(id) ? this.forget(id) : kept.sweep()
    gone.catch(error => log.warn({ error: messageOf(error) }, 'Tool servers could not be ended'))
  }
}

const SANDBOX_OWNER = 'sandbox:'
/** Has the user's own secrets only. */
const NO_OWNER = ''

/** The servers of a sandbox that no conversation works in. */
export function sandboxOwner(sandboxId: string): ServerOwner {
  return { id: `${SANDBOX_OWNER}${sandboxId}`, sandbox_id: sandboxId, working_dir: undefined }
}

function noServer(name: string): AppError {
  return new AppError('not_found', `This conversation has no tool server '${name.slice(0, 60)}'. Name one of its list.`)
}
