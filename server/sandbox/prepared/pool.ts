import { unlessAborted } from '../../async/unless-aborted.ts'
import type { Bus } from '../../bus.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import type { ContainerRequest, ContainerState } from '../../docker/engine.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { SandboxRemovals } from '../../store/sandbox/removals.ts'
import type { KeptShell } from '../command/kept-shell.ts'
import type { KeptShells } from '../command/kept-shells.ts'
import type { SandboxNetworks } from '../network/networks.ts'
import type { Reconciler } from '../reconcile/reconciler.ts'
import { sameSandbox } from './same-sandbox.ts'
import { USE_MS, wantedSpecs } from './wanted.ts'

/** The engine is left to those who wait for it: nothing is prepared within so long of a start, or of a change. */
const QUIET_MS = 2000
/** What could not be made is not tried again for so long, in milliseconds. */
const REFUSED_MS = 5 * 60_000

export interface SandboxPoolOptions {
  connection: Pick<EngineConnection, 'engine' | 'info' | 'subscribe'>
  bus: Pick<Bus, 'subscribe'>
  log: Log
  networks: Pick<SandboxNetworks, 'protect'>
  shells: KeptShells
  removals: Pick<SandboxRemovals, 'begin'>
  reconciler: Pick<Reconciler, 'remove'>
  /** How many at most; 0 prepares none. */
  limit(): number
  /** Spec of the newest sandbox that there is. */
  newestSpec(): string | undefined
  /** What would be started from a spec now; without an id from the default. @throws AppError as a start does */
  draft(specId: string | null): Promise<{ specId: string; request: ContainerRequest }>
  boot(request: ContainerRequest, signal: AbortSignal): Promise<ContainerState>
  /** Whether somebody's sandbox is being started. */
  isStarting(): boolean
}

/** A sandbox that is nobody's yet. Its id is the name in the request. */
export interface PreparedSandbox {
  specId: string
  request: ContainerRequest
  /** Of its image as it was made. */
  imageId: string
  container: Promise<ContainerState>
  /** Kept open for the first command; undefined where none could be started. */
  shell: Promise<KeptShell | undefined>
  stop: AbortController
}

/**
 * Sandboxes that are started before anybody asks for one, so that a conversation need not wait for the engine. Each is
 * recorded as abandoned before it is made, until somebody takes it.
 *
 * INVARIANTS: nobody sees one before it is taken; it is given to one start only, and only if that would make the same now;
 * what is not taken goes with this service, or with the next one after it was killed; no image is brought for it.
 */
export class SandboxPool {
  readonly #options: SandboxPoolOptions
  readonly #prepared = new Map<string, PreparedSandbox>()
  /** Images of which none could be made, and when that was. */
  readonly #refused = new Map<string, number>()
  #starts: { specId: string; at: number }[] = []
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> = Promise.resolve()
  #unsubscribe = () => {}
  #isClosed = false

  constructor(options: SandboxPoolOptions) {
    this.#options = options
  }

  start(): void {
    const { connection, bus } = this.#options
    const stops = [
      connection.subscribe({
        onConnected: () => {
          this.#refused.clear()
          this.#soon()
        },
        onLost: () => this.#forgetAll(),
      }),
      bus.subscribe(({ resource }) => {
        if (resource === 'settings' || resource === 'sandbox-spec' || resource === 'system') this.#soon()
      }),
    ]
    this.#unsubscribe = () => {
      for (const stop of stops) stop()
    }
  }

  /** Whether it is nobody's sandbox. */
  has(id: string): boolean {
    return this.#prepared.has(id)
  }

  /** One that is, or is becoming, what the request asks for. From now on it is the caller's. */
  take(specId: string, request: ContainerRequest): PreparedSandbox | undefined {
    const now = Date.now()
    this.#starts = [...this.#starts.filter(({ at }) => now - at < USE_MS), { specId, at: now }]
    for (const [id, prepared] of this.#prepared) {
      if (!sameSandbox(prepared.request, request)) continue
      this.#prepared.delete(id)
      return prepared
    }
    return undefined
  }

  /**
   * The container of one that was taken, ready for use. undefined when it is not what it was prepared as, and then it may
   * be there still. @throws the signal's reason
   */
  async use(prepared: PreparedSandbox, signal: AbortSignal): Promise<ContainerState | undefined> {
    const { connection, networks, shells, log } = this.#options
    try {
      const made = await unlessAborted(prepared.container, signal)
      const engine = connection.engine()
      const [container, imageId, shell] = await Promise.all([
        engine.inspectContainer(made.id),
        engine.imageId(prepared.request.image),
        prepared.shell,
      ])
      if (shell) shells.giveBack(made.id, shell)
      const isSame = container?.status === 'running' && container.startedAt === made.startedAt
      if (!isSame || imageId !== prepared.imageId) return undefined
      await networks.protect(container)
      return container
    } catch (error) {
      signal.throwIfAborted()
      log.info({ sandbox: prepared.request.name, error: messageOf(error) }, 'a prepared sandbox could not be used')
      return undefined
    } finally {
      if (signal.aborted) prepared.stop.abort()
    }
  }

  /** Somebody's start is over: now there is time for the next ones. */
  startEnded(): void {
    this.#soon()
  }

  /** Removes what nobody took. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
    await Promise.all([...this.#prepared.keys()].map(id => this.#remove(id)))
    await this.#round
  }

  #soon(): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      if (this.#options.isStarting()) return this.#soon()
      this.#round = this.#round.then(() => this.#fill())
    }, QUIET_MS).unref()
  }

  /** Makes what is missing, one after the other, and removes what is not wanted any more. Never rejects. */
  async #fill(): Promise<void> {
    try {
      const missing = await this.#missing()
      for (const draft of missing) {
        if (this.#isClosed) return
        if (this.#options.isStarting()) return this.#soon()
        await this.#prepare(draft)
      }
    } catch (error) {
      // Without an engine there is nothing to be prepared; its return begins a round.
      if (isAppError(error, 'engine_unavailable')) return
      this.#options.log.info({ error: messageOf(error) }, 'no sandboxes could be prepared')
    }
  }

  async #missing(): Promise<Draft[]> {
    const there = new Set(this.#prepared.keys())
    const missing: Draft[] = []
    for (const specId of await this.#wanted()) {
      // A spec that was used last may be gone.
      const wanted = await this.#options.draft(specId).catch(() => undefined)
      // A folder that is mounted may be another one by the time that somebody works in it.
      if (!wanted || wanted.request.mounts.length > 0) continue
      const same = [...there].find(id => this.#isSame(id, wanted.request))
      if (same === undefined) missing.push(wanted)
      else there.delete(same)
    }
    await Promise.all([...there].map(id => this.#remove(id)))
    return missing
  }

  async #wanted(): Promise<string[]> {
    const { connection, limit, newestSpec, draft } = this.#options
    if (limit() === 0) return []
    const since = Date.now() - USE_MS
    return wantedSpecs({
      limit: limit(),
      memoryBytes: connection.info().memoryBytes,
      defaultSpec: (await draft(null)).specId,
      lastSpec: this.#starts.at(-1)?.specId ?? newestSpec(),
      recentStarts: this.#starts.filter(({ at }) => at > since).length,
    })
  }

  #isSame(id: string, request: ContainerRequest): boolean {
    const prepared = this.#prepared.get(id)
    return prepared !== undefined && sameSandbox(prepared.request, request)
  }

  async #prepare({ specId, request }: Draft): Promise<void> {
    const { connection, removals, shells, boot, log } = this.#options
    const engine = connection.engine()
    const imageId = await engine.imageId(request.image)
    if (imageId === undefined || this.#isRefused(imageId) || this.#isClosed) return
    removals.begin(request.name, 'abandoned')
    const stop = new AbortController()
    const container = boot(request, stop.signal)
    const shell = container.then(({ id }) => shells.take(engine, id, stop.signal)).catch(() => undefined)
    this.#prepared.set(request.name, { specId, request, imageId, container, shell, stop })
    try {
      await container
      await shell
    } catch (error) {
      if (!this.#prepared.has(request.name) || stop.signal.aborted) return
      // One that comes and goes with the engine is tried again when it is back.
      if (!isAppError(error, 'engine_unavailable')) this.#refused.set(imageId, Date.now())
      log.info({ image: request.image, error: messageOf(error) }, 'a sandbox could not be prepared')
      await this.#remove(request.name)
    }
  }

  #isRefused(imageId: string): boolean {
    return Date.now() - (this.#refused.get(imageId) ?? Number.NEGATIVE_INFINITY) < REFUSED_MS
  }

  async #remove(id: string): Promise<void> {
    const prepared = this.#prepared.get(id)
    if (!prepared) return
    this.#prepared.delete(id)
    await this.#end(prepared)
    // It is recorded as abandoned: what cannot be removed now goes later.
    await this.#options.reconciler.remove(id).catch(() => {})
  }

  /** With the engine its sandboxes are lost to us: they are removed as abandoned when it is back. */
  #forgetAll(): void {
    for (const prepared of this.#prepared.values()) void this.#end(prepared)
    this.#prepared.clear()
  }

  async #end({ container, shell, stop }: PreparedSandbox): Promise<void> {
    stop.abort()
    const [made, open] = await Promise.all([container.catch(() => undefined), shell])
    open?.close()
    if (made && open) this.#options.shells.giveBack(made.id, open)
  }
}

type Draft = Awaited<ReturnType<SandboxPoolOptions['draft']>>
