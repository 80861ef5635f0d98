import type { Readable } from 'node:stream'
import type { SandboxNetwork } from '../api/network-policy.ts'
import type { ClusterPlace } from '../api/v1/sandbox/cluster.ts'
import type { EngineInfo } from './engine-info.ts'
import type { EngineImage } from './image/inspect.ts'
import type { EngineUsage, UsageOptions } from './usage.ts'

/**
 * What Atelier needs of a container engine, in our own types. `docker/dockerode-engine.ts` is it for what speaks Docker's API,
 * `kubernetes/engine.ts` for a cluster. Every method rejects with AppError: `engine_unavailable` when nothing answers, `image_missing`,
 * `sandbox_not_found` for an unknown container, `engine_failed` otherwise.
 */
export interface Engine {
  readonly endpoint: string
  info(signal?: AbortSignal): Promise<EngineInfo>

  /** The one that has this name now; undefined where there is none. */
  image(reference: string): Promise<EngineImage | undefined>
  /** An image as a tar (docker-save format). Aborting ends it. */
  saveImage(reference: string, signal: AbortSignal): Promise<Readable>
  /** Loads a saved image archive (gzip or plain tar, docker-save format). @throws AppError disk_full */
  loadImage(archive: Readable, signal?: AbortSignal): Promise<void>
  /** Byte-level progress, over all layers; resolves when the image is there. Aborting cancels the pull. */
  pullImage(reference: string, onProgress: (progress: PullProgress) => void, signal?: AbortSignal): Promise<void>
  /** Aborting ends the build in the engine, and leaves no container of it. @throws AppError image_build_failed */
  buildImage(request: BuildRequest, onProgress: (progress: BuildProgress) => void, signal: AbortSignal): Promise<void>

  /**
   * Makes an image of what a container is and has written, whether it runs or not; what is mounted in it is not part of that.
   * The container goes on meanwhile.
   */
  commitContainer(id: string, image: { reference: string; labels: Record<string, string> }): Promise<void>
  /** Where in a container something is mounted: folders of the machine, and volumes. */
  mountedPaths(id: string): Promise<string[]>

  createContainer(request: ContainerRequest): Promise<string>
  startContainer(id: string): Promise<void>
  /** How many processes it may have from now on, also while it runs. */
  limitProcesses(id: string, count: number): Promise<void>
  pauseContainer(id: string): Promise<void>
  unpauseContainer(id: string): Promise<void>
  /** Starts a container that ends by itself, and waits for its end. Aborting removes it. */
  runContainer(id: string, signal: AbortSignal): Promise<ContainerOutcome>
  /** For a container that is on no other network, not even on `none`. */
  connectContainer(id: string, network: NetworkName): Promise<void>
  /** Also one that has stopped. It has to be on the network. */
  disconnectContainer(id: string, network: NetworkName): Promise<void>
  /** Tells it what a sandbox may reach, for rules of its own beside those that are set in the sandbox; absent where it has none. */
  labelNetwork?(id: string, network: SandboxNetwork): Promise<void>
  /** Stops (SIGTERM, then SIGKILL after `graceSeconds`). Already stopped is fine. */
  stopContainer(id: string, graceSeconds: number): Promise<void>
  /** By force, with anonymous volumes. What is gone already is no error. */
  removeContainer(id: string): Promise<void>
  /** undefined when there is no such container. `idOrName` is either. */
  inspectContainer(idOrName: string): Promise<ContainerState | undefined>
  listContainers(labels: Record<string, string>): Promise<ContainerState[]>
  containerStats(id: string): Promise<ContainerStats>
  /** The last lines that it wrote, both outputs together, at most `maxCharacters` of them; null where no log is kept of it. */
  containerLog(id: string, options: { lines: number; maxCharacters: number }): Promise<string | null>
  /** What it has done since it was started. */
  containerWork(id: string): Promise<ContainerWork>

  /** Everything with these labels, of every kind. */
  listObjects(labels: Record<string, string>): Promise<EngineObject[]>
  /** By force. What is gone already is no error. */
  removeObject(object: Pick<EngineObject, 'kind' | 'id'>): Promise<void>

  /** What these containers and all images take of its disk. Slow where it is measured, as the engine adds it up. */
  diskUsage(labels: Record<string, string>, options?: UsageOptions): Promise<EngineUsage>
  /** What this container has written over its image. The engine adds it up, file by file. */
  writtenBytes(id: string): Promise<number>
  /** Takes the name from an image, and removes it with its last one. One that a container needs stays. */
  removeImage(reference: string): Promise<void>

  /**
   * Starts a process and returns its streams. Aborting closes the streams; an engine has no way to kill the process
   * behind them (`sandbox/process.ts` does).
   */
  exec(id: string, request: ExecRequest): Promise<ExecStream>
  putArchive(id: string, path: string, tar: Readable | Buffer): Promise<void>
  /** A tar of what is at `path`, a symbolic link as a link. @throws AppError file_not_found */
  getArchive(id: string, path: string): Promise<Readable>
  /** undefined when nothing is there. Works without starting a process, also while paused. */
  statPath(id: string, path: string): Promise<PathStat | undefined>

  /**
   * Lifecycle events (never of commands) of containers with these labels until closed; reconnects by itself. Calls
   * `onReconnect` whenever it begins to listen, the first time too: what happened before is to be listed then.
   */
  watch(labels: Record<string, string>, listener: EngineListener): EngineWatch
  close(): Promise<void>
}

export interface PullProgress {
  doneBytes: number
  totalBytes: number
  status: string
}

export interface BuildRequest {
  /** A tar, of which `dockerfile` is the path of an entry. It is destroyed when the build ends. */
  context: Readable
  dockerfile: string
  reference: string
  /** Of the image alone, not of what its steps leave. */
  labels: Record<string, string>
  /** The history of the image shows them: never secrets. */
  buildArgs: Record<string, string>
  /** The stage that is built; absent: the last one. */
  target?: string
  /** Of its steps: that of a container, or none. */
  network: 'none' | { of: string }
  memoryBytes: number
  /** 0 is no limit. */
  cpus: number
}

/** `line`: of the log, plain text of a bounded length. `pull`: of a base image. */
export type BuildProgress = { kind: 'line'; line: string } | ({ kind: 'pull' } & PullProgress)

/** Networks that every engine has: the default one, and one without anything. */
export type NetworkName = 'bridge' | 'none'

export interface ContainerRequest {
  name: string
  image: string
  command: string[]
  entrypoint?: string[]
  workingDir: string
  env: Record<string, string>
  labels: Record<string, string>
  /** Container ports, published on 127.0.0.1 with a host port chosen by the engine. */
  ports: number[]
  /** Absent: the image's own. */
  user?: string
  /** Keeps the main process's input open, so that it can wait on it. */
  openStdin?: boolean
  memoryBytes: number
  /** 0 is no limit. */
  cpus: number
  pids: number
  /** Of what it writes over its image, where the engine can hold it to that. */
  diskBytes?: number
  /** Absent: the engine's default. */
  runtime?: string
  capabilities: { drop: string[]; add: string[] }
  network: NetworkName | { of: string }
  /** It sees the processes of the engine's machine, and its users are that machine's. */
  seesHost?: boolean
  /** It ends by itself, is removed then, and writes no files, but for those of `scratch`. */
  isShortLived?: boolean
  /** What a service needs beside all that; absent for every other container. */
  service?: ServiceRequest
  /** Of what its first process writes, which the engine keeps; absent: none of it. */
  logBytes?: number
  /** A folder in memory, whose files every user may write. */
  scratch?: string
  /** Extra /etc/hosts lines, `name:ip`. */
  extraHosts: string[]
  mounts: { hostPath: string; containerPath: string; readOnly: boolean }[]
  volumes?: ContainerVolume[]
  cluster?: ClusterPlace
}

/** Made with the container where it is not there yet; it has these labels then. */
export interface ContainerVolume {
  name: string
  containerPath: string
  readOnly: boolean
  labels: Record<string, string>
}

export interface ServiceRequest {
  /** Absent: the image's own. Times in milliseconds. */
  health?: 'none' | { test: string[]; interval: number; timeout: number; startPeriod: number; retries: number }
  tmpfs: string[]
  shmBytes?: number
  stopGraceSeconds: number
  /** When the engine starts it again by itself, after longer and longer times; absent: never. 0 attempts are any number. */
  restart?: { on: 'failure' | 'end'; attempts: number }
}

export const HEALTH_STATES = ['starting', 'healthy', 'unhealthy'] as const

export const CONTAINER_STATUSES = ['created', 'running', 'paused', 'restarting', 'removing', 'exited', 'dead'] as const
export type ContainerStatus = (typeof CONTAINER_STATUSES)[number]

export interface ContainerState {
  id: string
  name: string
  image: string
  status: ContainerStatus
  exitCode: number | undefined
  createdAt: string
  startedAt: string
  /** Of its main process, on the engine's machine; absent where it does not run, and in a list. */
  pid?: number
  /** Names of the networks that it is on. */
  networks: string[]
  /** As the engine names it; absent in a list. */
  runtime?: string
  /** On the bridge, IPv4; absent where it has none there, and in a list. */
  address?: string
  /** Of its device on the bridge; absent as the address is. */
  hardwareAddress?: string
  labels: Record<string, string>
  /** container port → host port on 127.0.0.1 */
  ports: Record<number, number>
  outOfMemory?: boolean
  /** Absent where nothing asks, and in a list. */
  health?: (typeof HEALTH_STATES)[number]
  /** Why the engine could not start it, or has ended it. */
  error?: string
  /** Where a pause ends its programs: whether it is to be paused by itself nevertheless. */
  pausesWhenIdle?: boolean
  /** How often the engine has started it again by itself, since somebody started it; absent for never, and in a list. */
  restarts?: number
}

/** How a container ended. */
export interface ContainerOutcome {
  exitCode: number
  /** The beginning of what it wrote. */
  stdout: string
  stderr: string
}

export type EngineObjectKind = 'container' | 'network' | 'volume' | 'image'

/** Something that stays in the engine until it is removed. */
export interface EngineObject {
  kind: EngineObjectKind
  id: string
  name: string
  labels: Readonly<Record<string, string>>
  /** Of a container. */
  status?: ContainerStatus
  /** Of an image: id of the one that it is made on, which cannot be removed before it. */
  parent?: string
}

export interface PathStat {
  kind: 'file' | 'directory' | 'link' | 'other'
  sizeBytes: number
  /** Permission bits with set-uid, set-gid and sticky, as in `chmod`. */
  mode: number
  modifiedAt: string
  /** Where a link leads in the end, as an absolute path in the container; it may not exist. */
  target: string | undefined
}

export interface ContainerStats {
  cpuPercent: number
  memoryBytes: number
  memoryLimitBytes: number
  pids: number
}

export interface ContainerWork {
  cpuMilliseconds: number
  /** Over its networks, in both directions. */
  networkBytes: number
}

export interface ExecRequest {
  argv: string[]
  cwd?: string
  env?: Record<string, string>
  user?: string
  tty?: { cols: number; rows: number }
  stdin?: boolean
  signal?: AbortSignal
}

export interface ExecStream {
  /** With a TTY everything arrives on stdout. */
  readonly stdout: Readable
  readonly stderr: Readable
  write(data: string | Buffer): Promise<void>
  endInput(): void
  resize(cols: number, rows: number): Promise<void>
  /** Resolves with its first output or its end at the latest: the engine answers before it has started the process. */
  readonly begun: Promise<void>
  /** The same, and asks the engine: a process may say nothing for long. */
  untilBegun(): Promise<void>
  /** Resolves when the process has ended and its output was read; -1 when the stream was closed or broke before. */
  readonly exitCode: Promise<number>
  close(): void
}

/** A listener must not throw. */
export interface EngineListener {
  onContainer(event: { id: string; name: string; action: string; labels: Record<string, string> }): void
  onReconnect(): void
  onDisconnect(): void
}

export interface EngineWatch {
  close(): void
}
