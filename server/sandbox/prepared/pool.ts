import { settledWithin } from '../../async/settled-within.ts'
import type { Bus } from '../../bus.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import type { ContainerRequest, ContainerState } from '../../docker/engine.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { SandboxRemovals } from '../../store/sandbox/removals.ts'
import type { StartProgress } from '../boot.ts'
import type { KeptShells } from '../command/kept-shells.ts'
import type { SandboxNetworks } from '../network/networks.ts'
import type { Reconciler } from '../reconcile/reconciler.ts'
import { kindOf, type SandboxDraft } from './draft.ts'
import { PreparedSandbox } from './sandbox.ts'
import { USE_MS, wanted } from './wanted.ts'

/** The engine is left to those who use it: nothing is prepared within so long of a start. */
const QUIET_MS = 2000
/** What could not be made is not tried again for so long, in milliseconds. */
const REFUSED_MS = 5 * 60_000
/** An engine that holds a container does not hold up the end. */
const GIVE_UP_MS = 2000

export interface SandboxPoolOptions {
  connection: Pick<EngineConnection, 'engine' | 'info' | 'subscribe'>
  bus: Pick<Bus, 'subscribe'>
  log: Log
  networks: Pick<SandboxNetworks, 'protect' | 'forget'>
  shells: KeptShells
  removals: Pick<SandboxRemovals, 'begin'>
  reconciler: Pick<Reconciler, 'remove'>
  /** How many at most; 0 prepares none. */
  limit(): Promise<number>
  /** Spec of the newest sandbox that there is. */
  newestSpec(): string | undefined
  /** What would be started from a spec now; without an id from the default. @throws AppError as a start does */
  draft(specId: string | null): Promise<SandboxDraft>
  /** Without bringing the image. */
  boot(
    request: ContainerRequest,
    report: (progress: StartProgress) => void,
    signal: AbortSignal,
  ): Promise<ContainerState>
  /** Whether somebody's sandbox is being started. */
  isStarting(): boolean
}

interface Start {
  specId: string
  at: number
}

/** A draft, and the image that its name means now. */
interface Wanted {
  draft: SandboxDraft
  kind: string
  imageId: string
}

/**
 * Sandboxes that are started before anybody asks for one, so that a conversation need not wait for the engine. Each is
 * recorded as abandoned before it is made, until a start that took it is over.
 *
 * INVARIANTS: nobody sees one before it is taken; it is given to one start only, and only if that would make the same now;
 * what is not taken goes with this service, or with the next one after it was killed; no image is brought for it, and
 * nothing of a person's runs in it.
 */
export class SandboxPool {
  readonly #options: SandboxPoolOptions
  readonly #prepared = new Map<string, PreparedSandbox>()
  /** Of which kinds none could be made, and when that was. */
  readonly #refused = new Map<string, number>()
  #starts: Start[] = []
  #timer: NodeJS.Timeout | undefined
  #later: NodeJS.Timeout | undefined
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

  /** One that is, or is becoming, what the draft asks for. From now on it is the caller's. */
  take(draft: SandboxDraft): PreparedSandbox | undefined {
    const now = Date.now()
    this.#starts = [...this.#recentStarts(), { specId: draft.specId, at: now }]
    const kind = kindOf(draft)
    const prepared = [...this.#prepared.values()].find(each => kindOf(each.draft) === kind)
    if (prepared) this.#prepared.delete(prepared.id)
    return prepared
  }

  /** Somebody's start is over: now there is time for the next ones. */
  startEnded(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#soon()
  }

  /** What the engine says of a prepared one: whatever somebody else does with it, it is not what it was. Its start looks after itself. */
  heard(id: string, action: string): void {
    if (!this.#prepared.get(id)?.isMade || !CHANGES.has(action)) return
    void this.#remove(id).then(() => this.#soon())
  }

  /** Removes what nobody took. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
    clearTimeout(this.#later)
    const removed = [...this.#prepared.keys()].map(id => this.#remove(id))
    await settledWithin(GIVE_UP_MS, Promise.all([...removed, this.#round]))
  }

  #soon(): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#round = this.#round.then(() => this.#fill())
    }, QUIET_MS).unref()
  }

  /** Removes what is not wanted any more, and makes what is missing, one after the other. Never rejects. */
  async #fill(): Promise<void> {
    try {
      const missing = await this.#missing()
      for (const each of missing) {
        // The end of that start begins the next round.
        if (this.#isClosed || this.#options.isStarting()) return
        await this.#prepare(each)
      }
    } catch (error) {
      // Without an engine there is nothing to be prepared; its return begins a round.
      if (isAppError(error, 'engine_unavailable')) return
      this.#options.log.info({ error: messageOf(error) }, 'no sandboxes could be prepared')
    } finally {
      this.#lookLater()
    }
  }

  /** Fewer are wanted once starts are long ago, and what was refused may be tried again. */
  #lookLater(): void {
    clearTimeout(this.#later)
    const times = [
      ...this.#recentStarts().map(({ at }) => at + USE_MS),
      ...[...this.#refused.values()].map(at => at + REFUSED_MS),
    ]
    if (times.length === 0 || this.#isClosed) return
    this.#later = setTimeout(() => this.#soon(), Math.max(0, Math.min(...times) - Date.now())).unref()
  }

  async #missing(): Promise<Wanted[]> {
    const { connection } = this.#options
    const limit = await this.#options.limit()
    for (const [kind, at] of this.#refused) if (Date.now() - at >= REFUSED_MS) this.#refused.delete(kind)
    const kinds = limit === 0 ? [] : await this.#kinds()
    const all = wanted(kinds, {
      limit,
      memoryBytes: connection.info().memoryBytes,
      recentStarts: this.#recentStarts().length,
    })
    const there = new Map(this.#prepared)
    const missing: Wanted[] = []
    for (const each of all) {
      const same = [...there.values()].find(
        other => kindOf(other.draft) === each.kind && other.imageId === each.imageId,
      )
      if (same) there.delete(same.id)
      // Each is a sandbox of its own, with a name of its own.
      else missing.push({ ...each, draft: await this.#options.draft(each.draft.specId) })
    }
    await Promise.all([...there.keys()].map(id => this.#remove(id)))
    return missing
  }

  /** Of the spec that was used last and of the default, those that can be prepared. */
  async #kinds(): Promise<Wanted[]> {
    const { connection, newestSpec, draft } = this.#options
    const found = new Map<string, Wanted>()
    for (const specId of [this.#starts.at(-1)?.specId ?? newestSpec(), null]) {
      if (specId === undefined) continue
      const each = await draft(specId).catch(unlessNotThere)
      if (!each?.canWait) continue
      const imageId = (await connection.engine().image(each.request.image))?.id
      const kind = kindOf(each)
      if (imageId !== undefined && !this.#refused.has(kind)) found.set(kind, { draft: each, kind, imageId })
    }
    return [...found.values()]
  }

  async #prepare({ draft, kind, imageId }: Wanted): Promise<void> {
    const { connection, networks, shells, removals, boot, log } = this.#options
    const { request } = draft
    removals.begin(request.name, 'abandoned')
    const prepared = new PreparedSandbox({
      engine: connection.engine(),
      networks,
      shells,
      draft,
      imageId,
      boot: (report, signal) => boot(request, report, signal),
    })
    this.#prepared.set(prepared.id, prepared)
    try {
      await prepared.ready()
    } catch (error) {
      // Who has taken it meanwhile says what is wrong with it.
      if (!this.#prepared.has(prepared.id)) return
      // One that comes and goes with the engine is tried again when it is back.
      if (!isAppError(error, 'engine_unavailable')) this.#refused.set(kind, Date.now())
      log.info({ image: request.image, error: messageOf(error) }, 'a sandbox could not be prepared')
      await this.#remove(prepared.id)
    }
  }

  #recentStarts(): Start[] {
    const since = Date.now() - USE_MS
    return this.#starts.filter(({ at }) => at > since)
  }

  async #remove(id: string): Promise<void> {
    const prepared = this.#prepared.get(id)
    if (!prepared) return
    this.#prepared.delete(id)
    this.#options.networks.forget(id)
    await prepared.end()
    // It is recorded as abandoned: what cannot be removed now goes later.
    await this.#options.reconciler.remove(id).catch(() => {})
  }

  /** With the engine its sandboxes are lost to us: they are removed as abandoned when it is back. */
  #forgetAll(): void {
    for (const prepared of this.#prepared.values()) {
      this.#options.networks.forget(prepared.id)
      void prepared.end()
    }
    this.#prepared.clear()
  }
}

/** What somebody else may do with a container. */
const CHANGES = new Set(['start', 'die', 'stop', 'kill', 'pause', 'unpause', 'oom', 'rename', 'destroy', 'update'])

/** A spec that was used last may be gone, and one may mount a folder that is gone. */
function unlessNotThere(error: unknown): undefined {
  if (isAppError(error, 'not_found') || isAppError(error, 'bad_request')) return undefined
  throw error
}
