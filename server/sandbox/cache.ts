import { settledWithin } from '../async/settled-within.ts'
import type { Bus } from '../bus.ts'
import type { EngineConnection } from '../docker/connection.ts'
import { instanceLabels, LABEL } from '../docker/container/labels.ts'
import type { Engine, EngineListener, EngineWatch } from '../docker/engine.ts'
import { isAppError, messageOf } from '../domain/errors.ts'
import type { Log } from '../log.ts'
import type { SandboxPool } from './prepared/pool.ts'
import type { LastKnown } from './reconcile/last-known.ts'
import { afterEngineLoss, afterInspect, afterList, changedIds, type SandboxSnapshot } from './snapshot.ts'
import type { Sandbox } from './state.ts'

/** An engine that answers pings may still hold back its list; the service starts all the same. */
const LIST_MS = 8_000
/** What an engine could not say is asked again after so long, and later and later. */
const AGAIN_MS = 1_000
const MAX_AGAIN_MS = 60_000

export interface SandboxCacheOptions {
  connection: EngineConnection
  bus: Bus
  log: Log
  instanceId: string
  lastKnown: LastKnown
  /** Those that are nobody's yet, and not shown. */
  prepared(): Pick<SandboxPool, 'has' | 'heard'>
  /** Whether it is being removed, so that it is not shown any more. */
  isToGo(id: string): boolean
  /** There is a container that never ran, and whose start is not known here. */
  onUnstarted(): void
  /** The kernel ended one of its processes; it goes on. Not every engine says so. */
  onOutOfMemory(id: string): void
}

/**
 * The sandboxes of this instance as the engine has them, in memory: read at once, kept up to date by the engine's events,
 * listed anew whenever the service begins to listen. Every change is published.
 */
export class SandboxCache {
  readonly #options: SandboxCacheOptions
  readonly #dirty = new Set<string>()
  /** What happened to a sandbox while it was being started here. */
  readonly #missed = new Set<string>()
  /** What was removed here: an answer of the engine that was under way then does not bring it back. */
  readonly #gone = new Set<string>()
  #rows: SandboxSnapshot = new Map()
  #allDirty = false
  #again: NodeJS.Timeout | undefined
  #againMs = AGAIN_MS
  #work: Promise<void> | undefined
  #watch: EngineWatch | undefined
  #unsubscribe = () => {}
  #ready: Promise<void> = Promise.resolve()
  /** Ends the wait for the list. */
  #listed = () => {}

  constructor(options: SandboxCacheOptions) {
    this.#options = options
    this.#rows = options.lastKnown.read()
  }

  start(): void {
    this.#unsubscribe = this.#options.connection.subscribe({
      onConnected: engine => this.#listen(engine),
      onLost: () => {
        this.#watch?.close()
        this.#show(afterEngineLoss(this.#rows))
        this.#listed()
      },
    })
  }

  /**
   * Resolves when the engine that is there was listed, at once when there is none to ask, or when it takes too long: then
   * the last states are shown.
   */
  ready(): Promise<void> {
    return this.#ready
  }

  get(id: string): Sandbox | undefined {
    return this.#rows.get(id)
  }

  /** Newest first. */
  list(): Sandbox[] {
    return [...this.#rows.values()].sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id))
  }

  put(sandbox: Sandbox): void {
    this.#gone.delete(sandbox.id)
    this.#show(new Map(this.#rows).set(sandbox.id, sandbox))
    if (sandbox.kind !== 'booting' && this.#missed.delete(sandbox.id)) void this.refresh(sandbox.id)
  }

  remove(id: string): void {
    const rows = new Map(this.#rows)
    rows.delete(id)
    this.#gone.add(id)
    this.#missed.delete(id)
    this.#show(rows)
  }

  /** The engine of these is another entry's: here they would stay for ever, as if they were lost. @param only this one */
  giveUp(only?: string): void {
    const lost = [...this.#rows.values()].filter(
      ({ id, kind }) => kind === 'unreachable' && (only === undefined || id === only),
    )
    const rows = new Map(this.#rows)
    for (const { id } of lost) rows.delete(id)
    this.#show(rows)
  }

  /** What another entry has known of this engine; what the engine says comes after it, and counts. */
  adopt(sandboxes: readonly Sandbox[]): void {
    const lost = sandboxes.filter(({ kind }) => kind === 'unreachable').map(each => [each.id, each] as const)
    if (lost.length === 0) return
    this.#show(new Map([...lost, ...this.#rows]))
    this.#allDirty = true
    void this.#update()
  }

  /** Asks the engine about one sandbox; resolves when the answer is shown. */
  refresh(id: string): Promise<void> {
    this.#dirty.add(id)
    return this.#update()
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    this.#listed()
    this.#watch?.close()
    await this.#work
    clearTimeout(this.#again)
  }

  #listen(engine: Engine): void {
    this.#watch?.close()
    this.#listed()
    const listed = new Promise<void>(resolve => {
      this.#listed = resolve
    })
    this.#ready = settledWithin(LIST_MS, listed)
    const done = this.#listed
    this.#watch = engine.watch(instanceLabels(this.#options.instanceId), {
      onContainer: event => this.#notice(event),
      onReconnect: () => {
        this.#allDirty = true
        void this.#update().then(done)
      },
      onDisconnect: () => {},
    })
  }

  #notice({ name, action, labels }: Parameters<EngineListener['onContainer']>[0]): void {
    if (labels[LABEL.sandbox]) return
    if (this.#options.prepared().has(name)) return this.#options.prepared().heard(name, action)
    if (this.#rows.get(name)?.kind === 'booting') {
      // Its start tells more than the engine, and a question in the middle of it would slow it down.
      if (action !== 'create' && action !== 'start') this.#missed.add(name)
      return
    }
    if (action === 'oom') this.#options.onOutOfMemory(name)
    // A new name makes the old one unknown.
    if (action === 'rename') this.#allDirty = true
    else this.#dirty.add(name)
    void this.#update()
  }

  /** One round at a time, so that an older answer never overwrites a newer one. */
  #update(): Promise<void> {
    this.#work ??= this.#catchUp()
    return this.#work
  }

  async #catchUp(): Promise<void> {
    // The caller gets the promise before the first round begins.
    await Promise.resolve()
    while (this.#allDirty || this.#dirty.size > 0) {
      const ids = [...this.#dirty]
      const all = this.#allDirty
      this.#dirty.clear()
      this.#allDirty = false
      try {
        const engine = this.#options.connection.engine()
        await (all ? this.#lookAtAll(engine) : this.#lookAt(engine, ids))
        this.#againMs = AGAIN_MS
      } catch (error) {
        // Without an engine every row says so already, and its return lists them all.
        if (!isAppError(error, 'engine_unavailable')) this.#listAgain(error)
      }
    }
    this.#work = undefined
  }

  #listAgain(error: unknown): void {
    if (this.#again) return
    this.#options.log.warn({ error: messageOf(error) }, 'looking at sandboxes failed')
    const list = () => {
      this.#again = undefined
      this.#allDirty = true
      void this.#update()
    }
    this.#again = setTimeout(list, this.#againMs).unref()
    this.#againMs = Math.min(MAX_AGAIN_MS, this.#againMs * 2)
  }

  async #lookAtAll(engine: Engine): Promise<void> {
    const containers = await engine.listContainers(instanceLabels(this.#options.instanceId))
    this.#show(afterList(this.#rows, containers))
  }

  async #lookAt(engine: Engine, ids: readonly string[]): Promise<void> {
    const looks = ids.map(async id => ({ id, container: await engine.inspectContainer(this.#containerOf(id)) }))
    const looked = await Promise.allSettled(looks)
    const rows = new Map(this.#rows)
    for (const look of looked) {
      if (look.status === 'rejected') continue
      const { id, container } = look.value
      const sandbox = afterInspect(rows.get(id), container)
      if (sandbox) rows.set(id, sandbox)
      else rows.delete(id)
      if (sandbox?.kind === 'container' && sandbox.container.status === 'created') this.#options.onUnstarted()
    }
    this.#show(rows)
    const failed = looked.find(look => look.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** By its id, as its commands are started; one that is not known yet by its name. */
  #containerOf(id: string): string {
    const sandbox = this.#rows.get(id)
    return sandbox?.kind === 'container' ? sandbox.container.id : id
  }

  #show(rows: SandboxSnapshot): void {
    const { prepared, isToGo } = this.#options
    const before = this.#rows
    const shown = new Map(
      [...rows].filter(
        ([id, { kind }]) =>
          !this.#gone.has(id) && (kind === 'booting' || kind === 'failed' || !(prepared().has(id) || isToGo(id))),
      ),
    )
    this.#rows = shown
    for (const id of changedIds(before, shown)) {
      this.#options.lastKnown.keep(id, shown.get(id))
      this.#options.bus.publish({ resource: 'sandbox', id })
    }
  }
}
