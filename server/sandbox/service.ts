import type { SandboxInfo, SandboxStats } from '../api/v1/sandbox/sandboxes.ts'
import type { Bus } from '../bus.ts'
import type { EngineConnection } from '../docker/connection.ts'
import type { ContainerState } from '../docker/engine.ts'
import { AppError, isAppError, messageOf } from '../domain/errors.ts'
import type { SandboxHandle } from '../domain/sandbox-handle.ts'
import type { Log } from '../log.ts'
import { type Page, type PageQuery, pageOf } from '../paging/page.ts'
import type { SandboxNetworkTable } from '../store/sandbox/networks.ts'
import type { SandboxRemovals } from '../store/sandbox/removals.ts'
import type { StartProgress } from './boot.ts'
import { SandboxCache } from './cache.ts'
import { KeptShells } from './command/kept-shells.ts'
import { handleOf } from './container-handle.ts'
import { SandboxDiskUse } from './disk-use.ts'
import { exposedUrls } from './exposed-urls.ts'
import type { SandboxImages } from './image.ts'
import { NetworkAccess } from './network/access.ts'
import { SandboxNetworks } from './network/networks.ts'
import type { LastKnown } from './reconcile/last-known.ts'
import { isDoomed, type RemovalReason } from './reconcile/reconcile.ts'
import { Reconciler } from './reconcile/reconciler.ts'
import type { SandboxSpecs } from './specs.ts'
import { type BeginOptions, SandboxStarts, type SandboxStartsOptions } from './starts.ts'
import { assertAllowed, assertReachable, infoOf, type Sandbox, statusOf } from './state.ts'
import { statsOf } from './stats.ts'

export interface SandboxServiceOptions extends Pick<SandboxStartsOptions, 'preparedLimit'> {
  connection: EngineConnection
  bus: Bus
  log: Log
  /** Which data folder this is: sandboxes of another one are not ours. */
  instanceId: string
  images: SandboxImages
  specs: SandboxSpecs
  removals: SandboxRemovals
  lastKnown: LastKnown
  policies: SandboxNetworkTable
  allowedHosts(): readonly string[]
  sessionKeyFor(sandboxId: string): string | null
  agentServerUrl(): string | null
}

export type CreateOptions = Omit<BeginOptions, 'signal'>

export interface StartOptions extends CreateOptions {
  signal?: AbortSignal
  onProgress?: (progress: StartProgress) => void
}

/** The sandboxes of this machine: labelled containers of the engine, started, paused, used and removed here. */
export class SandboxService {
  readonly #options: SandboxServiceOptions
  readonly #cache: SandboxCache
  readonly #reconciler: Reconciler
  readonly #starts: SandboxStarts
  readonly #networks: SandboxNetworks
  readonly #diskUse: SandboxDiskUse
  readonly #shells = new KeptShells()
  readonly network: NetworkAccess
  /** How many things under way need a sandbox. */
  readonly #holds = new Map<string, number>()

  constructor(options: SandboxServiceOptions) {
    this.#options = options
    const isHeld = (id: string) => this.#starts.isUnderWay(id) || this.#holds.has(id)
    this.#reconciler = new Reconciler({ ...options, isHeld })
    this.#cache = new SandboxCache({
      ...options,
      prepared: () => this.#starts.prepared,
      isToGo: id => isDoomed(id, this.#reconciler.wanted),
      onUnstarted: () => void this.#reconciler.run(),
    })
    const sandboxes = () => this.#cache.list()
    this.#networks = new SandboxNetworks({ ...options, sandboxes, hold: name => this.hold(name) })
    this.network = new NetworkAccess({
      networks: this.#networks,
      find: id => this.#find(id),
      refresh: id => this.#cache.refresh(id),
      known: id => this.#cache.get(id),
    })
    this.#diskUse = new SandboxDiskUse({
      ...options,
      sandboxes,
      limitOf: specId => options.specs.diskLimit(specId),
      onChange: id => options.bus.publish({ resource: 'sandbox', id }),
    })
    const own = { cache: this.#cache, networks: this.#networks, shells: this.#shells, reconciler: this.#reconciler }
    this.#starts = new SandboxStarts({ ...options, ...own })
  }

  /** Begins to follow the engine; resolves when its sandboxes are known, or when there is no engine. */
  listen(): Promise<void> {
    this.#networks.start()
    this.#cache.start()
    this.#reconciler.start()
    this.#starts.prepared.start()
    this.#diskUse.start()
    return this.#cache.ready()
  }

  async search(query: PageQuery): Promise<Page<SandboxInfo>> {
    await this.#cache.ready()
    const page = pageOf(this.#cache.list(), query)
    return { ...page, items: page.items.map(sandbox => this.#info(sandbox)) }
  }

  /** In the order asked for; null for an unknown id. */
  async batch(ids: readonly string[]): Promise<(SandboxInfo | null)[]> {
    await this.#cache.ready()
    return ids.map(id => {
      const sandbox = this.#cache.get(id)
      return sandbox ? this.#info(sandbox) : null
    })
  }

  /** @throws AppError sandbox_not_found */
  async get(id: string): Promise<SandboxInfo> {
    return this.#info(await this.#find(id))
  }

  runningCount(): number {
    return this.#cache.list().filter(sandbox => sandbox.kind === 'container' && statusOf(sandbox) === 'RUNNING').length
  }

  /** Begins to start one, and returns it as STARTING. What goes wrong after that shows in its `status_detail`. */
  async create(specId?: string | null, options: CreateOptions = {}): Promise<SandboxInfo> {
    const { id, boot } = await this.#starts.begin(specId, options)
    boot.join(() => {}).catch(() => {})
    return this.get(id)
  }

  /** Starts one and waits until it runs. Aborting gives up the start and removes what there is of it. */
  async start(specId?: string | null, options: StartOptions = {}): Promise<SandboxInfo> {
    const { id, boot } = await this.#starts.begin(specId, options)
    await boot.join(options.onProgress ?? (() => {}), options.signal)
    return this.get(id)
  }

  /** For a sandbox that may be starting still. @throws what its start failed with, or that it does not run */
  async waitUntilRunning(id: string, options: StartOptions = {}): Promise<SandboxInfo> {
    await this.#starts.get(id)?.join(options.onProgress ?? (() => {}), options.signal)
    assertAllowed('use', await this.#find(id))
    return this.get(id)
  }

  /** Pausing what does not run is no error. */
  async pause(id: string): Promise<void> {
    const sandbox = await this.#find(id)
    assertReachable(sandbox)
    if (statusOf(sandbox) === 'PAUSED') return
    assertAllowed('pause', sandbox)
    await this.#change(sandbox, 'PAUSED', container => {
      this.#shells.closeOf(container.id)
      return this.#options.connection.engine().pauseContainer(container.id)
    })
  }

  /** Resuming what runs, or is starting, is no error. */
  async resume(id: string): Promise<void> {
    const sandbox = await this.#find(id)
    assertReachable(sandbox)
    const status = statusOf(sandbox)
    if (status === 'RUNNING' || status === 'STARTING') return
    assertAllowed('resume', sandbox)
    await this.#change(sandbox, 'RUNNING', async ({ id: containerId, status: before }) => {
      if (before !== 'paused') return this.#starts.again(containerId)
      await this.#networks.ready(containerId)
      await this.#options.connection.engine().unpauseContainer(containerId)
    })
  }

  /**
   * Removes the sandbox with its files, also while it is starting. An engine that goes away meanwhile finishes it when it
   * is back.
   */
  async delete(id: string): Promise<void> {
    assertAllowed('delete', await this.#find(id))
    await this.#remove(id, 'deleted')
  }

  /** Whether a conversation works in it, or something under way needs it. */
  isUsed(id: string): boolean {
    return this.#options.removals.isUsed(id) || this.#starts.isUnderWay(id) || this.#holds.has(id)
  }

  /** Unless it is used meanwhile, or runs. @throws AppError sandbox_not_found */
  async deleteUnused(id: string): Promise<void> {
    const sandbox = await this.#find(id)
    if (!this.isUsed(id) && statusOf(sandbox) !== 'RUNNING') await this.delete(id)
  }

  /** A provisional one stays. */
  keep(id: string): void {
    this.#options.removals.forget(id)
    this.#starts.settle(id)
  }

  /**
   * Removes it unless a conversation works in it, or something under way holds it; later, where no engine answers now.
   * Never rejects.
   */
  async abandon(id: string): Promise<void> {
    await this.#remove(id, 'abandoned').catch(error =>
      this.#options.log.warn({ sandbox: id, error: messageOf(error) }, 'a sandbox could not be removed yet'),
    )
  }

  /** Until the returned function is called, it is not removed as abandoned. */
  hold(id: string): () => void {
    this.#holds.set(id, (this.#holds.get(id) ?? 0) + 1)
    let isHeld = true
    return () => {
      const count = this.#holds.get(id) ?? 0
      if (isHeld && count > 1) this.#holds.set(id, count - 1)
      else if (isHeld) this.#holds.delete(id)
      isHeld = false
      if (this.#options.removals.all.has(id)) void this.#reconciler.run()
    }
  }

  /** null for what does not run. */
  async stats(ids: readonly string[]): Promise<(SandboxStats | null)[]> {
    await this.#cache.ready()
    return Promise.all(ids.map(id => statsOf(this.#cache.get(id), this.#options.connection)))
  }

  /**
   * Commands run in `workingDir`, else where its spec says, unless they say otherwise.
   * @throws AppError sandbox_not_found, sandbox_not_running
   */
  async open(id: string, workingDir?: string): Promise<SandboxHandle> {
    const sandbox = await this.#find(id)
    assertAllowed('use', sandbox)
    if (sandbox.kind !== 'container') throw new AppError('sandbox_not_running', 'The sandbox is not running.')
    const { connection } = this.#options
    const own = { engine: () => connection.engine(), networks: this.#networks, shells: this.#shells }
    return handleOf(sandbox.container, own, workingDir)
  }

  /** Gives up what is starting; what runs goes on without the service. */
  async close(): Promise<void> {
    this.#diskUse.close()
    this.#shells.close()
    await this.#starts.close()
    await this.#reconciler.close()
    await this.#networks.close()
    await this.#cache.close()
  }

  async #remove(id: string, reason: RemovalReason): Promise<void> {
    const { removals, log } = this.#options
    try {
      removals.begin(id, reason)
    } catch (error) {
      // A full disk must not keep anybody from deleting what fills it.
      log.warn({ sandbox: id, error: messageOf(error) }, 'the removal of a sandbox could not be recorded')
    }
    this.#starts.settle(id)
    await this.#starts.get(id)?.cancel()
    if (removals.isUsed(id) && reason === 'abandoned') removals.forget(id)
    if (!isDoomed(id, this.#reconciler.wanted)) return
    this.#cache.remove(id)
    this.#networks.forgetPolicy(id)
    await this.#reconciler.remove(id).catch(error => {
      if (!isAppError(error, 'engine_unavailable')) throw error
    })
  }

  async #find(id: string): Promise<Sandbox> {
    await this.#cache.ready()
    const sandbox = this.#cache.get(id)
    if (sandbox) return sandbox
    throw new AppError('sandbox_not_found', `There is no sandbox ${id}. Start a new one.`)
  }

  #info(sandbox: Sandbox): SandboxInfo {
    const access = (id: string, ports: ContainerState['ports']) => ({
      session_api_key: this.#options.sessionKeyFor(id),
      exposed_urls: exposedUrls(this.#options.agentServerUrl(), ports),
    })
    return infoOf(sandbox, access, this.#diskUse.noteOn(sandbox.id))
  }

  /** Someone else may do the same at the same time: what counts is the state in the end. */
  async #change(
    sandbox: Sandbox,
    wanted: 'RUNNING' | 'PAUSED',
    act: (container: ContainerState) => Promise<void>,
  ): Promise<void> {
    if (sandbox.kind !== 'container') return
    let failure: unknown
    await act(sandbox.container).catch(error => {
      failure = error
    })
    await this.#cache.refresh(sandbox.id)
    const now = this.#cache.get(sandbox.id)
    if (failure && (!now || statusOf(now) !== wanted)) throw failure
  }
}
