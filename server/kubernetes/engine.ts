import type { Readable } from 'node:stream'
import type { SandboxNetwork } from '../api/network-policy.ts'
import { getArchive, putArchive, type Start, statPath } from '../docker/command/files.ts'
import type {
  ContainerOutcome,
  ContainerRequest,
  ContainerState,
  ContainerStats,
  ContainerWork,
  Engine,
  EngineListener,
  EngineObject,
  EngineWatch,
  ExecRequest,
  ExecStream,
  PathStat,
  PullProgress,
} from '../docker/engine.ts'
import type { EngineInfo } from '../docker/engine-info.ts'
import type { EngineImage } from '../docker/image/inspect.ts'
import { OpenWatches } from '../docker/life/open-watches.ts'
import type { EngineUsage, UsageOptions } from '../docker/usage.ts'
import { ContainersBeside } from './beside.ts'
import type { ClusterClient } from './client.ts'
import { Containers, type ContainersOptions } from './containers.ts'
import { notOnCluster, translateErrors } from './errors.ts'
import { type CommandPlace, Commands } from './exec/commands.ts'
import { clusterInfo } from './info.ts'
import { MAIN, numericUser } from './pod.ts'
import { PortForwards } from './ports.ts'
import { runToEnd } from './run-to-end.ts'
import type { Found } from './state.ts'
import { ClusterStats } from './stats.ts'
import { UnstartedFiles } from './unstarted-files.ts'
import { diskUsage, measure } from './usage.ts'
import { watchContainers } from './watch.ts'

export interface ClusterOptions extends Omit<ContainersOptions, 'client'> {
  /** Whether an image with this name is one that an engine has made, by a build or of a sandbox. */
  isMade(reference: string): boolean
}

/** A Kubernetes cluster as an engine: its containers are pods, and what a paused one keeps is a volume. */
export class ClusterEngine implements Engine {
  readonly endpoint: string
  readonly #client: ClusterClient
  readonly #containers: Containers
  readonly #commands: Commands
  readonly #beside: ContainersBeside
  readonly #ports: PortForwards
  readonly #isMade: (reference: string) => boolean
  readonly #unstarted = new UnstartedFiles()
  readonly #watches = new OpenWatches()
  readonly #stats: ClusterStats
  /** As `uid:gid`, whom the programs of a container run as; '' where only its image knows. */
  readonly #users = new Map<string, string>()

  constructor(client: ClusterClient, { isMade, ...options }: ClusterOptions) {
    this.endpoint = client.endpoint
    this.#client = client
    this.#isMade = isMade
    this.#containers = new Containers({ ...options, client })
    this.#commands = new Commands(client, async id => (await this.#containers.inspect(id))?.status === 'running')
    this.#beside = new ContainersBeside(this.#commands, id => this.#containers.inspect(id))
    this.#ports = new PortForwards(client)
    this.#stats = new ClusterStats(this.#commands)
  }

  receivedBytes(): number {
    return this.#client.receivedBytes()
  }

  ping(signal: AbortSignal): Promise<void> {
    return translateErrors(
      'Asking the cluster',
      async () => void (await this.#client.request('GET', '/version', { signal })),
    )
  }

  info(signal?: AbortSignal): Promise<EngineInfo> {
    return clusterInfo(this.#client, signal)
  }

  /** Its nodes bring images, each for itself; what they know of one is not to be asked. None has what is to be built first. */
  async image(reference: string): Promise<EngineImage | undefined> {
    if (this.#isMade(reference)) return undefined
    return {
      ...{ id: reference, user: '', env: {}, labels: {}, ports: [], triggers: [], bytes: 0 },
      isFromRegistry: true,
    }
  }

  saveImage(): Promise<Readable> {
    return refuse('give an image away')
  }

  loadImage(): Promise<void> {
    return refuse('load an image from this computer')
  }

  /** The node of the pod pulls it. */
  async pullImage(_reference: string, onProgress: (progress: PullProgress) => void): Promise<void> {
    onProgress({ doneBytes: 0, totalBytes: 0, status: '' })
  }

  buildImage(): Promise<void> {
    return refuse('build an image')
  }

  commitContainer(): Promise<void> {
    return refuse('copy a sandbox')
  }

  async mountedPaths(id: string): Promise<string[]> {
    const { request } = await this.#containers.look(id)
    return request ? [request.workingDir] : []
  }

  async createContainer(request: ContainerRequest): Promise<string> {
    if (typeof request.network !== 'object') return this.#containers.create(request)
    return this.#beside.create(request, request.network.of)
  }

  async startContainer(id: string): Promise<void> {
    if (this.#beside.has(id)) return this.#beside.start(id)
    await this.#containers.start(id)
    await this.#unstarted.write(id, (path, archive) => this.putArchive(id, path, archive))
  }

  /** How many a pod may have is the node's to say. */
  async limitProcesses(): Promise<void> {}

  async pauseContainer(id: string): Promise<void> {
    this.#ports.end(id)
    await this.#containers.pause(id)
    this.#commands.closeOf(id)
  }

  unpauseContainer(id: string): Promise<void> {
    return this.#containers.start(id)
  }

  runContainer(id: string, signal: AbortSignal): Promise<ContainerOutcome> {
    return this.#beside.has(id) ? this.#beside.run(id, signal) : runToEnd(this.#containers, id, signal)
  }

  /** A pod has its network from its start. */
  connectContainer(): Promise<void> {
    return refuse('give a network to a container that was made without one')
  }

  disconnectContainer(): Promise<void> {
    return refuse('take the network from a container')
  }

  labelNetwork(id: string, network: SandboxNetwork): Promise<void> {
    return this.#containers.labelNetwork(id, network)
  }

  async stopContainer(id: string, graceSeconds: number): Promise<void> {
    this.#ports.end(id)
    if (this.#beside.has(id)) return
    await this.#containers.stop(id, graceSeconds)
    this.#commands.closeOf(id)
  }

  async removeContainer(id: string): Promise<void> {
    if (this.#beside.has(id)) return this.#beside.remove(id)
    this.#ports.end(id)
    this.#stats.forget(id)
    this.#users.delete(id)
    this.#unstarted.forget(id)
    await this.#containers.remove(id)
    this.#commands.closeOf(id)
  }

  async inspectContainer(id: string): Promise<ContainerState | undefined> {
    if (this.#beside.has(id)) return this.#beside.inspect(id)
    const { state, request } = await this.#containers.look(id)
    if (state?.status === 'running') return this.#withPorts(state, request)
    this.#ports.end(id)
    return state
  }

  async listContainers(labels: Record<string, string>): Promise<ContainerState[]> {
    const found = await this.#containers.list(labels)
    const states = await Promise.all([...found.values()].map(each => this.#listed(each)))
    return states.filter(state => state !== undefined)
  }

  async #listed(found: Found): Promise<ContainerState | undefined> {
    const { state, request } = this.#containers.known(found)
    return state && this.#withPorts(state, request)
  }

  async #withPorts(state: ContainerState, request: ContainerRequest | undefined): Promise<ContainerState> {
    const { id, status, startedAt } = state
    if (status !== 'running' || !request || request.ports.length === 0) return state
    return { ...state, ports: await this.#ports.of(id, startedAt, request.ports) }
  }

  listObjects(labels: Record<string, string>): Promise<EngineObject[]> {
    return this.#containers.objects(labels)
  }

  async removeObject({ kind, id }: Pick<EngineObject, 'kind' | 'id'>): Promise<void> {
    if (kind === 'container') await this.removeContainer(id)
  }

  diskUsage(labels: Record<string, string>, options?: UsageOptions): Promise<EngineUsage> {
    return diskUsage({ containers: this.#containers, commands: this.#commands }, labels, options)
  }

  async writtenBytes(id: string): Promise<number> {
    const [path = '/'] = await this.mountedPaths(id)
    return measure(this.#commands, { id, container: MAIN }, { path })
  }

  /** Nodes remove images by themselves. */
  async removeImage(): Promise<void> {}

  containerStats(id: string): Promise<ContainerStats> {
    return this.#stats.stats({ id, container: MAIN })
  }

  containerWork(id: string): Promise<ContainerWork> {
    return this.#stats.work({ id, container: MAIN })
  }

  async containerLog(id: string, { lines, maxCharacters }: { lines: number; maxCharacters: number }): Promise<string> {
    const log = await this.#containers.log(id, { container: MAIN, tailLines: lines, limitBytes: maxCharacters * 4 })
    return log.slice(-maxCharacters)
  }

  async exec(id: string, request: ExecRequest): Promise<ExecStream> {
    if (this.#beside.has(id)) return this.#beside.exec(id, request)
    return this.#commands.start(await this.#placeOf(id, request.user), request)
  }

  async putArchive(id: string, path: string, tar: Readable | Buffer): Promise<void> {
    const { status } = (await this.#containers.inspect(id)) ?? {}
    if (status === 'created') return this.#unstarted.keep(id, path, tar)
    return putArchive(this.#starter(id), path, tar)
  }

  getArchive(id: string, path: string): Promise<Readable> {
    return getArchive(this.#starter(id), path)
  }

  statPath(id: string, path: string): Promise<PathStat | undefined> {
    return statPath(this.#starter(id), path)
  }

  watch(labels: Record<string, string>, listener: EngineListener): EngineWatch {
    return this.#watches.add(
      watchContainers(this.#client, {
        labels,
        listener,
        stateOf: found => this.#containers.known(found).state,
      }),
    )
  }

  async close(): Promise<void> {
    this.#watches.close()
    this.#ports.close()
    this.#client.close()
  }

  #starter(id: string): Start {
    return request => this.#commands.start({ id, container: MAIN }, request)
  }

  /** The cluster starts every command as the container's user; another one is taken inside. */
  async #placeOf(id: string, user: string | undefined): Promise<CommandPlace> {
    const place = { id, container: MAIN }
    const wanted = numericUser(user)
    if (!wanted) return place
    const known = this.#users.get(id) ?? (await this.#containers.look(id)).request?.user ?? ''
    this.#users.set(id, known)
    const own = numericUser(known)
    if (own?.uid === wanted.uid && own.gid === wanted.gid) return place
    return { ...place, prefix: ['setpriv', `--reuid=${wanted.uid}`, `--regid=${wanted.gid}`, '--clear-groups', '--'] }
  }
}

async function refuse(what: string): Promise<never> {
  throw notOnCluster(what)
}
