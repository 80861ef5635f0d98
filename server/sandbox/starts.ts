import type { NetworkPolicy } from '../api/network-policy.ts'
import { Paced } from '../async/paced.ts'
import { Semaphore } from '../async/semaphore.ts'
import { SharedTask } from '../async/shared-task.ts'
import type { Bus } from '../bus.ts'
import type { EngineConnection } from '../docker/connection.ts'
import type { ContainerState } from '../docker/engine.ts'
import { AppError, messageOf } from '../domain/errors.ts'
import { randomToken } from '../domain/ids.ts'
import type { Log } from '../log.ts'
import type { SandboxRemovals } from '../store/sandbox/removals.ts'
import { type BootOptions, boot, removeWhole, type StartProgress } from './boot.ts'
import type { SandboxCache } from './cache.ts'
import type { KeptShells } from './command/kept-shells.ts'
import { type CopySource, copySource } from './copy.ts'
import { asLoss } from './folder.ts'
import type { SandboxImages } from './image.ts'
import type { SandboxNetworks } from './network/networks.ts'
import { checkPolicy } from './network/policies.ts'
import type { RunningLimit } from './pause/running-limit.ts'
import type { SandboxDraft } from './prepared/draft.ts'
import { SandboxPool } from './prepared/pool.ts'
import type { PreparedSandbox } from './prepared/sandbox.ts'
import type { Reconciler } from './reconcile/reconciler.ts'
import { cacheFolders } from './shared-cache/volumes.ts'
import { cacheUser, containerRequest, type MountedFolder, SANDBOX, type SandboxSpec } from './spec.ts'
import type { SandboxSpecs } from './specs.ts'
import type { Sandbox } from './state.ts'

const SHOW_PROGRESS_EVERY_MS = 250

/** For what nobody waits for no image is brought. */
const NO_TRANSFERS: BootOptions['images'] = {
  ensure: reference => Promise.reject(new AppError('image_missing', `The engine has no image ${reference}.`)),
}

const NEVER_ABORTED = new AbortController().signal

export interface SandboxStartsOptions {
  engineId: string
  connection: EngineConnection
  log: Log
  instanceId: string
  images: SandboxImages
  networks: SandboxNetworks
  shells: KeptShells
  specs: SandboxSpecs
  cache: SandboxCache
  removals: SandboxRemovals
  reconciler: Pick<Reconciler, 'run' | 'remove'>
  running: Pick<RunningLimit, 'enter' | 'room'>
  bus: Bus
  /** How many sandboxes are prepared at most, before anybody asks for one. */
  preparedLimit(): Promise<number>
}

export interface BeginOptions {
  /** Removed when this service ends, or dies, unless `keep` or `abandon` of `SandboxService` was called for it before. */
  isProvisional?: boolean
  /** A folder of this machine for this sandbox alone. */
  folder?: MountedFolder | undefined
  /** Sandbox that it begins as, in place of what its spec says. */
  copyOf?: string | undefined
  /** In place of one that the person has. */
  spec?: SandboxSpec | undefined
  /** In place of what its spec says. */
  policy?: NetworkPolicy | undefined
  signal?: AbortSignal | undefined
}

type StartDraft = SandboxDraft & { copy: CopySource | undefined; createdAt: string }

type Boot = SharedTask<void, StartProgress>

/**
 * The sandboxes that are being started. One is recorded as abandoned before it is made, and no more once it runs, so that
 * a process that dies in between leaves nothing behind for good.
 */
export class SandboxStarts {
  readonly #options: SandboxStartsOptions
  readonly #boots = new Map<string, Boot>()
  /** Made provisionally, and not kept yet. */
  readonly #provisional = new Set<string>()
  readonly #queue = new Semaphore(() => startsAtOnce(this.#processors))
  /** Reading what is mounted keeps a program in the other sandbox busy. */
  readonly #copies = new Semaphore(() => 1)
  /** Those that nobody has asked for yet. */
  readonly prepared: SandboxPool
  #processors = 0

  constructor(options: SandboxStartsOptions) {
    this.#options = options
    this.prepared = new SandboxPool({
      ...options,
      limit: async () => Math.min(await options.preparedLimit(), options.running.room()),
      newestSpec: () => options.cache.list()[0]?.specId,
      draft: specId => this.#draft(specId),
      boot: (request, report, signal) => this.#start({ request, images: NO_TRANSFERS }, report, signal),
      isStarting: () => this.#boots.size > 0,
    })
  }

  get(id: string): Boot | undefined {
    return this.#boots.get(id)
  }

  isUnderWay(id: string): boolean {
    return this.#boots.has(id) || this.#provisional.has(id) || this.prepared.has(id)
  }

  /** Its maker keeps it, or gives it up. */
  settle(id: string): void {
    this.#provisional.delete(id)
  }

  /** @throws AppError as its spec does, too_many_sandboxes */
  async begin(specId: string | null | undefined, options: BeginOptions): Promise<{ id: string; boot: Boot }> {
    options.signal?.throwIfAborted()
    const draft = await this.#draft(specId, options)
    const leave = await this.#options.running.enter({ copyOf: options.copyOf })
    try {
      options.signal?.throwIfAborted()
      return this.#begin(draft, options)
    } finally {
      // From here on it is known as one that starts.
      leave()
    }
  }

  #begin(draft: StartDraft, options: BeginOptions): { id: string; boot: Boot } {
    const { cache, removals } = this.#options
    const { folder, spec } = options
    const prepared = folder || spec || draft.copy ? undefined : this.prepared.take(draft)
    const { request } = prepared?.draft ?? draft
    const { name: id, labels } = request
    const known = { id, specId: draft.specId, createdAt: draft.createdAt, labels }
    removals.begin(known.id, 'abandoned')
    if (options.isProvisional) this.#provisional.add(known.id)
    cache.put({ ...known, kind: 'booting', detail: 'Starting.' })
    const caches = cacheFolders(request.volumes ?? [], cacheUser(spec ?? {}, folder, request.user))
    const folders = [...(folder ? [] : (spec?.account?.folders ?? [])), ...caches]
    const asked = { request, folder, folders, copy: draft.copy, prepared }
    const task = SharedTask.start<void, StartProgress>((report, abort) => this.#boot(known, asked, report, abort))
    this.#boots.set(known.id, task)
    return { id: known.id, boot: task }
  }

  /** Starts a container that has stopped, when it is its turn. */
  again(containerId: string): Promise<void> {
    const start = () =>
      this.#options.networks.startAgain(containerId).catch(error => {
        throw asLoss(error)
      })
    return this.#queue.run(start, () => {}, NEVER_ABORTED)
  }

  /** Gives up what is starting, and what was prepared. */
  async close(): Promise<void> {
    await Promise.all([this.prepared.close(), ...[...this.#boots.values()].map(each => each.cancel())])
  }

  /** What would be made now, and from which spec. */
  async #draft(
    specId: string | null | undefined,
    { folder, copyOf, policy, spec: given }: BeginOptions = {},
  ): Promise<StartDraft> {
    const { connection, engineId, instanceId, specs, cache, networks } = this.#options
    const engine = connection.info()
    this.#processors = engine.cpus
    const identity = { id: `${SANDBOX.namePrefix}${randomToken(16)}`, instanceId, createdAt: new Date().toISOString() }
    const policyOf = (container: ContainerState) => networks.policyOf(container)
    const copy = copyOf === undefined ? undefined : copySource(cache.get(copyOf), identity.id, policyOf)
    const known =
      given ?? (await (copy ? specs.toCopy(copy.labels, { ...copy, engineId }) : specs.toStart(specId, engineId)))
    const spec = { ...known, ...policy }
    checkPolicy(spec)
    const extra = { folder, user: copy?.labels.user }
    const request = containerRequest(spec, identity, engine, await specs.resourceFactor(), extra)
    // A sandbox that goes through the gateway is admitted there under its id, once it is shown.
    const isPlain = spec.command === null && request.mounts.length === 0 && spec.network !== 'allowlist'
    // Its time would pass before anybody takes it.
    const canWait = isPlain && !spec.cluster.active_deadline_seconds
    const context = await networks.startContext()
    return { specId: spec.id, request, canWait, context, copy, createdAt: identity.createdAt }
  }

  #start(
    asked: Pick<BootOptions, 'request'> & Partial<Pick<BootOptions, 'folder' | 'folders' | 'copy' | 'images'>>,
    report: (progress: StartProgress) => void,
    signal: AbortSignal,
  ): Promise<ContainerState> {
    const nothingElse = { folder: undefined, folders: [], copy: undefined }
    const own = { ...this.#options, queue: this.#queue, copies: this.#copies }
    return boot({ ...own, ...nothingElse, ...asked, report, signal })
  }

  /** undefined where it cannot be used: then nothing is left of it, as far as an engine answers. */
  async #use(
    prepared: PreparedSandbox,
    report: (progress: StartProgress) => void,
    signal: AbortSignal,
  ): Promise<ContainerState | undefined> {
    const { connection, log } = this.#options
    try {
      const container = await prepared.use(report, signal)
      if (!container) await removeWhole(connection.engine(), prepared.id, signal)
      return container
    } catch (error) {
      signal.throwIfAborted()
      log.info({ sandbox: prepared.id, error: messageOf(error) }, 'a prepared sandbox could not be used')
      return undefined
    }
  }

  async #boot(
    { labels, ...known }: Pick<Sandbox, 'id' | 'specId' | 'createdAt'> & Pick<ContainerState, 'labels'>,
    {
      prepared,
      ...asked
    }: Pick<BootOptions, 'request' | 'folder' | 'folders' | 'copy'> & { prepared: PreparedSandbox | undefined },
    report: (progress: StartProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { cache, removals, reconciler, log } = this.#options
    const pace = new Paced(SHOW_PROGRESS_EVERY_MS)
    const show = (progress: StartProgress) => {
      const put = () => cache.put({ ...known, kind: 'booting', detail: progress.detail, labels })
      if (progress.phase === 'image') pace.show(put)
      else pace.showNow(put)
      report(progress)
    }
    try {
      const made = prepared && (await this.#use(prepared, show, signal))
      const container = made ?? (await this.#start(asked, show, signal))
      pace.stop()
      if (!this.#provisional.has(known.id) && !signal.aborted) removals.forget(known.id)
      cache.put({ ...known, kind: 'container', container })
    } catch (error) {
      pace.stop()
      this.#provisional.delete(known.id)
      if (signal.aborted) {
        cache.remove(known.id)
        throw new AppError('sandbox_not_found', 'The sandbox was deleted while it was starting. Start a new one.')
      }
      cache.put({ ...known, kind: 'failed', reason: messageOf(error), labels })
      log.warn({ sandbox: known.id, error: messageOf(error) }, 'starting a sandbox failed')
      throw error
    } finally {
      this.#boots.delete(known.id)
      this.prepared.startEnded()
      if (removals.has(known.id) && !this.#provisional.has(known.id)) void reconciler.run()
    }
  }
}

/**
 * A start keeps about one processor of the engine busy. At least two, since one prepares while the other waits for its
 * disk; at most eight, since the engine does much of it one after the other.
 */
export function startsAtOnce(processors: number): number {
  return Math.min(8, Math.max(2, processors))
}
