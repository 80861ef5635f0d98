import type { Readable } from 'node:stream'
import type { SandboxInfo, SandboxStats } from '../api/v1/sandbox/sandboxes.ts'
import { settledWithin } from '../async/settled-within.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import { type Page, type PageQuery, pageOf } from '../paging/page.ts'
import type { CreateOptions, EngineSandboxes, StartOptions } from './engine/sandboxes.ts'
import type { NetworkAccess } from './network/access.ts'
import type { IdlePausing } from './pause/idle-pausing.ts'
import type { SandboxSpecs } from './specs.ts'
import { type Sandbox, statusOf } from './state.ts'

/** A list is not held up for longer by one of several engines: its sandboxes are then shown as they were last. */
const LISTED_MS = 1000

export interface SandboxServiceOptions {
  engines: {
    /** The default one first. */
    all(): readonly { id: string; sandboxes: EngineSandboxes }[]
    /** @throws AppError not_found */
    get(id: string): { sandboxes: EngineSandboxes }
  }
  specs: Pick<SandboxSpecs, 'engineOf'>
}

/** The sandboxes of all engines. Each is the engine's that it was started on, also while that one is away. */
export class SandboxService {
  readonly #options: SandboxServiceOptions
  readonly network: Pick<NetworkAccess, 'of' | 'change' | 'policyOf' | 'refusedSince'>
  readonly idle: Pick<IdlePausing, 'isPausedHere' | 'isInUse' | 'close'>

  constructor(options: SandboxServiceOptions) {
    this.#options = options
    this.network = {
      of: async id => (await this.#ofKnown(id)).network.of(id),
      change: async (id, policy) => (await this.#ofKnown(id)).network.change(id, policy),
      policyOf: id => this.#of(id).network.policyOf(id),
      refusedSince: (id, since) => this.#of(id).network.refusedSince(id, since),
    }
    this.idle = {
      isPausedHere: id => this.#of(id).idle.isPausedHere(id),
      isInUse: id => this.#of(id).idle.isInUse(id),
      close: async () => {
        await Promise.all(this.#all().map(sandboxes => sandboxes.idle.close()))
      },
    }
  }

  async search(query: PageQuery): Promise<Page<SandboxInfo>> {
    await this.#listed()
    const page = pageOf(this.#known(), query)
    return { ...page, items: page.items.map(({ sandboxes, sandbox }) => sandboxes.info(sandbox)) }
  }

  /** In the order asked for; null for an unknown id. */
  async batch(ids: readonly string[]): Promise<(SandboxInfo | null)[]> {
    return Promise.all(ids.map(async id => (await (await this.#ofKnown(id)).batch([id]))[0] ?? null))
  }

  /** @throws AppError sandbox_not_found */
  async get(id: string): Promise<SandboxInfo> {
    return (await this.#ofKnown(id)).get(id)
  }

  /** Of one engine, or of all. */
  count(engineId?: string): { all: number; running: number } {
    const known = this.#known().filter(each => engineId === undefined || each.engineId === engineId)
    const running = known.filter(({ sandbox }) => sandbox.kind === 'container' && statusOf(sandbox) === 'RUNNING')
    return { all: known.length, running: running.length }
  }

  /** Begins to start one, and returns it as STARTING. What goes wrong after that shows in its `status_detail`. */
  async create(specId?: string | null, options: CreateOptions = {}): Promise<SandboxInfo> {
    return (await this.#toStart(specId, options)).create(specId, options)
  }

  /** Starts one and waits until it runs. Aborting gives up the start and removes what there is of it. */
  async start(specId?: string | null, options: StartOptions = {}): Promise<SandboxInfo> {
    return (await this.#toStart(specId, options)).start(specId, options)
  }

  /** For a sandbox that may be starting still. @throws what its start failed with, or that it does not run */
  async waitUntilRunning(id: string, options: StartOptions = {}): Promise<SandboxInfo> {
    return (await this.#ofKnown(id)).waitUntilRunning(id, options)
  }

  /** Pausing what does not run is no error. */
  async pause(id: string): Promise<void> {
    await (await this.#ofKnown(id)).pause(id)
  }

  /** Resuming what runs, or is starting, is no error. */
  async resume(id: string): Promise<void> {
    const owner = await this.#ofKnown(id)
    // Until it runs, it is not taken for one that nobody needs.
    const release = owner.hold(id)
    await owner.resume(id).finally(release)
  }

  /** As `EngineSandboxes.delete`. */
  async delete(id: string): Promise<void> {
    const owner = await this.#ofKnown(id)
    await owner.delete(id)
    // An entry that its engine was known under before would show it again, and nobody could delete it.
    for (const each of this.#all()) if (each !== owner) each.cache.giveUp(id)
  }

  /** A provisional one stays. */
  keep(id: string): void {
    this.#of(id).keep(id)
  }

  /** As `EngineSandboxes.abandon`. Never rejects. */
  async abandon(id: string): Promise<void> {
    await this.#of(id).abandon(id)
  }

  /** Until the returned function is called, it is not removed as abandoned. */
  hold(id: string): () => void {
    return this.#of(id).hold(id)
  }

  /** As `RunningLimit.keep`. */
  async keepPlaces(id: string, count: number, { givesWay }: { givesWay: boolean }): Promise<() => void> {
    return (await this.#ofKnown(id)).places.keep(id, count, givesWay)
  }

  /** null for what does not run. */
  async stats(ids: readonly string[]): Promise<(SandboxStats | null)[]> {
    return Promise.all(ids.map(async id => (await (await this.#ofKnown(id)).stats([id]))[0] ?? null))
  }

  /** As `EngineSandboxes.open`. */
  async open(id: string, workingDir?: string): Promise<SandboxHandle> {
    return (await this.#ofKnown(id)).open(id, workingDir)
  }

  /** As `SandboxHandles.look`. */
  async look<T>(id: string, work: (sandbox: SandboxHandle) => Promise<T>, dir?: string): Promise<T | undefined> {
    return (await this.#ofKnown(id)).look(id, work, dir)
  }

  /** As `SandboxHandles.readFolder`. */
  async readFolder(id: string, path: string): Promise<Readable> {
    return (await this.#ofKnown(id)).readFolder(id, path)
  }

  /** Which engine a sandbox is on, or would be removed from; the default one for what is not known. */
  engineOf(id: string): string {
    return this.#owner(id)?.id ?? this.#default.id
  }

  get #default(): { id: string; sandboxes: EngineSandboxes } {
    const [first] = this.#options.engines.all()
    if (!first) throw new Error('There is always a default engine.')
    return first
  }

  #all(): EngineSandboxes[] {
    return this.#options.engines.all().map(({ sandboxes }) => sandboxes)
  }

  #of(id: string): EngineSandboxes {
    return (this.#owner(id) ?? this.#default).sandboxes
  }

  /** One that an engine has told of by now, or that is said to be of it; else the default engine says that it is not there. */
  async #ofKnown(id: string): Promise<EngineSandboxes> {
    if (!this.#owner(id)) await this.#listed()
    return this.#of(id)
  }

  /** One engine may be known under two names, of which one is used: what that says of it counts. */
  #owner(id: string): { id: string; sandboxes: EngineSandboxes } | undefined {
    const engines = this.#options.engines.all().map(each => ({ ...each, how: each.sandboxes.knows(id) }))
    const best = (['reachable', 'unreachable', 'removed'] as const).find(how => engines.some(each => each.how === how))
    return engines.find(({ how }) => how === best)
  }

  async #toStart(specId: string | null | undefined, { copyOf, spec }: CreateOptions): Promise<EngineSandboxes> {
    if (copyOf !== undefined) return this.#ofKnown(copyOf)
    const { engines, specs } = this.#options
    return engines.get(spec?.engineId ?? (await specs.engineOf(specId))).sandboxes
  }

  async #listed(): Promise<void> {
    const [first, ...others] = this.#all()
    const listed = others.map(({ cache }) => cache.ready())
    await Promise.all([first?.cache.ready(), settledWithin(LISTED_MS, Promise.all(listed))])
  }

  /** Newest first, each once: where an engine was known under two entries, as the one that reaches it says, or the default one. */
  #known(): { engineId: string; sandboxes: EngineSandboxes; sandbox: Sandbox }[] {
    const all = this.#options.engines
      .all()
      .flatMap(({ id: engineId, sandboxes }) =>
        sandboxes.cache.list().map(sandbox => ({ engineId, sandboxes, sandbox })),
      )
    const known = new Map<string, (typeof all)[number]>()
    for (const each of all) {
      const before = known.get(each.sandbox.id)
      const isBetter = before?.sandbox.kind === 'unreachable' && each.sandbox.kind !== 'unreachable'
      if (!before || isBetter) known.set(each.sandbox.id, each)
    }
    return [...known.values()].sort(
      ({ sandbox: one }, { sandbox: other }) =>
        other.createdAt.localeCompare(one.createdAt) || other.id.localeCompare(one.id),
    )
  }
}
