import type { Duplex, Readable } from 'node:stream'
import type { MemoryKills } from './memory-kills.ts'
import type { Destination } from './port-closed.ts'

/** A program or a library that is carried into a sandbox, by its name alone. */
export interface ProgramFile {
  name: string
  content: Buffer
}

/**
 * What tools, the start steps and git see of a running sandbox. Paths are absolute POSIX paths in the sandbox.
 * Every method rejects with AppError `sandbox_not_running` or `sandbox_not_found` when the sandbox cannot serve.
 */
export interface SandboxHandle {
  readonly id: string
  readonly workingDir: string
  /** Runs to the end and returns the output; never rejects for a non-zero exit code. Aborting kills the process. */
  exec(request: CommandRequest): Promise<CommandResult>
  /** A long-lived process on a pseudo terminal. */
  openTerminal(request: TerminalRequest): Promise<TerminalStream>
  /** A long-lived process on pipes. It outlives the signal, which only gives its start up. */
  openPiped(request: PipedRequest): Promise<PipedProcess>
  /** @throws AppError file_not_found, file_too_large (over `maxBytes`, default 10 MiB), bad_request for a directory */
  readFile(path: string, options?: { maxBytes?: number }): Promise<Buffer>
  /** Atomic: a temporary file beside it, then a rename. Keeps the mode of an existing file; creates parent folders. */
  writeFile(path: string, content: Buffer, options?: WriteOptions): Promise<void>
  /** Unpacks files under `folder`, which is created. They belong to the sandbox's user, unless they are to be root's. */
  writeFiles(
    folder: string,
    files: { path: string; content: Buffer; mode?: number }[],
    owner?: 'user' | 'root',
  ): Promise<void>
  /**
   * Writes a file as it arrives, in one step in the end. @returns its size
   * @throws AppError bad_request for a folder; conflict where something is there and `onlyNew` is said
   */
  receiveFile(
    path: string,
    content: AsyncIterable<Buffer>,
    signal: AbortSignal,
    options?: { onlyNew?: boolean },
  ): Promise<number>
  /**
   * A file's bytes as they come; to be read to the end or destroyed. `sizeBytes` is that of the whole file.
   * @throws AppError file_not_found, bad_request, and what `rangeOf` throws
   */
  sendFile(
    path: string,
    rangeOf?: (sizeBytes: number) => ByteRange,
  ): Promise<{ sizeBytes: number; range: ByteRange; content: Readable }>
  stat(path: string): Promise<FileStat | undefined>
  /** A tar stream of a folder with everything in it, under its own name. @throws AppError file_not_found */
  readArchive(path: string): Promise<Readable>
  /** A connection to what listens in it, or to what it may reach. @throws PortClosed where nothing answers */
  connect(destination: Destination, signal: AbortSignal): Promise<Duplex>
  /** null where that cannot be read. Never rejects. */
  memoryKills(): Promise<MemoryKills | null>
  /** Why its programs do not reach a host at this port; null where they may, or where the host is not known. */
  refuses(host: string, port: number): Promise<NetworkRefusal | null>
  /** Whether that would be `policy`, known without looking the name up. */
  isClosedTo(host: string, port: number): Promise<boolean>
}

/**
 * `policy`: the network that the sandbox was given does not lead there. `private`: it is this machine or one of its network,
 * which a person may open in the settings.
 */
export type NetworkRefusal = 'policy' | 'private'

/** SHA-256 in hexadecimal digits of what the file has to be, null where there has to be none; else AppError conflict. */
export interface WriteOptions {
  replaces?: string | null
}

/** Bytes of a file from the first one on. */
export interface ByteRange {
  start: number
  length: number
}

export interface CommandRequest {
  argv: string[]
  cwd?: string
  env?: Record<string, string>
  stdin?: string | Buffer
  /** Each of stdout and stderr is cut after this many bytes (default 1 MiB); the process goes on. */
  maxBytes?: number
  /** How the outputs become text; `latin1` keeps each byte as one character. The default is `utf8`. */
  encoding?: 'utf8' | 'latin1'
  /** When it is ended, which is no error: the result says so. Without it `limitMs` holds. */
  timeoutMs?: number
  /**
   * For what runs on nobody's word: beyond this time, or BOUNDS.sandboxCommandOutput, it is ended and the call rejects with
   * AppError `command_stopped`. The default is BOUNDS.sandboxCommand.
   */
  limitMs?: number
  /**
   * Whether a person, an agent or a repository wrote it. It may leave programs behind that go on writing, so its outputs are
   * its own, and end when the last of them does. Where the sandbox ran out of memory meanwhile, they end by saying so.
   */
  isForeign?: boolean
  signal?: AbortSignal
  /** Called with each piece of output as it comes. */
  onOutput?: (text: string, from: 'stdout' | 'stderr') => void
}

export interface CommandResult {
  /** -1 when the time-out ended it. */
  exitCode: number
  stdout: string
  stderr: string
  timedOut: boolean
}

export interface TerminalRequest {
  argv: string[]
  cwd?: string
  env?: Record<string, string>
  cols: number
  rows: number
  signal?: AbortSignal
}

export interface TerminalStream {
  /** Of the process in the sandbox; its session has the same number. */
  readonly pid: number
  onData(listener: (chunk: Buffer) => void): () => void
  /** Holds the process up once the engine has taken what fits on the way. Chunks that have come already are not taken back. */
  pause(): void
  resume(): void
  /** Resolves when the bytes are handed over; a process that has ended takes none, which is no error. */
  write(data: string | Buffer): Promise<void>
  resize(cols: number, rows: number): Promise<void>
  /** Resolves with the exit code when the process ends or the stream breaks (-1). */
  readonly ended: Promise<number>
  close(): void
}

/** Arguments show in the engine's events and inspection: what is secret goes through the input. */
export interface PipedRequest {
  argv: string[]
  cwd?: string
  signal?: AbortSignal
}

export interface PipedProcess {
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when the bytes are handed over; a process that has ended takes none, which is no error. */
  write(data: string): Promise<void>
  /** The exit code when the process has ended and its output was read; -1 when the stream broke. */
  readonly ended: Promise<number>
  /** Ends the process with what it started: asks first, then kills. Always resolves. */
  close(): Promise<void>
}

export interface FileStat {
  /** Where it lies: for a link what it leads to in the end. Links in the folders before it are not looked at. */
  path: string
  kind: 'file' | 'directory' | 'other'
  sizeBytes: number
  mode: number
  modifiedAt: string
}
