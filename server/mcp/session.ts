import type { Tool as RemoteTool } from '@modelcontextprotocol/client'
import type { McpServerState } from '../api/v1/settings/mcp-states.ts'
import { createMutex } from '../async/mutex.ts'
import { createMcpTool } from '../tools/mcp.ts'
import type { Tool, ToolHost } from '../tools/tool.ts'
import { argumentsOf } from './arguments.ts'
import { type NamedServer, RunningServer, type ServerContext } from './connection/running-server.ts'
import { McpFailure } from './problem.ts'
import { toContent } from './result.ts'
import { selectTools, type ToolSelection } from './select-tools.ts'
import { toolsOf } from './state.ts'
import { toServerState } from './to-api.ts'
import { ToolNames } from './tool-names.ts'

export interface SessionOptions extends ServerContext {
  /** The servers as they are set up now. @throws AppError when the vault does not answer */
  configured: () => Promise<NamedServer[]>
  environmentFor: NonNullable<ToolHost['environmentFor']>
  /** Without a call or a look at its tools for so long, the servers are ended until they are needed. */
  idleMs: number
  onProblem: (error: unknown) => void
  /** Of tools that the agent has from elsewhere. */
  takenNames?: readonly string[]
}

/** The tool servers of one conversation. Nothing here waits for a server unless it says so. */
export class McpSession {
  readonly #options: SessionOptions
  readonly #servers = new Map<string, RunningServer>()
  readonly #names: ToolNames
  readonly #tools = new WeakMap<RemoteTool, Tool>()
  readonly #mutex = createMutex()
  readonly #watchers = new Set<() => void>()
  #idle: NodeJS.Timeout | undefined
  #calls = 0
  #asleep = true
  #closed = false

  constructor(options: SessionOptions) {
    this.#options = options
    this.#names = new ToolNames(options.takenNames)
  }

  /**
   * Reads the configuration anew and begins to start what does not run: for the beginning of a run. Resolves when that
   * has begun. Never rejects.
   */
  wake(): Promise<void> {
    return this.#wake(true)
  }

  /**
   * What can be called at this moment, of all servers or of one kind. Begins to start the servers where they sleep, but
   * never a sandbox: to look is not to run.
   */
  tools(transport?: McpServerState['transport']): readonly Tool[] {
    if (this.#asleep && !this.#closed) void this.#wake(false)
    this.#touch()
    return this.#offers()
      .filter(({ server }) => transport === undefined || server.named.server.transport === transport)
      .flatMap(({ server, tools }) => tools.map(tool => this.#tool(server, tool)))
  }

  states(): McpServerState[] {
    const offers = new Map(this.#offers().map(found => [found.server, found]))
    return [...this.#servers.values()].map(server =>
      toServerState(server.named, {
        server,
        offer: offers.get(server),
        nameOf: this.#nameOf,
        mask: this.#options.mask,
      }),
    )
  }

  /** @returns false when there is no such server */
  async restart(name: string): Promise<boolean> {
    if (this.#asleep) await this.wake()
    const server = this.#servers.get(name)
    if (server) void server.restart()
    return server !== undefined
  }

  /** Starts those anew that wait for somebody to sign in at this address. */
  signedIn(url: string): void {
    for (const server of this.#servers.values()) {
      const { named } = server
      const isSame = named.server.transport !== 'stdio' && named.server.url === url
      if (isSame && server.state().kind === 'failed') void server.start()
    }
  }

  trustChanged(): void {
    for (const server of this.#servers.values()) void server.trustChanged()
  }

  /** Resolves when none is starting, or with the signal. */
  async settled(signal: AbortSignal): Promise<void> {
    await this.#mutex(async () => {})
    while (!signal.aborted && [...this.#servers.values()].some(server => server.state().kind === 'starting')) {
      await new Promise<void>(resolve => {
        const done = () => {
          this.#watchers.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        this.#watchers.add(done)
        signal.addEventListener('abort', done, { once: true })
      })
    }
  }

  /** Ends its servers until they are needed again. */
  sleep(): Promise<void> {
    this.#asleep = true
    clearTimeout(this.#idle)
    return this.#mutex(async () => {
      await Promise.all([...this.#servers.values()].map(server => server.stop()))
    })
  }

  /** For good. */
  async close(): Promise<void> {
    this.#closed = true
    await this.sleep()
  }

  #wake(resume: boolean): Promise<void> {
    this.#touch()
    this.#asleep = false
    return this.#mutex(() => this.#reconcile(resume)).catch(this.#options.onProblem)
  }

  async #reconcile(resume: boolean): Promise<void> {
    if (this.#closed) return
    const configured = await this.#options.configured()
    const before = new Map(this.#servers)
    this.#servers.clear()
    for (const named of configured) {
      const known = before.get(named.name)
      const isSame = known && JSON.stringify(known.named) === JSON.stringify(named)
      this.#servers.set(named.name, isSame ? known : new RunningServer(named, this.#serverContext()))
      if (isSame) before.delete(named.name)
    }
    await Promise.all([...before.values()].map(server => server.stop()))
    if (this.#closed || this.#asleep) return
    for (const server of this.#servers.values()) void server.start(resume)
    this.#options.onChange()
  }

  #serverContext(): ServerContext {
    const onChange = () => {
      for (const watcher of [...this.#watchers]) watcher()
      this.#options.onChange()
    }
    return { ...this.#options, onChange }
  }

  #offers(): ToolSelection[] {
    return selectTools([...this.#servers.values()])
  }

  readonly #nameOf = (server: RunningServer, tool: RemoteTool) => this.#names.nameOf(server.named.name, tool.name)

  #tool(server: RunningServer, remote: RemoteTool): Tool {
    const known = this.#tools.get(remote)
    if (known) return known
    const source = {
      server: server.named.name,
      name: remote.name,
      description: remote.description ?? remote.title ?? '',
      inputSchema: remote.inputSchema as Record<string, unknown>,
      readOnly: remote.annotations?.readOnlyHint === true,
      destructive: remote.annotations?.destructiveHint === true,
      ...argumentsOf(remote.inputSchema as Record<string, unknown>),
      call: (given: Record<string, unknown>, options: CallSignals) => this.#call(server, remote, given, options),
    }
    const tool = createMcpTool(this.#nameOf(server, remote), source, {
      ...this.#options,
      environmentFor: this.#environmentFor(server.named),
    })
    this.#tools.set(remote, tool as Tool)
    return tool as Tool
  }

  /** What a repository has set up is given no secret that a call names. */
  #environmentFor({ source }: NamedServer): SessionOptions['environmentFor'] {
    const { environmentFor } = this.#options
    return source === 'skill' ? (_, signal) => environmentFor('', signal) : environmentFor
  }

  /** A tool that its server does not have any more says so. */
  async #call(server: RunningServer, remote: RemoteTool, given: Record<string, unknown>, options: CallSignals) {
    this.#calls++
    try {
      const isThere = toolsOf(server.state()).some(({ name }) => name === remote.name)
      if (!isThere && server.state().kind === 'ready') return says(`The server has no tool '${remote.name}' any more.`)
      const result = await server.call(remote, given, options)
      return { content: toContent(result), isError: result.isError === true }
    } catch (error) {
      options.signal.throwIfAborted()
      if (error instanceof McpFailure)
        return says(
          `The tool server failed. ${error.problem.error} ${RECONCILE_AFTER[error.neverArrived ? 'never' : 'perhaps']}`,
        )
      throw error
    } finally {
      this.#calls--
      this.#touch()
    }
  }

  #touch(): void {
    clearTimeout(this.#idle)
    if (this.#closed) return
    this.#idle = setTimeout(() => (this.#calls > 0 ? this.#touch() : void this.sleep()), this.#options.idleMs)
    this.#idle.unref()
  }
}

interface CallSignals {
  signal: AbortSignal
  onProgress: (message: string) => void
}

const RECONCILE_AFTER = {
  never: 'The call was not carried out.',
  perhaps: 'The call may have been carried out in part: check its effects before trying again.',
}

function says(text: string) {
  return { content: [{ type: 'text' as const, text }], isError: true }
}
