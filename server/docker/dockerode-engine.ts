import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { isImageReference } from '../api/v1/sandbox/image-reference.ts'
import { AppError, isAppError } from '../domain/errors.ts'
import { type Machine, thisMachine } from './candidates.mjs'
import type { Client } from './client.ts'
import { startExec } from './command/exec.ts'
import * as inside from './command/files.ts'
import { PauseChanges } from './command/pause-changes.ts'
import { runToEnd } from './command/run-to-end.ts'
import { CommandStarts } from './command/starts.ts'
import { getArchive, putArchive, statPath } from './container/archive.ts'
import { createContainer } from './container/create.ts'
import { listedState } from './container/state.ts'
import type {
  BuildProgress,
  BuildRequest,
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
  NetworkName,
  PathStat,
  PullProgress,
} from './engine.ts'
import type { EngineInfo } from './engine-info.ts'
import { engineError, statusOf, translateErrors } from './errors.ts'
import { buildImage } from './image/build.ts'
import { commitContainer } from './image/commit.ts'
import { type EngineImage, inspectImage } from './image/inspect.ts'
import { loadImage } from './image/load.ts'
import { pull } from './image/pull.ts'
import { saveImage } from './image/save.ts'
import { engineInfo, type SystemInfo } from './info.ts'
import { OpenWatches } from './life/open-watches.ts'
import { containerLog } from './log.ts'
import { listObjects, removeObject } from './objects.ts'
import { cpuPercent, type Sample, StatsSamples, sampleOf, workOf } from './stats.ts'
import { diskUsage, type EngineUsage, removeImage, type UsageOptions, writtenBytes } from './usage.ts'
import { watchContainers } from './watch.ts'

/** These calls take a signal, which the library's published types do not know. */
interface Abortable {
  ping(options: { abortSignal?: AbortSignal }): Promise<unknown>
  info(options: { abortSignal?: AbortSignal }): Promise<SystemInfo>
  version(options: { abortSignal?: AbortSignal }): Promise<Docker.DockerVersion>
}

/** A Docker engine, or anything that speaks its API, through dockerode. */
export class DockerodeEngine implements Engine {
  readonly endpoint: string
  readonly #client: Client
  readonly #docker: Docker
  readonly #abortable: Abortable
  readonly #watches = new OpenWatches()
  readonly #samples = new StatsSamples<Sample>()
  readonly #commands: CommandStarts
  readonly #pauses = new PauseChanges()
  readonly #machine: Machine
  /** Containers that are known to run in the engine's kernel, on an engine that has others too. */
  readonly #inKernel = new Set<string>()
  #info: EngineInfo | undefined
  /** It has refused a limit for the disk of a container. */
  #refusedDiskLimit = false

  /** @param machine whose logins to registries count */
  constructor(endpoint: string, client: Client, machine = thisMachine()) {
    this.endpoint = endpoint
    this.#machine = machine
    this.#client = client
    this.#docker = client.docker
    this.#abortable = client.docker as unknown as Abortable
    this.#commands = new CommandStarts(client.docker)
  }

  /** How many bytes have come from the engine so far: a sign of life beside the ping. */
  receivedBytes(): number {
    return this.#client.traffic.received()
  }

  ping(signal: AbortSignal): Promise<void> {
    return translateErrors('Asking the engine', async () => void (await this.#abortable.ping({ abortSignal: signal })))
  }

  info(signal?: AbortSignal): Promise<EngineInfo> {
    const options = signal ? { abortSignal: signal } : {}
    return translateErrors('Asking the engine', async () => {
      const [info, version] = await Promise.all([this.#abortable.info(options), this.#abortable.version(options)])
      this.#info = engineInfo(info, version)
      return this.#info
    })
  }

  image(reference: string): Promise<EngineImage | undefined> {
    return inspectImage(this.#docker, reference)
  }

  saveImage(reference: string, signal: AbortSignal): Promise<Readable> {
    return saveImage(this.#docker, reference, signal)
  }

  loadImage(archive: Readable, signal?: AbortSignal): Promise<void> {
    return translateErrors('Loading the image', () => loadImage(this.#docker, archive, signal))
  }

  pullImage(reference: string, onProgress: (progress: PullProgress) => void, signal?: AbortSignal): Promise<void> {
    return pull(this.#docker, reference, { onProgress, machine: this.#machine, signal })
  }

  buildImage(request: BuildRequest, onProgress: (progress: BuildProgress) => void, signal: AbortSignal): Promise<void> {
    return buildImage(this.#docker, request, onProgress, signal)
  }

  commitContainer(id: string, image: { reference: string; labels: Record<string, string> }): Promise<void> {
    return translateErrors('Copying the sandbox', () => commitContainer(this.#docker, id, image))
  }

  async mountedPaths(id: string): Promise<string[]> {
    const { Mounts } = await translateErrors('Looking at a sandbox', () => this.#docker.getContainer(id).inspect())
    return Mounts.map(({ Destination }) => Destination)
  }

  createContainer(request: ContainerRequest): Promise<string> {
    return translateErrors(
      'Creating the sandbox',
      async () => {
        if (!isImageReference(request.image)) throw new AppError('image_missing', 'No image has such a name.')
        const info = this.#info ?? (await this.info())
        const { diskBytes, ...unlimited } = request
        const asked = diskBytes !== undefined && !this.#refusedDiskLimit ? request : unlimited
        const { id, isDiskLimited } = await createContainer(this.#docker, asked, info)
        this.#refusedDiskLimit ||= asked === request && !isDiskLimited
        return id
      },
      { 404: 'image_missing' },
    )
  }

  startContainer(id: string): Promise<void> {
    return translateErrors('Starting the sandbox', () => this.#docker.getContainer(id).start())
  }

  runContainer(id: string, signal: AbortSignal): Promise<ContainerOutcome> {
    return translateErrors('Running a program beside the sandbox', () => runToEnd(this.#docker, id, signal))
  }

  connectContainer(id: string, network: NetworkName): Promise<void> {
    return translateErrors('Connecting the sandbox', () => this.#docker.getNetwork(network).connect({ Container: id }))
  }

  disconnectContainer(id: string, network: NetworkName): Promise<void> {
    const what = { Container: id, Force: true }
    return translateErrors('Disconnecting the sandbox', () => this.#docker.getNetwork(network).disconnect(what))
  }

  limitProcesses(id: string, count: number): Promise<void> {
    const update = async () => void (await this.#docker.getContainer(id).update({ PidsLimit: count }))
    return translateErrors('Limiting the processes', update)
  }

  pauseContainer(id: string): Promise<void> {
    return this.#pauses.change(id, () => this.#commands.pause(id))
  }

  unpauseContainer(id: string): Promise<void> {
    const resume = () => translateErrors('Resuming the sandbox', () => this.#docker.getContainer(id).unpause())
    return this.#pauses.change(id, resume)
  }

  async stopContainer(id: string, graceSeconds: number): Promise<void> {
    try {
      await this.#docker.getContainer(id).stop({ t: graceSeconds })
    } catch (error) {
      if (statusOf(error) !== 304) throw engineError('Stopping the sandbox', error)
    }
  }

  removeContainer(id: string): Promise<void> {
    this.#samples.forget(id)
    this.#inKernel.delete(id)
    return this.removeObject({ kind: 'container', id })
  }

  inspectContainer(idOrName: string): Promise<ContainerState | undefined> {
    return this.#commands.inspect(idOrName)
  }

  async listContainers(labels: Record<string, string>): Promise<ContainerState[]> {
    const label = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
    const found = await translateErrors('Listing sandboxes', () =>
      this.#docker.listContainers({ all: true, filters: { label } }),
    )
    const states = await Promise.all(found.map(container => this.#lookAt(container)))
    return states.filter(state => state !== undefined)
  }

  /** The list lacks the exit code; one that went away since then is not there any more. */
  async #lookAt(listed: Docker.ContainerInfo): Promise<ContainerState | undefined> {
    try {
      return await this.#commands.inspectListed(listed)
    } catch (error) {
      if (isAppError(error, 'engine_unavailable')) throw error
      return listedState(listed)
    }
  }

  listObjects(labels: Record<string, string>): Promise<EngineObject[]> {
    return translateErrors('Listing what belongs to sandboxes', () => listObjects(this.#docker, labels))
  }

  removeObject(object: Pick<EngineObject, 'kind' | 'id'>): Promise<void> {
    return removeObject(this.#docker, object)
  }

  diskUsage(labels: Record<string, string>, options?: UsageOptions): Promise<EngineUsage> {
    return translateErrors('Adding up what the engine’s disk holds', () => diskUsage(this.#docker, labels, options))
  }

  writtenBytes(id: string): Promise<number> {
    return translateErrors('Measuring what a sandbox has written', () => writtenBytes(this.#docker, id))
  }

  removeImage(reference: string): Promise<void> {
    return removeImage(this.#docker, reference)
  }

  async containerStats(id: string): Promise<ContainerStats> {
    const { before, now } = await this.#samples.pair(id, () => this.#sample(id))
    return { cpuPercent: cpuPercent(before, now), ...now.stats }
  }

  containerLog(id: string, options: { lines: number; maxCharacters: number }): Promise<string | null> {
    return containerLog(this.#docker, id, options)
  }

  async containerWork(id: string): Promise<ContainerWork> {
    return workOf(await this.#reading(id))
  }

  async #sample(id: string): Promise<Sample> {
    return sampleOf(await this.#reading(id), Date.now())
  }

  #reading(id: string): Promise<Docker.ContainerStats> {
    const container = this.#docker.getContainer(id)
    return translateErrors('Measuring the sandbox', () => container.stats({ stream: false, 'one-shot': true }))
  }

  exec(id: string, request: ExecRequest): Promise<ExecStream> {
    return this.#commands.start(id, () => startExec(this.#client, id, request))
  }

  async putArchive(id: string, path: string, tar: Readable | Buffer): Promise<void> {
    if (await this.#keepsFiles(id)) return inside.putArchive(this.#asRoot(id), path, tar)
    return putArchive(this.#docker, { id, path }, tar)
  }

  async getArchive(id: string, path: string): Promise<Readable> {
    if (await this.#keepsFiles(id)) return inside.getArchive(this.#asRoot(id), path)
    return getArchive(this.#docker, { id, path, engine: this.#info?.name })
  }

  async statPath(id: string, path: string): Promise<PathStat | undefined> {
    if (await this.#keepsFiles(id)) return inside.statPath(this.#asRoot(id), path)
    return statPath(this.#docker, { id, path, engine: this.#info?.name })
  }

  /** Whether the engine neither sees nor changes what its programs see: those of a running gVisor or virtual machine. */
  async #keepsFiles(id: string): Promise<boolean> {
    const own = this.#info?.runtimes.filter(({ hasKernelNetwork }) => !hasKernelNetwork) ?? []
    if (own.length === 0 || this.#inKernel.has(id)) return false
    const state = await this.inspectContainer(id)
    const isOwn = own.some(({ name }) => name === state?.runtime)
    if (state && !isOwn) this.#inKernel.add(id)
    return isOwn && state?.status === 'running'
  }

  #asRoot(id: string): inside.Start {
    return request => this.exec(id, { ...request, user: '0:0' })
  }

  watch(labels: Record<string, string>, listener: EngineListener): EngineWatch {
    return this.#watches.add(watchContainers(this.#docker, labels, listener))
  }

  async close(): Promise<void> {
    this.#watches.close()
    this.#client.close()
  }
}
