import type { TerminalFrame } from '../api/v1/sandbox/terminal-frames.ts'
import type { TerminalChanges, TerminalInfo } from '../api/v1/sandbox/terminals.ts'
import { settledWithin } from '../async/settled-within.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'
import type { SandboxHandle, TerminalStream } from '../domain/sandbox-handle.ts'
import { TerminalInput } from './input.ts'
import { KeptOutput } from './kept-output.ts'
import { TAKE_MODES_BACK } from './modes.ts'
import { Pace } from './pace.ts'
import { foregroundProgram, SHELL_ARGV, SHELL_ENV } from './shell.ts'
import { type Viewer, type ViewerSink, Viewers } from './viewers.ts'

/** A shell is asked to end, then killed. */
const CLOSE_MS = 6_000

/** Between the screens of two shells. */
const NEXT_SHELL = Buffer.from(`${TAKE_MODES_BACK}\r\n`)

/** Somebody who shows the terminal and may type into it. */
export interface AttachedViewer extends Viewer {
  /** @throws AppError too_large, conflict when its shell has ended */
  type(bytes: Buffer): void
  /** What its terminal answers to a program's question. Of several viewers, the one that was used last is heard. */
  answer(text: string): void
  resize(cols: number, rows: number): void
}

interface Given {
  id: string
  sandboxId: string
  name: string
  cwd: string | null
  cols: number
  rows: number
  onChange: () => void
}

type Shell = { stream: TerminalStream; input: TerminalInput; sandbox: SandboxHandle }

/**
 * One shell of a person in a sandbox, on a pseudo terminal, with what it has shown. It runs whether or not somebody shows
 * it; when somebody does, no faster than the fastest of them.
 */
export class Terminal {
  readonly id: string
  readonly sandboxId: string
  readonly #cwd: string | null
  readonly #createdAt = new Date().toISOString()
  readonly #onChange: () => void
  readonly #output = new KeptOutput(BOUNDS.terminalScreen.limit)
  readonly #viewers: Viewers
  readonly #pace = new Pace(BOUNDS.terminalOutputRate.limit)
  #name: string
  #size: { cols: number; rows: number }
  #shell: Shell | undefined
  #exitCode: number | null = null
  /** Whose answers and size count. */
  #used: Viewer | undefined
  #resizing: Promise<unknown> | undefined
  /** When output flows again; undefined while it does. */
  #resumeAt: NodeJS.Timeout | undefined

  constructor({ id, sandboxId, name, cwd, cols, rows, onChange }: Given) {
    this.id = id
    this.sandboxId = sandboxId
    this.#name = name
    this.#cwd = cwd
    this.#size = { cols, rows }
    this.#onChange = onChange
    const size = () => this.#size
    this.#viewers = new Viewers({ output: this.#output, size, onProgress: () => this.#flow() })
  }

  get name(): string {
    return this.#name
  }

  get hasStarted(): boolean {
    return this.#shell !== undefined || this.#output.end > 0
  }

  get isRunning(): boolean {
    return this.#shell !== undefined
  }

  info(): TerminalInfo {
    return {
      id: this.id,
      sandbox_id: this.sandboxId,
      name: this.#name,
      ...this.#size,
      cwd: this.#cwd,
      status: this.#shell ? 'running' : 'ended',
      exit_code: this.#exitCode,
      created_at: this.#createdAt,
    }
  }

  /** @throws AppError sandbox_not_running, file_not_found, command_failed */
  async start(sandbox: SandboxHandle, signal: AbortSignal): Promise<void> {
    const stream = await sandbox.openTerminal({
      argv: SHELL_ARGV,
      env: SHELL_ENV,
      ...(this.#cwd !== null && { cwd: this.#cwd }),
      ...this.#size,
      signal,
    })
    if (this.#output.end > 0) this.#output.append(NEXT_SHELL)
    const input = new TerminalInput(bytes => stream.write(bytes))
    const shell: Shell = { stream, input, sandbox }
    this.#shell = shell
    this.#exitCode = null
    stream.onData(chunk => this.#receive(chunk))
    void stream.ended.then(exitCode => this.#end(shell, exitCode))
    this.#viewers.restart()
    this.#onChange()
  }

  update({ name, cols, rows }: TerminalChanges): void {
    if (name !== undefined) this.#name = name
    this.#resize(cols ?? this.#size.cols, rows ?? this.#size.rows)
    this.#onChange()
  }

  attach(sink: ViewerSink): AttachedViewer {
    const viewer = this.#viewers.attach(sink)
    if (!this.#shell) sink.tell(this.#endedFrame())
    else if (this.#output.isPartOfScreenLost()) this.#redraw()
    this.#used = viewer
    return {
      acknowledge: viewer.acknowledge,
      detach: viewer.detach,
      type: bytes => {
        this.#used = viewer
        this.#running().input.add(bytes, () => sink.tell({ type: 'typed', bytes: bytes.length }))
      },
      answer: text => {
        if (this.#used === viewer) this.#shell?.input.add(Buffer.from(text), () => {})
      },
      resize: (cols, rows) => {
        this.#used = viewer
        this.#resize(cols, rows)
      },
    }
  }

  /** The program that would end with it; undefined when its shell waits for a command. */
  async program(): Promise<string | undefined> {
    const shell = this.#shell
    return shell && foregroundProgram(shell.sandbox, shell.stream.pid)
  }

  /** Ends the shell with what runs in it. Never rejects. */
  async close(): Promise<void> {
    const shell = this.#shell
    if (!shell) return
    shell.stream.resume()
    shell.stream.close()
    await settledWithin(CLOSE_MS, shell.stream.ended)
    this.#end(shell, -1)
  }

  #running(): Shell {
    if (this.#shell) return this.#shell
    throw new AppError('conflict', 'The shell has ended. Start a new one.')
  }

  #receive(chunk: Buffer): void {
    this.#output.append(chunk)
    this.#viewers.notice()
    this.#pace.take(chunk.length)
    this.#flow()
  }

  /** Lets the program go on, unless all who show it are behind. */
  #flow(): void {
    if (!this.#shell) return
    const heldMs = this.#viewers.heldMs()
    const waitMs = Math.max(heldMs, this.#pace.take(0))
    if (waitMs > 0) return this.#hold(waitMs)
    clearTimeout(this.#resumeAt)
    this.#resumeAt = undefined
    this.#shell.stream.resume()
  }

  #hold(milliseconds: number): void {
    this.#shell?.stream.pause()
    clearTimeout(this.#resumeAt)
    this.#resumeAt = setTimeout(() => this.#flow(), milliseconds + 1)
  }

  #resize(cols: number, rows: number): void {
    if (cols === this.#size.cols && rows === this.#size.rows) return
    this.#size = { cols, rows }
    this.#viewers.tell({ type: 'size', cols, rows })
    void this.#applySize()
  }

  /** One request to the engine at a time, and after it another for what was wanted meanwhile. */
  async #applySize(): Promise<void> {
    if (this.#resizing) return
    for (let applied: object | undefined; this.#shell && applied !== this.#size; ) {
      const size = this.#size
      this.#resizing = this.#shell.stream.resize(size.cols, size.rows).catch(() => {})
      await this.#resizing
      applied = size
    }
    this.#resizing = undefined
  }

  /** A program that has the screen for itself draws it anew when the size changes. */
  #redraw(): void {
    const { stream } = this.#shell ?? {}
    const { cols, rows } = this.#size
    if (!stream || this.#resizing) return
    const other = rows > 1 ? rows - 1 : rows + 1
    this.#resizing = stream
      .resize(cols, other)
      .then(() => stream.resize(this.#size.cols, this.#size.rows))
      .catch(() => {})
      .finally(() => {
        this.#resizing = undefined
      })
  }

  #end(shell: Shell, exitCode: number): void {
    if (this.#shell !== shell) return
    this.#shell = undefined
    clearTimeout(this.#resumeAt)
    this.#resumeAt = undefined
    this.#exitCode = exitCode === -1 ? null : exitCode
    this.#viewers.notice()
    this.#viewers.tell(this.#endedFrame())
    this.#onChange()
  }

  #endedFrame(): TerminalFrame {
    return { type: 'ended', exit_code: this.#exitCode }
  }
}
