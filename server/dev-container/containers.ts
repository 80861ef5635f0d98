import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { DevContainerOffer } from '../api/v1/sandbox/dev-containers.ts'
import type { EngineConnection } from '../docker/connection.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError, isAppError, messageOf } from '../domain/errors.ts'
import type { WorkspaceSource } from '../domain/start-plan.ts'
import { SANDBOX, type SandboxSpec, specOf } from '../sandbox/spec.ts'
import { readConfiguration } from './cli/run.ts'
import { withComposeService } from './compose-service.ts'
import { COMMANDS, parseConfiguration, type ReadConfiguration } from './configuration.ts'
import { DevContainerImages, type DevContainerImagesOptions, type ImageListener, type ImageSource } from './images.ts'
import { bytesOf, type ImageOrigin, leftOutOf, originOf, portAttributesOf, portsOf } from './plan.ts'
import { type ImageRecord, ImageRecords } from './record.ts'
import { type SourceOptions, withTree } from './source.ts'
import type { RepositoryTree } from './tree.ts'

interface Dependencies extends Omit<SourceOptions, 'homes'>, Omit<DevContainerImagesOptions, 'records' | 'connection'> {
  dataDir: string
  connection: Pick<EngineConnection, 'engine' | 'info'>
  /** Hosts that the person has allowed for everybody. */
  allowedHosts: () => readonly string[]
}

/** A dev container whose image is there: what its sandbox is made from, and what runs in it once the repository is there. */
export interface ReadyDevContainer {
  name: string
  spec: SandboxSpec
  /** Where the repository is to lie in the sandbox. */
  folder: string
  commands: ImageRecord['commands']
  leftOut: string[]
}

/** Dev containers that repositories and folders describe: https://containers.dev. Nothing of them runs on this machine. */
export class DevContainers {
  readonly #dependencies: Dependencies
  readonly #images: DevContainerImages
  /** What a call needs meanwhile lies in it. */
  readonly #homes: string
  readonly #closing = new AbortController()
  readonly #calls = new Set<Promise<unknown>>()
  #tidied: Promise<void> = Promise.resolve()

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
    const folder = join(dependencies.dataDir, 'dev-containers')
    this.#homes = join(folder, '.open')
    this.#images = new DevContainerImages({ ...dependencies, records: new ImageRecords(folder) })
  }

  /** Removes what a process left that was killed meanwhile. */
  start(): void {
    this.#tidied = rm(this.#homes, { recursive: true, force: true }).catch(() => {})
  }

  /** Ends what is read now, and waits for it. */
  async close(): Promise<void> {
    this.#closing.abort(new AppError('unavailable', 'Atelier is closing.'))
    await Promise.allSettled([this.#tidied, ...this.#calls])
  }

  /** @throws AppError in words for what cannot be read at all; what is wrong with one offer stands in it */
  look(source: WorkspaceSource, signal: AbortSignal): Promise<DevContainerOffer[]> {
    return this.#read(source, signal, async ({ tree, home, signal }) => {
      const offers: DevContainerOffer[] = []
      for (const path of configurationsIn(tree)) offers.push(await this.#offer({ tree, home, path, signal }))
      return offers
    })
  }

  /**
   * Makes its image where that is missing. @param path of its configuration in the repository
   * @throws AppError bad_request and not_found in words, and those of images and engine
   */
  prepare(
    source: WorkspaceSource,
    path: string,
    { signal, ...listener }: ImageListener & { signal: AbortSignal },
  ): Promise<ReadyDevContainer> {
    listener.report({ detail: 'Reading the dev container.' })
    return this.#read(source, signal, async ({ tree, home, signal }) => {
      const found = await this.#parse({ tree, home, path, signal })
      const record = await this.#images.ensure(found, listener, signal)
      return readyOf(found.read, { record, path, tree, engine: this.#dependencies.connection.info() })
    })
  }

  async #offer(place: Place): Promise<DevContainerOffer> {
    const { path } = place
    try {
      const read = await this.#configuration(place, false)
      const { configuration } = read
      const origin = problemOr(() => originOf(configuration, path))
      return {
        ...described(read, path),
        image: origin.value?.kind === 'image' ? origin.value.image : null,
        dockerfile: origin.value?.kind === 'dockerfile' ? origin.value.dockerfile : null,
        problem: origin.problem,
        image_ready: origin.value ? await this.#isReady({ tree: place.tree, origin: origin.value, read }) : null,
      }
    } catch (error) {
      place.signal.throwIfAborted()
      if (!isAppError(error, 'bad_request') && !isAppError(error, 'too_large')) throw error
      return { ...NOTHING, path, name: path, problem: messageOf(error) }
    }
  }

  async #isReady(source: {
    tree: RepositoryTree
    origin: ImageOrigin
    read: ReadConfiguration
  }): Promise<boolean | null> {
    try {
      return (await this.#images.find(source)) !== undefined
    } catch {
      return null
    }
  }

  async #parse(place: Place): Promise<ImageSource> {
    const { tree, path, home } = place
    if (!configurationsIn(tree).includes(path)) {
      throw new AppError('not_found', `There is no ${path} in what the conversation begins with. Look for it again.`)
    }
    const read = await this.#configuration(place, false)
    const withFeatures = () => this.#configuration(place, true)
    return { tree, read, withFeatures, home, origin: originOf(read.configuration, path) }
  }

  async #configuration({ tree, home, path, signal }: Place, withFeatures: boolean): Promise<ReadConfiguration> {
    const file = tree.find(path)
    if (!file || file.sizeBytes > BOUNDS.devContainerConfiguration.limit) {
      throw new AppError('too_large', `${path} is too large to be read.`)
    }
    const workspace = join(home, 'repository', tree.name)
    await mkdir(workspace, { recursive: true })
    const own = [...tree.within('.devcontainer'), ...(path === '.devcontainer.json' ? [file] : [])]
    await tree.writeFiles(own, workspace, signal)
    const allowedHosts = this.#dependencies.allowedHosts()
    const printed = await readConfiguration({ home, workspace, path, withFeatures, allowedHosts, signal })
    const read = parseConfiguration(printed)
    return { ...read, configuration: await withComposeService(read.configuration, { path, tree, signal }) }
  }

  #read<T>(source: WorkspaceSource, asked: AbortSignal, work: (place: Omit<Place, 'path'>) => Promise<T>): Promise<T> {
    const signal = AbortSignal.any([asked, this.#closing.signal])
    const call = this.#withHome(async home => {
      const inTree = (tree: RepositoryTree) => work({ tree, home, signal })
      return withTree(source, { ...this.#dependencies, homes: this.#homes }, { work: inTree, signal })
    })
    this.#calls.add(call)
    const forget = () => this.#calls.delete(call)
    call.then(forget, forget)
    return call
  }

  async #withHome<T>(work: (home: string) => Promise<T>): Promise<T> {
    await this.#tidied
    await mkdir(this.#homes, { recursive: true, mode: 0o700 })
    const home = await mkdtemp(join(this.#homes, 'read-'))
    try {
      return await work(home)
    } finally {
      await rm(home, { recursive: true, force: true, maxRetries: 3 })
    }
  }
}

interface Place {
  tree: RepositoryTree
  home: string
  path: string
  signal: AbortSignal
}

/** In the order in which tools look for them: https://containers.dev/implementors/spec/#devcontainerjson */
function configurationsIn(tree: RepositoryTree): string[] {
  const known = ['.devcontainer/devcontainer.json', '.devcontainer.json'].filter(path => tree.find(path))
  const named = tree.files
    .map(({ path }) => path)
    .filter(path => /^\.devcontainer\/[^/]+\/devcontainer\.json$/.test(path))
  return [...known, ...named.sort()].slice(0, BOUNDS.devContainerOffers.limit)
}

const NOTHING = {
  image: null,
  dockerfile: null,
  features: [],
  user: null,
  commands: [],
  variables: [],
  ports: [],
  port_attributes: [],
  left_out: [],
  image_ready: null,
}

function described({ configuration }: ReadConfiguration, path: string) {
  const { name, features, remoteUser, containerUser, containerEnv, remoteEnv } = configuration
  return {
    path,
    name: name || path,
    features: Object.keys(features ?? {}),
    user: remoteUser ?? containerUser ?? null,
    commands: COMMANDS.filter(each => configuration[each]),
    variables: [...new Set([...Object.keys(containerEnv ?? {}), ...Object.keys(remoteEnv ?? {})])],
    ports: portsOf(configuration),
    port_attributes: portAttributesOf(configuration),
    left_out: leftOutOf(configuration).map(({ property, reason }) => ({ property, reason })),
  }
}

function problemOr<T>(work: () => T): { value: T; problem: null } | { value: null; problem: string } {
  try {
    return { value: work(), problem: null }
  } catch (error) {
    return { value: null, problem: messageOf(error) }
  }
}

function readyOf(
  { configuration, workspaceFolder }: ReadConfiguration,
  {
    record,
    path,
    tree,
    engine,
  }: { record: ImageRecord; path: string; tree: RepositoryTree; engine: { memoryBytes: number } },
): ReadyDevContainer {
  const name = configuration.name || path
  const folder = folderFor(workspaceFolder, tree.name)
  const workingDir = posix.dirname(folder)
  const isRoot = record.user.startsWith('0:')
  const spec: SandboxSpec = {
    ...specOf(record.image, name),
    id: `dev-container:${path}`,
    workingDir,
    initialEnv: record.env,
    limits: limitsOf(configuration, engine),
    ...(!isRoot && {
      account: { user: record.user, home: record.home, folders: [...(workingDir === '/' ? [] : [workingDir]), folder] },
    }),
  }
  const { commands, leftOut } = record
  return { name, spec, folder, commands, leftOut }
}

/** Folders in which only the system's own files lie are not a repository's to choose. */
const TAKEN = /^\/(?:bin|boot|dev|etc|lib\d*|proc|run|sbin|sys|usr|var)(?:\/|$)/

function folderFor(asked: string, name: string): string {
  const folder = posix.normalize(asked).replace(/\/+$/, '')
  const isPlain = /^(?:\/[\w.@+-]+)+$/.test(folder) && !folder.split('/').includes('..')
  return isPlain && !TAKEN.test(folder) ? folder : `/workspaces/${name}`
}

/** It may ask for more than a sandbox has, and gets that up to the share of the machine that any sandbox gets. */
function limitsOf({ hostRequirements }: ReadConfiguration['configuration'], engine: { memoryBytes: number }) {
  const memory = Math.min(bytesOf(hostRequirements?.memory) ?? 0, engine.memoryBytes * SANDBOX.memoryShare)
  const cpus = hostRequirements?.cpus ?? 0
  return {
    memory_bytes: memory > SANDBOX.memoryBytes ? Math.floor(memory) : null,
    cpus: cpus > SANDBOX.cpus ? cpus : null,
    pids: null,
    disk_bytes: null,
  }
}
