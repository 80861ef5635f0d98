import type { SandboxInfo, SandboxStats } from '../api/sandboxes.ts'
import type { Bus } from '../bus.ts'
import type { EngineConnection } from '../docker/connection.ts'
import type { ContainerState } from '../docker/engine.ts'
import { readLabels } from '../docker/labels.ts'
import { AppError, isAppError, messageOf } from '../errors.ts'
import { randomToken } from '../ids.ts'
import type { Log } from '../log.ts'
import { boot, type StartProgress } from './boot.ts'
import { ContainerHandle } from './container-handle.ts'
import type { SandboxHandle } from './handle.ts'
import type { SandboxImages } from './image.ts'
import { type Page, type PageQuery, pageOf } from './page.ts'
import { pace, SharedTask } from './shared-task.ts'
import { containerRequest, EXPOSED_PORTS, SANDBOX } from './spec.ts'
import type { SandboxSpecs } from './specs.ts'
import { assertAllowed, infoOf, type Sandbox, statusOf } from './state.ts'
import { SandboxView } from './view.ts'

const SHOW_PROGRESS_EVERY_MS = 250

export interface SandboxServiceOptions {
  connection: EngineConnection
  bus: Bus
  log: Log
  /** Which data folder this is: sandboxes of another one are not ours. */
  instanceId: string
  images: SandboxImages
  specs: SandboxSpecs
  sessionKeyFor(sandboxId: string): string | null
  agentServerUrl(): string | null
}

export interface StartOptions {
  signal?: AbortSignal
  onProgress?: (progress: StartProgress) => void
}

type Boot = SharedTask<void, StartProgress>

/** The sandboxes of this machine: labelled containers of the engine, started, paused, used and removed here. */
export class SandboxService {
  readonly #options: SandboxServiceOptions
  readonly #view: SandboxView
  readonly #boots = new Map<string, Boot>()

  constructor(options: SandboxServiceOptions) {
    this.#options = options
    this.#view = new SandboxView(options)
  }

  /** Begins to follow the engine; resolves when its sandboxes are known, or when there is no engine. */
  listen(): Promise<void> {
    this.#view.start()
    return this.#view.ready()
  }

  async search(query: PageQuery): Promise<Page<SandboxInfo>> {
    await this.#view.ready()
    const page = pageOf(this.#view.list(), query)
    return { ...page, items: page.items.map(sandbox => this.#info(sandbox)) }
  }

  /** In the order asked for; null for an unknown id. */
  async batch(ids: readonly string[]): Promise<(SandboxInfo | null)[]> {
    await this.#view.ready()
    return ids.map(id => {
      const sandbox = this.#view.get(id)
      return sandbox ? this.#info(sandbox) : null
    })
  }

  /** @throws AppError sandbox_not_found */
  async get(id: string): Promise<SandboxInfo> {
    return this.#info(await this.#find(id))
  }

  runningCount(): number {
    return this.#view.list().filter(sandbox => statusOf(sandbox) === 'RUNNING').length
  }

  /** Begins to start one, and returns it as STARTING. What goes wrong after that shows in its `status_detail`. */
  async create(specId?: string | null): Promise<SandboxInfo> {
    const { id, boot } = await this.#begin(specId)
    boot.join(() => {}).catch(() => {})
    return this.get(id)
  }

  /** Starts one and waits until it runs. Aborting gives up the start and removes what there is of it. */
  async start(specId?: string | null, options: StartOptions = {}): Promise<SandboxInfo> {
    const { id, boot } = await this.#begin(specId, options.signal)
    await boot.join(options.onProgress ?? (() => {}), options.signal)
    return this.get(id)
  }

  /** For a sandbox that may be starting still. @throws what its start failed with, or that it does not run */
  async waitUntilRunning(id: string, options: StartOptions = {}): Promise<SandboxInfo> {
    await this.#boots.get(id)?.join(options.onProgress ?? (() => {}), options.signal)
    assertAllowed('use', await this.#find(id))
    return this.get(id)
  }

  /** Pausing what does not run is no error. */
  async pause(id: string): Promise<void> {
    const sandbox = await this.#find(id)
    if (statusOf(sandbox) === 'PAUSED') return
    assertAllowed('pause', sandbox)
    await this.#change(sandbox, 'PAUSED', container => this.#options.connection.engine().pauseContainer(container.id))
  }

  /** Resuming what runs, or is starting, is no error. */
  async resume(id: string): Promise<void> {
    const sandbox = await this.#find(id)
    const status = statusOf(sandbox)
    if (status === 'RUNNING' || status === 'STARTING') return
    assertAllowed('resume', sandbox)
    await this.#change(sandbox, 'RUNNING', container => {
      const engine = this.#options.connection.engine()
      return container.status === 'paused' ? engine.unpauseContainer(container.id) : engine.startContainer(container.id)
    })
  }

  /** Removes the sandbox with its files, also while it is starting. */
  async delete(id: string): Promise<void> {
    const sandbox = await this.#find(id)
    assertAllowed('delete', sandbox)
    await this.#boots.get(id)?.cancel()
    const now = this.#view.get(id)
    if (now?.kind === 'container') {
      await this.#options.connection.engine().removeContainer(now.container.id).catch(ignoreMissing)
    }
    this.#view.remove(id)
  }

  /** null for what does not run. */
  async stats(ids: readonly string[]): Promise<(SandboxStats | null)[]> {
    await this.#view.ready()
    return Promise.all(ids.map(id => this.#statsOf(this.#view.get(id))))
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
    const engine = () => connection.engine()
    const { id: containerId, labels } = sandbox.container
    const folder = workingDir ?? readLabels(labels)?.workingDir ?? SANDBOX.workingDir
    return new ContainerHandle({ id, containerId, workingDir: folder, engine })
  }

  /** Gives up what is starting; what runs goes on without the service. */
  async close(): Promise<void> {
    await Promise.all([...this.#boots.values()].map(boot => boot.cancel()))
    await this.#view.close()
  }

  async #find(id: string): Promise<Sandbox> {
    await this.#view.ready()
    const sandbox = this.#view.get(id)
    if (sandbox) return sandbox
    throw new AppError('sandbox_not_found', `There is no sandbox ${id}. Start a new one.`)
  }

  #info(sandbox: Sandbox): SandboxInfo {
    return infoOf(sandbox, (id, ports) => ({
      session_api_key: this.#options.sessionKeyFor(id),
      exposed_urls: exposedUrls(this.#options.agentServerUrl(), ports),
    }))
  }

  async #begin(specId?: string | null, signal?: AbortSignal): Promise<{ id: string; boot: Boot }> {
    signal?.throwIfAborted()
    const engine = this.#options.connection.info()
    const { instanceId, specs } = this.#options
    const spec = await specs.toStart(specId)
    const identity = { id: `${SANDBOX.namePrefix}${randomToken(16)}`, instanceId, createdAt: new Date().toISOString() }
    const request = containerRequest(spec, identity, engine, await specs.resourceFactor())
    const known = { id: identity.id, specId: spec.id, createdAt: identity.createdAt }
    this.#view.put({ ...known, kind: 'booting', detail: 'Starting.' })
    const task = SharedTask.start<void, StartProgress>((report, abort) => this.#boot(known, request, report, abort))
    this.#boots.set(identity.id, task)
    return { id: identity.id, boot: task }
  }

  async #boot(
    known: Pick<Sandbox, 'id' | 'specId' | 'createdAt'>,
    request: Parameters<typeof boot>[0]['request'],
    report: (progress: StartProgress) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const { connection, images, log } = this.#options
    const due = pace(SHOW_PROGRESS_EVERY_MS)
    const show = (progress: StartProgress) => {
      if (progress.phase === 'boot' || due()) this.#view.put({ ...known, kind: 'booting', detail: progress.detail })
      report(progress)
    }
    try {
      const container = await boot({ engine: connection.engine(), images, request, report: show, signal })
      this.#view.put({ ...known, kind: 'container', container })
    } catch (error) {
      if (signal.aborted) {
        this.#view.remove(known.id)
        throw new AppError('sandbox_not_found', 'The sandbox was deleted while it was starting. Start a new one.')
      }
      this.#view.put({ ...known, kind: 'failed', reason: messageOf(error) })
      log.warn({ sandbox: known.id, error: messageOf(error) }, 'starting a sandbox failed')
      throw error
    } finally {
      this.#boots.delete(known.id)
    }
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
    await this.#view.refresh(sandbox.id)
    const now = this.#view.get(sandbox.id)
    if (failure && (!now || statusOf(now) !== wanted)) throw failure
  }

  async #statsOf(sandbox: Sandbox | undefined): Promise<SandboxStats | null> {
    if (sandbox?.kind !== 'container' || statusOf(sandbox) !== 'RUNNING') return null
    try {
      const stats = await this.#options.connection.engine().containerStats(sandbox.container.id)
      return {
        sandbox_id: sandbox.id,
        cpu_percent: stats.cpuPercent,
        memory_bytes: stats.memoryBytes,
        memory_limit_bytes: stats.memoryLimitBytes,
        processes: stats.pids,
      }
    } catch {
      // It stopped in the meantime.
      return null
    }
  }
}

function exposedUrls(agentServer: string | null, ports: ContainerState['ports']): SandboxInfo['exposed_urls'] {
  const urls = Object.entries(EXPOSED_PORTS).flatMap(([name, containerPort]) => {
    const port = ports[containerPort]
    return port === undefined ? [] : [{ name, url: `http://127.0.0.1:${port}`, port }]
  })
  if (agentServer === null) return urls
  const port = Number(new URL(agentServer).port || 80)
  return [{ name: 'AGENT_SERVER', url: agentServer, port }, ...urls]
}

function ignoreMissing(error: unknown): void {
  if (!isAppError(error, 'sandbox_not_found')) throw error
}
