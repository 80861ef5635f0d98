import { setTimeout as delay } from 'node:timers/promises'
import { DEFAULT_ENGINE } from '../api/v1/system/engines.ts'
import type { EngineStatus } from '../api/v1/system/system.ts'
import { settledWithin } from '../async/settled-within.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import type { Bus } from '../bus.ts'
import { AppError, messageOf } from '../domain/errors.ts'
import type { Log } from '../log.ts'
import { LABEL } from './container/labels.ts'
import type { Engine } from './engine.ts'
import type { EngineInfo, EngineUsers } from './engine-info.ts'
import { ANSWERING, afterPing, type Liveness, pingPauseMs } from './life/liveness.ts'
import { type FollowedEngine, pingEngine } from './life/ping.ts'
import type { EngineSearch } from './socket.ts'
import { readyStatus, removed, SILENT, unavailable } from './status.ts'

/** A restart of the engine takes about a second: it is looked for often at first, then every two seconds. */
const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 2000
/** An address that swallows packets must not hold the window back. */
const FIRST_SEARCH_MS = 1500
/** A person who asks is not kept waiting for a ping to time out. */
const RECHECK_MS = 3000

export interface ConnectionOptions {
  bus: Bus
  log: Log
  /** Which of several it is; the default one when absent. */
  engineId?: string
  /** `findEngine` of this machine. */
  find(signal: AbortSignal, round: number): Promise<EngineSearch>
}

/** Must not throw. */
export interface ConnectionListener {
  /**
   * An engine can be asked: a new one, or the same after it was silent or began anew. Called at once when one is there
   * already. What it holds may have changed meanwhile.
   */
  onConnected(engine: Engine): void
  /** It cannot be asked now. */
  onLost(): void
}

interface Found {
  kind: 'found'
  engine: FollowedEngine
  info: EngineInfo
  liveness: Liveness
  /** Of the last ping, in milliseconds; null where it was not answered. */
  latencyMs?: number | null
  life: AbortController
  /** The ping under way. */
  check?: Promise<void> | undefined
}

type State = Found | { kind: 'unavailable'; status: Extract<EngineStatus, { state: 'unavailable' }> }

/**
 * The engine that is in use now, or why there is none. Looks for one until closed, and again when it is lost: when its
 * connections are closed or refused. One that is only silent is kept with everything that is under way, since a loaded
 * or suspended engine answers in the end; see `liveness.ts`.
 */
export class EngineConnection {
  readonly #options: ConnectionOptions
  readonly #listeners = new Set<ConnectionListener>()
  readonly #closing = new AbortController()
  #state: State = { kind: 'unavailable', status: unavailable('Looking for a Docker engine.') }
  #search: Promise<void> | undefined
  #wake = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #losses = 0
  #maxRetryMs = MAX_RETRY_MS
  /** Searches since there was an engine. */
  #rounds = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** Resolves after the first look, with or without an engine; a slow one goes on looking without the caller. */
  async start(): Promise<void> {
    await settledWithin(FIRST_SEARCH_MS, this.#look())
    this.#running = this.#keepLooking()
  }

  status(): EngineStatus {
    if (this.#state.kind === 'unavailable') return this.#state.status
    const { info, engine, liveness } = this.#state
    if (liveness.kind === 'silent') return SILENT
    return readyStatus(engine.endpoint, info)
  }

  /** Counts the engines that were lost: who sees another number knows that what was under way has been cut off. */
  get losses(): number {
    return this.#losses
  }

  /** @throws AppError engine_unavailable, with what to do */
  engine(): Engine {
    return this.#ready().engine
  }

  /** Also of an engine that is silent now. @throws AppError engine_unavailable */
  info(): EngineInfo {
    return this.#state.kind === 'found' ? this.#state.info : this.#ready().info
  }

  /** The folder of its files, where that is on this machine; null also while there is no engine. */
  folder(): string | null {
    return this.#state.kind === 'found' ? this.#state.info.folder : null
  }

  /** null while there is no engine. */
  users(): EngineUsers | null {
    return this.#state.kind === 'found' ? this.#state.info.users : null
  }

  /** How long it took to answer the last ping, in milliseconds; null before one, and while it does not answer. */
  latencyMs(): number | null {
    return this.#state.kind === 'found' ? (this.#state.latencyMs ?? null) : null
  }

  /** Gives the engine up that is in use, and looks for one again. */
  leave(): void {
    if (this.#state.kind === 'found') this.#lost(this.#state)
  }

  /** Resolves when an engine answers, at once when one does. @throws the signal's reason; AppError engine_unavailable once closed */
  async answers(signal: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([signal, this.#closing.signal])
    ended.throwIfAborted()
    if (this.status().state === 'ready') return
    let unsubscribe = () => {}
    const connected = new Promise<void>(resolve => {
      unsubscribe = this.subscribe({ onConnected: () => resolve(), onLost: () => {} })
    })
    await unlessAborted(connected, ended).finally(() => unsubscribe())
  }

  /** Looks now instead of at the next round. */
  async recheck(): Promise<EngineStatus> {
    if (this.#state.kind === 'found') await settledWithin(RECHECK_MS, this.#check(this.#state))
    if (this.#state.kind === 'unavailable') await this.#look()
    return this.status()
  }

  subscribe(listener: ConnectionListener): () => void {
    this.#listeners.add(listener)
    if (this.#state.kind === 'found' && this.#state.liveness.kind !== 'silent') listener.onConnected(this.#state.engine)
    return () => this.#listeners.delete(listener)
  }

  /** Closes after so long at the latest, with what is under way: an engine that holds a container never answers. */
  closeWithin(milliseconds: number): void {
    const timer = setTimeout(() => void this.close(), milliseconds)
    this.#closing.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  async close(): Promise<void> {
    this.#closing.abort(removed())
    this.#wake.abort()
    await this.#running
    await this.#search?.catch(() => {})
    if (this.#state.kind !== 'found') return
    this.#state.life.abort()
    await this.#state.engine.close()
  }

  #ready(): Found {
    if (this.#state.kind === 'found' && this.#state.liveness.kind !== 'silent') return this.#state
    const { reason, steps } = this.#state.kind === 'found' ? SILENT : this.#state.status
    const next = steps[0] ? ` ${steps[0].text} ${steps[0].command ?? steps[0].url ?? ''}`.trimEnd() : ''
    throw new AppError('engine_unavailable', `${reason}${next}`)
  }

  async #keepLooking(): Promise<void> {
    let wait = FIRST_RETRY_MS
    while (!this.#closing.signal.aborted) {
      const state = this.#state
      wait = state.kind === 'found' ? FIRST_RETRY_MS : Math.min(wait * 2, this.#maxRetryMs)
      const pause = state.kind === 'found' ? pingPauseMs(state.liveness) : wait
      await delay(pause, undefined, { signal: this.#wake.signal }).catch(() => {})
      if (this.#closing.signal.aborted) return
      if (this.#wake.signal.aborted) this.#wake = new AbortController()
      await (this.#state.kind === 'found' ? this.#check(this.#state) : this.#look())
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
    if (this.#state.kind === 'found') return
    try {
      const found = await this.#options.find(this.#closing.signal, this.#rounds++)
      if (found.kind === 'none') {
        this.#maxRetryMs = found.retryMs ?? MAX_RETRY_MS
        return this.#explain({ state: 'unavailable', reason: found.reason, steps: found.steps })
      }
      this.#rounds = 0
      this.#connected(found)
    } catch (error) {
      if (this.#closing.signal.aborted) return
      this.#options.log.warn({ error: messageOf(error) }, 'looking for a Docker engine failed')
    }
  }

  #connected({ engine, info }: Extract<EngineSearch, { kind: 'found' }>): void {
    if (this.#closing.signal.aborted) return void engine.close()
    const state: Found = { kind: 'found', engine, info, liveness: ANSWERING, life: new AbortController() }
    this.#state = state
    this.#options.log.info({ endpoint: engine.endpoint, engine: info.name, version: info.version }, 'engine connected')
    let hasEnded = false
    // No container has this label value: the stream is silent, and ends when the engine does.
    engine.watch(
      { [LABEL.instance]: 'none' },
      {
        onContainer: () => {},
        onReconnect: () => {
          // It ended and began again between two questions.
          if (hasEnded) this.#announce(state)
          hasEnded = false
        },
        onDisconnect: () => {
          hasEnded = true
          void this.#check(state)
        },
      },
    )
    this.#announce(state)
  }

  #announce(state: Found): void {
    if (this.#state !== state || this.#closing.signal.aborted) return
    for (const listener of [...this.#listeners]) listener.onConnected(state.engine)
    this.#changed()
  }

  #lost(state: Found): void {
    const wasSilent = this.status().state === 'unavailable'
    this.#options.log.warn({ endpoint: state.engine.endpoint }, 'engine lost')
    this.#state = { kind: 'unavailable', status: unavailable('The Docker engine stopped answering.') }
    this.#losses++
    state.life.abort()
    void state.engine.close()
    if (!wasSilent) for (const listener of [...this.#listeners]) listener.onLost()
    this.#changed()
    this.#wake.abort()
  }

  /** One ping at a time: who asks meanwhile joins it. */
  #check(state: Found): Promise<void> {
    state.check ??= this.#checkOnce(state).finally(() => {
      state.check = undefined
    })
    return state.check
  }

  async #checkOnce(state: Found): Promise<void> {
    const ended = AbortSignal.any([state.life.signal, this.#closing.signal])
    const { result, latencyMs } = await pingEngine(state.engine, state.liveness, ended)
    if (this.#state !== state || this.#closing.signal.aborted) return
    const before = state.liveness
    const wasMeasured = state.latencyMs !== undefined
    state.latencyMs = latencyMs
    if (!wasMeasured) this.#changed()
    state.liveness = afterPing(before, result)
    if (state.liveness.kind === 'gone') return this.#lost(state)
    if (state.liveness.kind === 'silent' && before.kind !== 'silent') {
      this.#options.log.warn({ endpoint: state.engine.endpoint }, 'engine silent')
      for (const listener of [...this.#listeners]) listener.onLost()
      this.#changed()
    }
    if (before.kind === 'silent' && state.liveness.kind !== 'silent') {
      this.#options.log.info({ endpoint: state.engine.endpoint }, 'engine answers again')
      this.#announce(state)
    }
  }

  #explain(status: Extract<EngineStatus, { state: 'unavailable' }>): void {
    const before = this.#state.kind === 'unavailable' ? JSON.stringify(this.#state.status) : ''
    this.#state = { kind: 'unavailable', status }
    if (before !== JSON.stringify(status)) this.#changed()
  }

  #changed(): void {
    const { bus, engineId: id = DEFAULT_ENGINE } = this.#options
    bus.publish({ resource: 'engine', id })
    if (id === DEFAULT_ENGINE) bus.publish({ resource: 'system' })
  }
}
