import type { Duplex, Readable } from 'node:stream'
import { unlessAborted } from '../async/unless-aborted.ts'
import { readLabels } from '../docker/container/labels.ts'
import type { ContainerState, Engine } from '../docker/engine.ts'
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
import { type CommandPlace, runCommand } from './command/command.ts'
import type { KeptShells } from './command/kept-shells.ts'
import { openPiped } from './command/piped-process.ts'
import { openTerminal } from './command/terminal.ts'
import { type ContainerFiles, readFile, statFile, writeFile, writeFiles } from './files/files.ts'
import { streamArchive } from './files/streamed.ts'
import { receiveFile, sendFile } from './files/transfer.ts'
import type { SandboxNetworks } from './network/networks.ts'
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
    return runCommand(await this.#protected(request.signal), { ...request, cwd: request.cwd ?? this.workingDir })
  }

  async openTerminal(request: TerminalRequest): Promise<TerminalStream> {
    return openTerminal(await this.#protected(request.signal), {
      ...request,
      cwd: request.cwd ?? this.workingDir,
    })
  }

  async openPiped(request: PipedRequest): Promise<PipedProcess> {
    return openPiped(await this.#protected(request.signal), {
      ...request,
      cwd: request.cwd ?? this.workingDir,
    })
  }

  async readFile(path: string, options?: { maxBytes?: number }): Promise<Buffer> {
    return readFile(this.#place(path), options?.maxBytes)
  }

  async writeFile(path: string, content: Buffer, options?: WriteOptions): Promise<void> {
    return writeFile(this.#place(path), content, options)
  }

  async writeFiles(
    folder: string,
    files: { path: string; content: Buffer; mode?: number }[],
    owner: 'user' | 'root' = 'user',
  ): Promise<void> {
    const place = this.#place(folder)
    return writeFiles(owner === 'root' ? { ...place, user: null } : place, files)
  }

  async receiveFile(
    path: string,
    content: AsyncIterable<Buffer>,
    signal: AbortSignal,
    options: { onlyNew?: boolean } = {},
  ): Promise<number> {
    return receiveFile(this.#place(path), content, { signal, ...options })
  }

  async sendFile(
    path: string,
    rangeOf?: (sizeBytes: number) => ByteRange,
  ): Promise<{ sizeBytes: number; range: ByteRange; content: Readable }> {
    return sendFile(this.#place(path), rangeOf)
  }

  async stat(path: string): Promise<FileStat | undefined> {
    return statFile(this.#place(path))
  }

  async readArchive(path: string): Promise<Readable> {
    const place = this.#place(path)
    return (await streamArchive(place)) ?? place.engine.getArchive(place.containerId, path)
  }

  connect(destination: Destination, signal: AbortSignal): Promise<Duplex> {
    return this.#options.networks.connect(this.#options.containerId, destination, signal)
  }

  refuses(host: string, port: number): Promise<NetworkRefusal | null> {
    const { networks, containerId } = this.#options
    return networks.refuses(containerId, { host, port })
  }

  isClosedTo(host: string, port: number): Promise<boolean> {
    const { networks, containerId } = this.#options
    return networks.isClosedTo(containerId, { host, port })
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
  parts: Pick<ContainerHandleOptions, 'engine' | 'networks' | 'shells'>,
  workingDir?: string,
): SandboxHandle {
  const known = readLabels(labels)
  const folder = workingDir ?? known?.workingDir ?? SANDBOX.workingDir
  return new ContainerHandle({ id, containerId, workingDir: folder, user: known?.user ?? null, ...parts })
}
