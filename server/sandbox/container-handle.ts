import type { Duplex, Readable } from 'node:stream'
import { unlessAborted } from '../async/unless-aborted.ts'
import { readLabels } from '../docker/container/labels.ts'
import type { ContainerState, Engine } from '../docker/engine.ts'
import type { MemoryKills } from '../domain/memory-kills.ts'
import type { Destination } from '../domain/port-closed.ts'
import type {
  ByteRange,
  CommandRequest,
  CommandResult,
  FileStat,
  NetworkRefusal,
  PipedProcess,
  PipedRequest,
  SandboxHandle,
  TerminalRequest,
  TerminalStream,
  WriteOptions,
} from '../domain/sandbox-handle.ts'
import type { CommandPlace } from './command/command.ts'
import type { KeptShells } from './command/kept-shells.ts'
import { openPiped } from './command/piped-process.ts'
import { openTerminal } from './command/terminal.ts'
import { type ContainerFiles, readFile, statFile, writeFile, writeFiles } from './files/files.ts'
import { streamArchive } from './files/streamed.ts'
import { receiveFile, sendFile } from './files/transfer.ts'
import { runWithMemory } from './memory/command.ts'
import type { SandboxMemory } from './memory/kills.ts'
import type { SandboxNetworks } from './network/networks.ts'
import type { IdlePausing } from './pause/idle-pausing.ts'
import { awakeTerminal, untilClosed } from './pause/streams.ts'
import { SANDBOX } from './spec.ts'

export interface ContainerHandleOptions {
  id: string
  containerId: string
  workingDir: string
  /** As `uid:gid`, whose the files are that it makes; null for root. */
  user: string | null
  /** Asked for each call, so that a handle outlives a restart of the engine. */
  engine: () => Engine
  networks: Pick<SandboxNetworks, 'connect' | 'isClosedTo' | 'ready' | 'refuses'>
  shells: KeptShells
  memory: SandboxMemory
  idle: Pick<IdlePausing, 'use' | 'touch' | 'end'>
}

/** A sandbox in use: the container behind it. */
export class ContainerHandle implements SandboxHandle {
  readonly id: string
  readonly workingDir: string
  readonly #options: ContainerHandleOptions

  constructor(options: ContainerHandleOptions) {
    this.id = options.id
    this.workingDir = options.workingDir
    this.#options = options
  }

  async exec(request: CommandRequest): Promise<CommandResult> {
    const placed = { ...request, cwd: request.cwd ?? this.workingDir }
    return this.#using(async () => {
      const place = await this.#protected(request.signal)
      return runWithMemory(place, placed, { id: this.id, memory: this.#options.memory })
    })
  }

  async openTerminal(request: TerminalRequest): Promise<TerminalStream> {
    const placed = { ...request, cwd: request.cwd ?? this.workingDir }
    const terminal = await this.#using(async () => openTerminal(await this.#protected(request.signal), placed))
    return awakeTerminal(terminal, { id: this.id, idle: this.#options.idle, signal: request.signal })
  }

  /** It is in use until the process ends: somebody waits for what that says, as a push for its pack. */
  async openPiped(request: PipedRequest): Promise<PipedProcess> {
    const placed = { ...request, cwd: request.cwd ?? this.workingDir }
    const release = await this.#options.idle.use(this.id)
    try {
      const process = await openPiped(await this.#protected(request.signal), placed)
      void process.ended.finally(release)
      return process
    } catch (error) {
      release()
      throw error
    }
  }

  async readFile(path: string, options?: { maxBytes?: number }): Promise<Buffer> {
    return this.#using(() => readFile(this.#place(path), options?.maxBytes))
  }

  async writeFile(path: string, content: Buffer, options?: WriteOptions): Promise<void> {
    return this.#using(() => writeFile(this.#place(path), content, options))
  }

  async writeFiles(
    folder: string,
    files: { path: string; content: Buffer; mode?: number }[],
    owner: 'user' | 'root' = 'user',
  ): Promise<void> {
    const place = this.#place(folder)
    return this.#using(() => writeFiles(owner === 'root' ? { ...place, user: null } : place, files))
  }

  async receiveFile(
    path: string,
    content: AsyncIterable<Buffer>,
    signal: AbortSignal,
    options: { onlyNew?: boolean } = {},
  ): Promise<number> {
    return this.#using(() => receiveFile(this.#place(path), content, { signal, ...options }))
  }

  async sendFile(
    path: string,
    rangeOf?: (sizeBytes: number) => ByteRange,
  ): Promise<{ sizeBytes: number; range: ByteRange; content: Readable }> {
    const release = await this.#options.idle.use(this.id)
    return untilClosed(
      () => sendFile(this.#place(path), rangeOf),
      ({ content }) => content,
      release,
    )
  }

  async stat(path: string): Promise<FileStat | undefined> {
    return this.#using(() => statFile(this.#place(path)))
  }

  async readArchive(path: string): Promise<Readable> {
    const place = this.#place(path)
    const release = await this.#options.idle.use(this.id)
    const open = async () => (await streamArchive(place)) ?? place.engine.getArchive(place.containerId, path)
    return untilClosed(open, stream => stream, release)
  }

  async connect(destination: Destination, signal: AbortSignal): Promise<Duplex> {
    const { containerId, networks, idle } = this.#options
    const release = await idle.use(this.id)
    return untilClosed(
      () => networks.connect(containerId, destination, signal),
      stream => stream,
      release,
    )
  }

  memoryKills(): Promise<MemoryKills | null> {
    const { engine, containerId, shells, memory } = this.#options
    return memory.look(this.id, { engine: engine(), containerId, shells })
  }

  refuses(host: string, port: number): Promise<NetworkRefusal | null> {
    const { networks, containerId } = this.#options
    return networks.refuses(containerId, { host, port })
  }

  isClosedTo(host: string, port: number): Promise<boolean> {
    const { networks, containerId } = this.#options
    return networks.isClosedTo(containerId, { host, port })
  }

  /** What was paused for want of use goes on for it, and is not paused meanwhile. */
  async #using<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.#options.idle.use(this.id)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** For a command: its network may be another than it was. */
  async #protected(signal: AbortSignal | undefined): Promise<CommandPlace> {
    const { engine, containerId, networks, shells } = this.#options
    await unlessAborted(networks.ready(containerId), signal)
    return { engine: engine(), containerId, shells }
  }

  #place(path: string): ContainerFiles {
    const { engine, containerId, shells, user } = this.#options
    return { engine: engine(), containerId, shells, user, path }
  }
}

/** @param workingDir where commands run that say nothing else; where its spec says, if it is left out */
export function handleOf(
  { id: containerId, name: id, labels }: ContainerState,
  parts: Pick<ContainerHandleOptions, 'engine' | 'networks' | 'shells' | 'memory' | 'idle'>,
  workingDir?: string,
): SandboxHandle {
  const known = readLabels(labels)
  const folder = workingDir ?? known?.workingDir ?? SANDBOX.workingDir
  return new ContainerHandle({ id, containerId, workingDir: folder, user: known?.user ?? null, ...parts })
}
