import type { SandboxServicesInfo } from '../../api/v1/sandbox/services.ts'
import type { Bus } from '../../bus.ts'
import { type ComposeProject, readProject } from '../../compose/read.ts'
import type { ServicePlan } from '../../compose/service-plan.ts'
import type { EngineConnection } from '../../docker/connection.ts'
import { partLabels, SERVICE_IMAGES } from '../../docker/container/labels.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, isAppError, messageOf } from '../../domain/errors.ts'
import type { SandboxHandle } from '../../domain/sandbox-handle.ts'
import type { Log } from '../../log.ts'
import type { ImageBuilder } from '../build/builder.ts'
import type { SpecImages } from '../build/spec-images.ts'
import type { EngineSandboxes } from '../engine/sandboxes.ts'
import type { SandboxImages } from '../image.ts'
import { shownLog } from '../log/shown.ts'
import type { NetworkAccess } from '../network/access.ts'
import { chosen, named, usable } from './choice.ts'
import type { ServiceContainer } from './container.ts'
import { followSandbox, listServices, removeServices, stopService } from './engine-services.ts'
import { knownServices, servicesInfo } from './info.ts'
import { type ServiceProgress, startSet } from './set.ts'
import { ServiceWatch } from './watch.ts'
import { type KnownService, ServiceWork } from './work.ts'

export interface SandboxServicesOptions {
  connection: EngineConnection
  images: Pick<SandboxImages, 'ensure'>
  builder: Pick<ImageBuilder, 'build'>
  specImages: Pick<SpecImages, 'hold'>
  sandboxes: Pick<EngineSandboxes, 'open' | 'batch' | 'hold'> & { network: Pick<NetworkAccess, 'policyOf'> }
  bus: Bus
  log: Log
  instanceId: string
  /** Roots of the repositories that are worked on in a sandbox, the first conversation's first. */
  foldersOf(sandboxId: string): readonly string[]
  /** Ports at which something listens in a sandbox now. */
  listening(sandbox: SandboxHandle, signal: AbortSignal): Promise<ReadonlySet<number>>
}

/**
 * The project's services beside the sandboxes of one engine: those of the compose file of the repository that is worked on. They belong to the
 * sandbox and not to a conversation, since all that runs in a sandbox shares one network with its ports.
 */
export class SandboxServices {
  readonly #options: SandboxServicesOptions
  readonly #work = new ServiceWork()
  readonly #watch: ServiceWatch
  #closed = false

  constructor(options: SandboxServicesOptions) {
    this.#options = options
    this.#watch = new ServiceWatch({
      ...options,
      isKnown: id => this.#work.has(id),
      onService: id => void this.#noticed(id),
      follow: id => this.#follow(id),
    })
  }

  start(): void {
    this.#watch.start()
  }

  /** @throws AppError sandbox_not_found, engine_unavailable */
  async list(id: string, signal: AbortSignal): Promise<SandboxServicesInfo> {
    const isRunning = await this.#isRunning(id)
    const work = this.#work.of(id)
    if (isRunning) work.project = (await this.#project(id, signal))?.project ?? null
    const engine = this.#options.connection.engine()
    const containers = await this.#containers(id)
    return servicesInfo(engine, { project: work.project, containers, progress: work.progress })
  }

  /** What agents are to know; as it was last seen. */
  known(id: string): readonly KnownService[] {
    return this.#work.known(id)
  }

  /** Begins to start them, all of them if none are named. @throws AppError of the sandbox; not_found, bad_request, conflict */
  async begin(id: string, names: readonly string[] | null, signal: AbortSignal): Promise<SandboxServicesInfo> {
    const found = await this.#project(id, signal)
    const { project, folder } = usable(found)
    const plans = chosen(project, names)
    const work = this.#work.of(id)
    work.project = project
    for (const { name } of plans) work.progress.set(name, { state: 'starting', detail: 'Waiting.' })
    // Also one that waits for its turn is given up by a stop.
    const stopped = work.abort.signal
    const start = () => this.#start(id, { folder, plans, signal: stopped })
    void this.#work.inTurn(id, start).catch(error => this.#failed(id, plans, stopped.aborted ? null : messageOf(error)))
    return this.list(id, signal)
  }

  /**
   * Starts all services of the repository in `folder` and waits until they work. What went wrong is returned as sentences.
   * @throws AppError of the sandbox, and the signal's reason
   */
  async startAll(
    id: string,
    folder: string,
    {
      isTrusted,
      report,
      signal,
    }: {
      /** Of the files that say what is started: others than these are not. */
      isTrusted: (files: ComposeProject['files']) => boolean
      report: (detail: string) => void
      signal: AbortSignal
    },
  ): Promise<string[]> {
    const sandbox = await this.#options.sandboxes.open(id, folder)
    const project = await readProject(sandbox, folder, signal)
    if (!project) return []
    if (project.problem !== null) return [project.problem]
    if (!isTrusted(project.files))
      return ['Its files have changed since they were trusted, so that nothing was started.']
    const work = this.#work.of(id)
    work.project = project
    const { services: plans } = project.plan
    const onReport = (name: string, progress: ServiceProgress | null) => {
      if (progress?.detail && progress.state !== 'failed') report(`${name}: ${progress.detail}`)
    }
    await this.#work.inTurn(id, () => this.#start(id, { folder, plans, onReport, signal }))
    const started = new Set(plans.map(({ name }) => name))
    return work.known.flatMap(({ name, problem }) =>
      started.has(name) && problem !== null ? [`${name}: ${problem}`] : [],
    )
  }

  /** @throws AppError of the sandbox; not_found */
  async stop(id: string, names: readonly string[] | null, signal: AbortSignal): Promise<SandboxServicesInfo> {
    await this.#isRunning(id)
    this.#work.giveUp(id)
    await this.#work.inTurn(id, async () => {
      const wanted = named(await this.#containers(id), names)
      const engine = this.#options.connection.engine()
      for (const { container } of wanted.toReversed()) await stopService(engine, container)
    })
    return this.list(id, signal)
  }

  /** @throws AppError as `stop` and `begin` */
  async restart(id: string, names: readonly string[] | null, signal: AbortSignal): Promise<SandboxServicesInfo> {
    // First, as a file that cannot be used leaves them as they are.
    chosen(usable(await this.#project(id, signal)).project, names)
    await this.#isRunning(id)
    await this.#work.inTurn(id, async () => {
      const engine = this.#options.connection.engine()
      const wanted = names === null ? null : new Set(names)
      for (const { name, container } of (await this.#containers(id)).toReversed()) {
        if (!wanted || wanted.has(name)) await stopService(engine, container)
      }
    })
    return this.begin(id, names, signal)
  }

  /** Throws them away, with all that they have written. @throws AppError sandbox_not_found, engine_unavailable */
  async remove(id: string, signal: AbortSignal): Promise<SandboxServicesInfo> {
    await this.#isRunning(id)
    this.#work.giveUp(id)
    const { connection, instanceId } = this.#options
    await this.#work.inTurn(id, () => removeServices(connection.engine(), instanceId, id))
    this.#work.forget(id)
    return this.list(id, signal)
  }

  /** Of one that is being built or could not be, what the build said. @throws AppError sandbox_not_found, not_found, engine_unavailable */
  async log(id: string, name: string, lines: number): Promise<string> {
    await this.#isRunning(id)
    const containers = await this.#containers(id)
    const built = this.#work.of(id).builds.get(name)
    if (built) return built.slice(-lines).join('\n')
    const [service] = named(containers, [name])
    const containerId = service?.container.id ?? ''
    return (await shownLog(this.#options.connection.engine(), containerId, lines)) ?? ''
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#watch.close()
    await this.#work.close()
  }

  async #start(
    id: string,
    asked: {
      folder: string
      plans: readonly ServicePlan[]
      onReport?: (name: string, progress: ServiceProgress | null) => void
      signal?: AbortSignal
    },
  ): Promise<void> {
    const { connection, images, builder, specImages, instanceId, sandboxes, listening, bus } = this.#options
    const { folder, plans, onReport, signal: asker } = asked
    const work = this.#work.of(id)
    const signal = AbortSignal.any([work.abort.signal, ...(asker ? [asker] : [])])
    signal.throwIfAborted()
    const sandbox = await sandboxes.open(id, folder)
    const report = (name: string, progress: ServiceProgress | null) => {
      if (progress) work.progress.set(name, progress)
      else work.progress.delete(name)
      onReport?.(name, progress)
      bus.publish({ resource: 'sandbox-services', id })
    }
    for (const { name } of plans) work.builds.delete(name)
    const onBuildLine = (name: string, line: string) => {
      const lines = work.builds.get(name) ?? []
      work.builds.set(name, lines)
      if (lines.push(line) > BOUNDS.buildLog.limit) lines.shift()
    }
    const onBuilt = (name: string) => work.builds.delete(name)
    const hasNetwork = sandboxes.network.policyOf(id)?.network === 'full'
    const building = { builder, hasNetwork, onBuildLine, onBuilt }
    const own = { connection, images, instanceId, sandbox, folder, plans, report, signal, ...building }
    const existing = await this.#containers(id)
    // Images come without anything being done in the sandbox.
    const releases = [sandboxes.hold(id), specImages.hold(SERVICE_IMAGES)]
    try {
      await startSet({ ...own, existing, listening: () => listening(sandbox, signal) })
    } finally {
      for (const release of releases) release()
      // Those that were given up in the middle are as the engine has them.
      for (const [name, { state }] of work.progress) if (state !== 'failed') this.#work.forget(id, name)
      await this.#containers(id).catch(() => [])
      bus.publish({ resource: 'sandbox-services', id })
    }
  }

  /** @param reason null where somebody stopped them */
  #failed(id: string, plans: readonly ServicePlan[], reason: string | null): void {
    const { progress } = this.#work.of(id)
    for (const { name } of plans) {
      if (reason === null) progress.delete(name)
      else progress.set(name, { state: 'failed', detail: reason })
    }
    this.#options.bus.publish({ resource: 'sandbox-services', id })
  }

  /** What the engine has started again by itself is no more awake than its sandbox. */
  async #noticed(id: string): Promise<void> {
    const [sandbox] = await this.#options.sandboxes.batch([id])
    if (sandbox?.status === 'PAUSED') return this.#follow(id)
    await this.#work.seen(id, () => this.#containers(id))
    this.#options.bus.publish({ resource: 'sandbox-services', id })
  }

  async #follow(id: string): Promise<void> {
    if (this.#closed) return
    const { connection, instanceId, log } = this.#options
    const [sandbox] = await this.#options.sandboxes.batch([id])
    // It is starting, or there is no engine to ask.
    if (sandbox && (sandbox.unreachable || sandbox.status === 'STARTING')) return
    if (sandbox?.status !== 'RUNNING') this.#work.giveUp(id)
    const follow = async () => {
      const engine = connection.engine()
      const container = await engine.inspectContainer(id)
      if (!container) {
        await removeServices(engine, instanceId, id)
        this.#work.delete(id)
        // One that is there but not known is being removed, or was not listed yet.
      } else if (sandbox) await followSandbox(engine, container, await this.#containers(id))
    }
    await this.#work.inTurn(id, follow).catch(error => {
      if (isAppError(error, 'engine_unavailable')) return
      log.warn({ sandbox: id, error: messageOf(error) }, 'the services of a sandbox could not follow it')
    })
    this.#options.bus.publish({ resource: 'sandbox-services', id })
  }

  async #containers(id: string): Promise<ServiceContainer[]> {
    const { connection, instanceId } = this.#options
    const found = await listServices(connection.engine(), partLabels(instanceId, id))
    const work = this.#work.of(id)
    const seen = { project: work.project, containers: found, progress: work.progress }
    work.known = await knownServices(connection.engine(), seen)
    return found
  }

  /** @throws AppError sandbox_not_found */
  async #isRunning(id: string): Promise<boolean> {
    const [sandbox] = await this.#options.sandboxes.batch([id])
    if (!sandbox) throw new AppError('sandbox_not_found', `There is no sandbox ${id}. Start a new one.`)
    return sandbox.status === 'RUNNING' && !sandbox.unreachable
  }

  /** Of the first folder that has one. @throws AppError of the sandbox */
  async #project(id: string, signal: AbortSignal): Promise<{ project: ComposeProject; folder: string } | null> {
    const { foldersOf, sandboxes } = this.#options
    const known = foldersOf(id)
    // Nobody has begun to work in it.
    const folders = known.length > 0 ? known : [(await sandboxes.open(id)).workingDir]
    for (const folder of folders) {
      const project = await readProject(await sandboxes.open(id, folder), folder, signal)
      if (project) return { project, folder }
    }
    return null
  }
}
