import type { AuthProvider, CallToolResult, Tool } from '@modelcontextprotocol/client'
import type { McpServer } from '../../api/v1/settings/mcp-servers.ts'
import type { McpServerState } from '../../api/v1/settings/mcp-states.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import { messageOf } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import { ANSWER_LIMITS } from '../../outbound/limits.ts'
import type { NamedBy, Outbound } from '../../outbound/outbound.ts'
import type { Admission } from '../admission.ts'
import { failure, McpFailure } from '../problem.ts'
import { next, type ServerEvent, type ServerState } from '../state.ts'
import type { CallOptions, connect as Connect, Connection } from './connection.ts'
import { ServerLog } from './server-log.ts'

export interface NamedServer {
  name: string
  source: McpServerState['source']
  namedBy: NamedBy
  server: McpServer
}

export interface ServerContext {
  version: string
  outbound: Outbound
  /** @param resume whether a sandbox that is paused or stopped may be woken for it */
  sandbox: (resume: boolean) => Promise<SandboxHandle>
  /** Puts secrets in the place of their names, and tells the mask what is secret. */
  prepare: (named: NamedServer) => Promise<McpServer>
  /** For a command of the sandbox. @throws McpFailure when it may not run */
  admit: (named: NamedServer, sandbox: SandboxHandle, signal: AbortSignal) => Promise<Admission>
  authFor: (url: string) => AuthProvider
  mask: (text: string) => string
  onChange: () => void
}

/** Programs may have to be fetched before they start. */
const START_MS = { stdio: 120_000, http: 30_000, sse: 30_000 }
const CALL_MS = 300_000

/** One tool server of one conversation: started in the background, connected again once when it is lost. */
export class RunningServer {
  readonly named: NamedServer
  readonly log: ServerLog
  readonly #context: ServerContext
  #state: ServerState = { kind: 'stopped' }
  #connection: Connection | undefined
  /** Ends the start or life that goes on. */
  #life = new AbortController()
  #started: Promise<void> = Promise.resolve()
  /** Whether it runs since a person trusts what it runs. */
  #byTrust = false
  /** Whether it may be connected again by itself: once, until a call has gone well. */
  #mayReconnect = true

  constructor(named: NamedServer, context: ServerContext) {
    this.named = named
    this.#context = context
    this.log = new ServerLog(context.mask)
  }

  state(): ServerState {
    return this.#state
  }

  /**
   * Begins to start, unless it runs; resolves when that has gone well or not. Never rejects.
   * @param resume whether a sandbox that is paused or stopped may be woken for it
   */
  start(resume = true): Promise<void> {
    if (this.#state.kind === 'starting' || this.#state.kind === 'ready') return this.#started
    if (!this.named.server.enabled) return this.#started
    this.#mayReconnect = true
    this.#begin({ kind: 'start' }, resume)
    return this.#started
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /** Trust was given or taken back: what waits for it starts, what runs by it is looked at anew. */
  async trustChanged(): Promise<void> {
    const waits = this.#state.kind === 'failed' && this.#state.problem.error_kind === 'trust'
    if (waits) await this.start(false)
    else if (this.#byTrust && this.#state.kind !== 'stopped') await this.restart()
  }

  async stop(): Promise<void> {
    this.#change({ kind: 'stop' })
    this.#life.abort(failure('unknown', 'It was stopped.'))
    const connection = this.#connection
    this.#connection = undefined
    await Promise.all([connection?.close(), this.#started])
  }

  /** Waits for a server that is being connected again. @throws McpFailure, or the signal's reason */
  async call(
    tool: Tool,
    given: Record<string, unknown>,
    options: Omit<CallOptions, 'timeoutMs'>,
  ): Promise<CallToolResult> {
    const timeoutMs = (this.named.server.timeout ?? CALL_MS / 1000) * 1000
    const connection = await this.#connected(options.signal)
    try {
      const result = await connection.call(tool.name, given, { ...options, timeoutMs })
      this.#mayReconnect = true
      return result
    } catch (error) {
      if (!(error instanceof McpFailure) || !isLost(error)) throw error
      this.#lost(connection, error)
      if (!isSafeToRepeat(tool, error)) throw error
      const again = await this.#connected(options.signal)
      return again.call(tool.name, given, { ...options, timeoutMs })
    }
  }

  async #connected(signal: AbortSignal): Promise<Connection> {
    if (this.#state.kind === 'starting') await unlessAborted(this.#started, signal)
    signal.throwIfAborted()
    if (this.#connection) return this.#connection
    if (this.#state.kind === 'failed') throw new McpFailure(this.#state.problem)
    throw failure('crashed', 'It does not run.')
  }

  #begin(event: ServerEvent, resume: boolean): void {
    this.#life.abort()
    this.#life = new AbortController()
    this.#change(event)
    this.#started = this.#connect(this.#life.signal, resume)
  }

  async #connect(signal: AbortSignal, resume: boolean): Promise<void> {
    const { server } = this.named
    let problemOf = (error: unknown) => failure('unknown', messageOf(error), error).problem
    try {
      // With the protocol's library, which a service without tool servers never reads.
      const [{ connect }, { toFailure }] = await Promise.all([import('./connection.ts'), import('./failures.ts')])
      problemOf = error => toFailure(error, server).problem
      const connection = await this.#open(connect, signal, resume)
      if (signal.aborted) return await connection.close()
      this.#connection = connection
      await this.#list(connection, signal)
    } catch (error) {
      if (signal.aborted) return
      const problem = problemOf(error)
      this.log.add(`${problem.error} ${problem.next_step}`)
      const opened = this.#connection
      this.#connection = undefined
      this.#change({ kind: 'failed', problem })
      await opened?.close()
    }
  }

  async #open(connect: typeof Connect, signal: AbortSignal, resume: boolean): Promise<Connection> {
    const { version, outbound, sandbox, prepare, admit, authFor } = this.#context
    const server = await prepare(this.named)
    const admission = server.transport === 'stdio' ? await admit(this.named, await sandbox(resume), signal) : null
    this.#byTrust = admission?.byTrust ?? false
    const timeoutMs = server.timeout === null ? START_MS[server.transport] : server.timeout * 1000
    const connection: Connection = await connect({
      server,
      fetch: outbound.fetch({ namedBy: this.named.namedBy, limits: ANSWER_LIMITS.toolServer }),
      version,
      sandbox: () => sandbox(resume),
      admission,
      log: this.log,
      authFor,
      timeoutMs,
      signal,
      onToolsChanged: () => void this.#relist(signal),
      onLost: why => this.#lost(connection, why),
    })
    return connection
  }

  async #list(connection: Connection, signal: AbortSignal, note?: string): Promise<void> {
    const tools = await connection.listTools(signal)
    if (this.#connection !== connection) return
    if (note !== undefined) this.log.add(note)
    this.#change({ kind: 'listed', tools })
  }

  /** A list that cannot be had leaves the one before. */
  async #relist(signal: AbortSignal): Promise<void> {
    const connection = this.#connection
    if (!connection || this.#state.kind !== 'ready') return
    try {
      await this.#list(connection, signal, 'Its tools have changed.')
    } catch (error) {
      if (!signal.aborted) this.log.add(`! Its tools have changed, but could not be listed: ${messageOf(error)}`)
    }
  }

  #lost(connection: Connection, why: McpFailure): void {
    if (this.#connection !== connection) return
    this.#connection = undefined
    void connection.close()
    this.log.add(why.problem.error)
    if (!this.#mayReconnect) {
      this.#change({ kind: 'failed', problem: why.problem })
      return
    }
    this.#mayReconnect = false
    this.#begin({ kind: 'lost' }, false)
  }

  #change(event: ServerEvent): void {
    const before = this.#state
    this.#state = next(before, event)
    if (this.#state !== before) this.#context.onChange()
  }
}

const LOST: ReadonlySet<string> = new Set(['connection', 'crashed', 'sandbox'])

function isLost({ problem, neverArrived }: McpFailure): boolean {
  return neverArrived || LOST.has(problem.error_kind)
}

function isSafeToRepeat({ annotations }: Tool, { neverArrived }: McpFailure): boolean {
  return neverArrived || annotations?.readOnlyHint === true || annotations?.idempotentHint === true
}
