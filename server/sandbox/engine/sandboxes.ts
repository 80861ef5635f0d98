import type { Readable } from 'node:stream'
import type { SandboxInfo, SandboxStats } from '../../api/v1/sandbox/sandboxes.ts'
import type { Bus } from '../../bus.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { instanceLabels } from '../../docker/container/labels.ts'
import type { ContainerState } from '../../docker/engine.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { Log } from '../../log.ts'
import type { SandboxNetworkTable } from '../../store/sandbox/networks.ts'
import type { StartProgress } from '../boot.ts'
import { SandboxCache } from '../cache.ts'
import { KeptShells } from '../command/kept-shells.ts'
import { exposedUrls } from '../exposed-urls.ts'
import { NetworkAccess } from '../network/access.ts'
import { SandboxNetworks } from '../network/networks.ts'
import { SandboxNotes } from '../notes.ts'
import type { IdlePausingOptions } from '../pause/idle-options.ts'
import { IdlePausing } from '../pause/idle-pausing.ts'
import { pauseEndsPrograms } from '../pause/programs.ts'
import { RunningLimit, type RunningLimitOptions } from '../pause/running-limit.ts'
import { StateChanges } from '../pause/state-changes.ts'
import type { LastKnown } from '../reconcile/last-known.ts'
import { isDoomed, type RemovalReason } from '../reconcile/reconcile.ts'
import { Reconciler } from '../reconcile/reconciler.ts'
import { type BeginOptions, SandboxStarts, type SandboxStartsOptions } from '../starts.ts'
import { assertAllowed, infoOf, type Sandbox, sandboxOf, statusOf } from '../state.ts'
import { statsOf } from '../stats.ts'
import { SandboxHandles } from './handles.ts'
import { SandboxHolds } from './holds.ts'

export interface EngineSandboxesOptions
  extends Pick<SandboxStartsOptions, 'engineId' | 'preparedLimit' | 'images' | 'specs' | 'removals'>,
    Pick<IdlePausingOptions, 'idlePauses' | 'idleMinutes' | 'minuteMs'>,
    Pick<RunningLimitOptions, 'runningLimit'> {
  connection: EngineConnection
  bus: Bus
  log: Log
  /** Which data folder this is: sandboxes of another one are not ours. */
  instanceId: string
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

/** The sandboxes of one engine: its labelled containers, started, paused, used and removed here. */
export class EngineSandboxes {
  readonly #options: EngineSandboxesOptions
  readonly #cache: SandboxCache
  readonly #reconciler: Reconciler
  readonly #starts: SandboxStarts
  readonly #states: StateChanges
  readonly #networks: SandboxNetworks
  readonly #notes: SandboxNotes
  readonly #shells = new KeptShells()
  readonly network: NetworkAccess
  readonly idle: IdlePausing
  readonly places: Pick<RunningLimit, 'keep'>
  readonly #holds: SandboxHolds
  readonly #handles: SandboxHandles

  constructor(options: EngineSandboxesOptions) {
    this.#options = options
    this.#holds = new SandboxHolds(id => void (options.removals.has(id) && this.#reconciler.run()))
    const isHeld = (id: string) => this.#starts.isUnderWay(id) || this.#holds.has(id)
    this.#reconciler = new Reconciler({ ...options, isHeld })
    this.#cache = new SandboxCache({
      ...options,
      prepared: () => this.#starts.prepared,
      isToGo: id => isDoomed(id, this.#reconciler.wanted),
      onUnstarted: () => void this.#reconciler.run(),
      onOutOfMemory: id => this.#notes.memory.noticed(id),
    })
    const sandboxes = () => this.#cache.list()
    this.#networks = new SandboxNetworks({ ...options, sandboxes, hold: name => this.hold(name) })
    this.network = new NetworkAccess({
      networks: this.#networks,
      find: id => this.#find(id),
      refresh: id => this.#cache.refresh(id),
      known: id => this.#cache.get(id),
    })
    this.#notes = new SandboxNotes({ ...options, sandboxes, limitOf: specId => options.specs.diskLimit(specId) })
    this.idle = new IdlePausing({
      ...options,
      ...{ sandboxes, isHeld, holds: (id: string) => this.#holds.count(id), shells: this.#shells },
      get: id => this.#cache.get(id),
      ready: () => this.#cache.ready(),
      pause: async id => this.#states.pause(await this.#find(id)),
      resume: async id => this.#states.resume(await this.#find(id)),
      onChange: id => options.bus.publish({ resource: 'sandbox', id }),
    })
    const inside = { memory: this.#notes.memory, idle: this.idle, networks: this.#networks, shells: this.#shells }
    this.#handles = new SandboxHandles({ ...inside, connection: options.connection, find: id => this.#find(id) })
    const onEntered = () => this.#starts.prepared.startEnded()
    const running = new RunningLimit({ ...options, sandboxes, idle: this.idle, onEntered })
    this.places = running
    const own = { cache: this.#cache, networks: this.#networks, shells: this.#shells, reconciler: this.#reconciler }
    this.#starts = new SandboxStarts({ ...options, ...own, running })
    this.#states = new StateChanges({ ...options, ...own, running, again: id => this.#starts.again(id) })
  }

  /** Begins to follow the engine; resolves when its sandboxes are known, or when there is no engine. */
  listen(): Promise<void> {
    this.#networks.start()
    this.#cache.start()
    this.#reconciler.start()
    this.#starts.prepared.start()
    this.#notes.start()
    this.idle.start()
    return this.#cache.ready()
  }

  /** Its sandboxes as they are known now, newest first, and when that is what the engine says. */
  get cache(): Pick<SandboxCache, 'adopt' | 'giveUp' | 'list' | 'ready'> {
    return this.#cache
  }

  /** `removed`: it is to be removed from this engine, and is not shown any more. */
  knows(id: string): 'reachable' | 'unreachable' | 'removed' | 'not' {
    const sandbox = this.#cache.get(id)
    if (sandbox) return sandbox.kind === 'unreachable' ? 'unreachable' : 'reachable'
    return this.#options.removals.has(id) ? 'removed' : 'not'
  }

  /** Those that the engine has now, also what is not shown yet. @throws AppError engine_unavailable */
  async held(): Promise<string[]> {
    const { connection, instanceId } = this.#options
    const containers = await connection.engine().listContainers(instanceLabels(instanceId))
    const ids = containers.flatMap(container => sandboxOf(container)?.id ?? [])
    return ids.filter(id => !isDoomed(id, this.#reconciler.wanted) && !this.#starts.prepared.has(id))
  }

  /** In the order asked for; null for an unknown id. */
  async batch(ids: readonly string[]): Promise<(SandboxInfo | null)[]> {
    await this.#cache.ready()
    return ids.map(id => this.#cache.get(id) ?? null).map(sandbox => sandbox && this.info(sandbox))
  }

  /** @throws AppError sandbox_not_found */
  async get(id: string): Promise<SandboxInfo> {
    return this.info(await this.#find(id))
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
    await this.#handles.usable(id)
    return this.get(id)
  }

  /** Pausing what does not run is no error. */
  async pause(id: string): Promise<void> {
    await this.idle.settled(id)
    this.idle.forget(id)
    await this.#states.pause(await this.#find(id))
  }

  /** Resuming what runs, or is starting, is no error. */
  async resume(id: string): Promise<void> {
    await this.idle.settled(id)
    await this.#states.resume(await this.#find(id))
    this.idle.forget(id)
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
    const isRunning = statusOf(await this.#find(id)) === 'RUNNING'
    if (!this.isUsed(id) && !isRunning && !this.idle.isPausedHere(id)) await this.delete(id)
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
    return this.#holds.begin(id)
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
    return this.#handles.open(id, workingDir)
  }

  /** As `SandboxHandles.look`. */
  async look<T>(id: string, work: (sandbox: SandboxHandle) => Promise<T>, dir?: string): Promise<T | undefined> {
    return this.#handles.look(id, work, dir)
  }

  /** As `SandboxHandles.readFolder`. */
  async readFolder(id: string, path: string): Promise<Readable> {
    return this.#handles.readFolder(id, path)
  }

  /** Gives up what is starting; what runs goes on without the service. */
  async close(): Promise<void> {
    this.#notes.close()
    await this.idle.close()
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

  info(sandbox: Sandbox): SandboxInfo {
    const access = (id: string, ports: ContainerState['ports']) => ({
      session_api_key: this.#options.sessionKeyFor(id),
      exposed_urls: exposedUrls(this.#options.agentServerUrl(), ports),
    })
    const note = this.idle.noteOn(sandbox.id) ?? this.#notes.on(sandbox.id)
    const { engineId, connection } = this.#options
    const how = { resumesByItself: this.idle.isPausedHere(sandbox.id), endsPrograms: pauseEndsPrograms(connection) }
    return infoOf(sandbox, access, { engineId, note, ...how })
  }
}
