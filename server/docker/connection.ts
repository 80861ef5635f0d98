import { setTimeout as delay } from 'node:timers/promises'
import type { EngineStatus } from '../api/system.ts'
import type { Bus } from '../bus.ts'
import { AppError, messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import type { DockerodeEngine } from './dockerode-engine.ts'
import type { Engine, EngineInfo } from './engine.ts'
import { LABEL } from './labels.ts'
import type { EngineSearch } from './socket.ts'

/** A restart of the engine takes about a second: it is looked for often at first, then every two seconds. */
const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 2000
/** An address that swallows packets must not hold the window back. */
const FIRST_LOOK_MS = 1500
/** The event stream tells when the engine ends; a ping finds one that hangs. */
const PING_EVERY_MS = 10_000
const PING_TIMEOUT_MS = 5000

export interface ConnectionOptions {
  bus: Bus
  log: Log
  /** `findEngine` of this machine. */
  find(signal: AbortSignal): Promise<EngineSearch>
}

/** Must not throw. */
export interface ConnectionListener {
  /** Also called at once when an engine is there already. */
  onConnected(engine: Engine): void
  onLost(): void
}

type State =
  | { kind: 'ready'; engine: DockerodeEngine; info: EngineInfo; life: AbortController }
  | { kind: 'unavailable'; status: Extract<EngineStatus, { state: 'unavailable' }> }

/** The engine that is in use now, or why there is none. Looks for one until closed, and again when it is lost. */
export class EngineConnection {
  readonly #options: ConnectionOptions
  readonly #listeners = new Set<ConnectionListener>()
  readonly #closing = new AbortController()
  #state: State = unavailable('Looking for a Docker engine.')
  #search: Promise<void> | undefined
  #wake = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** Resolves after the first look, with or without an engine; a slow one goes on looking without the caller. */
  async start(): Promise<void> {
    const waited = new AbortController()
    const patience = delay(FIRST_LOOK_MS, undefined, { signal: waited.signal }).catch(() => {})
    await Promise.race([this.#look(), patience])
    waited.abort()
    this.#running = this.#keepLooking()
  }

  status(): EngineStatus {
    if (this.#state.kind === 'unavailable') return this.#state.status
    const { info, engine } = this.#state
    const { name, version, cpus, memoryBytes } = info
    return { state: 'ready', name, version, endpoint: engine.endpoint, cpus, memory_bytes: memoryBytes }
  }

  /** @throws AppError engine_unavailable, with what to do */
  engine(): Engine {
    return this.#ready().engine
  }

  /** @throws AppError engine_unavailable */
  info(): EngineInfo {
    return this.#ready().info
  }

  /** Looks now instead of at the next round. */
  async recheck(): Promise<EngineStatus> {
    if (this.#state.kind === 'ready') await this.#ping(this.#state)
    if (this.#state.kind === 'unavailable') await this.#look()
    return this.status()
  }

  subscribe(listener: ConnectionListener): () => void {
    this.#listeners.add(listener)
    if (this.#state.kind === 'ready') listener.onConnected(this.#state.engine)
    return () => this.#listeners.delete(listener)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#wake.abort()
    await this.#running
    await this.#search?.catch(() => {})
    if (this.#state.kind !== 'ready') return
    this.#state.life.abort()
    await this.#state.engine.close()
  }

  #ready(): Extract<State, { kind: 'ready' }> {
    if (this.#state.kind === 'ready') return this.#state
    const { reason, steps } = this.#state.status
    const next = steps[0] ? ` ${steps[0].text} ${steps[0].command ?? steps[0].url ?? ''}`.trimEnd() : ''
    throw new AppError('engine_unavailable', `${reason}${next}`)
  }

  async #keepLooking(): Promise<void> {
    let wait = FIRST_RETRY_MS
    while (!this.#closing.signal.aborted) {
      const ready = this.#state.kind === 'ready'
      wait = ready ? FIRST_RETRY_MS : Math.min(wait * 2, LONGEST_RETRY_MS)
      await delay(ready ? PING_EVERY_MS : wait, undefined, { signal: this.#wake.signal }).catch(() => {})
      if (this.#closing.signal.aborted) return
      if (this.#wake.signal.aborted) this.#wake = new AbortController()
      if (this.#state.kind === 'ready') await this.#ping(this.#state)
      else await this.#look()
    }
  }

  /** One look at a time: a recheck joins the one under way. */
  #look(): Promise<void> {
    this.#search ??= this.#lookOnce().finally(() => {
      this.#search = undefined
    })
    return this.#search
  }

  async #lookOnce(): Promise<void> {
    if (this.#state.kind === 'ready') return
    try {
      const found = await this.#options.find(this.#closing.signal)
      if (found.kind === 'found') this.#connected(found)
      else this.#explain({ state: 'unavailable', reason: found.reason, steps: found.steps })
    } catch (error) {
      if (this.#closing.signal.aborted) return
      this.#options.log.warn({ error: messageOf(error) }, 'looking for a Docker engine failed')
    }
  }

  #connected({ engine, info }: Extract<EngineSearch, { kind: 'found' }>): void {
    if (this.#closing.signal.aborted) return void engine.close()
    const state: Extract<State, { kind: 'ready' }> = { kind: 'ready', engine, info, life: new AbortController() }
    this.#state = state
    this.#options.log.info({ endpoint: engine.endpoint, engine: info.name, version: info.version }, 'engine connected')
    // No container has this label value: the stream is silent, and ends when the engine does.
    engine.watch(
      { [LABEL.instance]: 'none' },
      {
        onContainer: () => {},
        onReconnect: () => {},
        onDisconnect: () => this.#lost(state),
      },
    )
    for (const listener of [...this.#listeners]) listener.onConnected(engine)
    this.#options.bus.publish({ resource: 'system' })
  }

  #lost(state: Extract<State, { kind: 'ready' }>): void {
    if (this.#state !== state || this.#closing.signal.aborted) return
    this.#options.log.warn({ endpoint: state.engine.endpoint }, 'engine lost')
    this.#state = unavailable('The Docker engine stopped answering.')
    state.life.abort()
    void state.engine.close()
    for (const listener of [...this.#listeners]) listener.onLost()
    this.#options.bus.publish({ resource: 'system' })
    this.#wake.abort()
  }

  async #ping(state: Extract<State, { kind: 'ready' }>): Promise<void> {
    try {
      await state.engine.ping(AbortSignal.any([AbortSignal.timeout(PING_TIMEOUT_MS), state.life.signal]))
    } catch {
      this.#lost(state)
    }
  }

  #explain(status: Extract<EngineStatus, { state: 'unavailable' }>): void {
    const before = this.#state.kind === 'unavailable' ? JSON.stringify(this.#state.status) : ''
    this.#state = { kind: 'unavailable', status }
    if (before !== JSON.stringify(status)) this.#options.bus.publish({ resource: 'system' })
  }
}

function unavailable(reason: string): State {
  return { kind: 'unavailable', status: { state: 'unavailable', reason, steps: [] } }
}
