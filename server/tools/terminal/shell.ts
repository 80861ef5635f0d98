import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../domain/errors.ts'
import type { SandboxHandle, TerminalStream } from '../../domain/sandbox-handle.ts'
import type { ShellWatcher } from '../../domain/shell-watcher.ts'
import type { SessionEmulator } from './emulator/session-emulator.ts'
import { Job } from './job.ts'
import { MarkerSplitter } from './marker.ts'
import {
  commandLines,
  exportLines,
  type Mark,
  markOpening,
  parseMark,
  SHELL_ENV,
  setUpLines,
  shellArgv,
  UNSET_SECRETS_LINE,
} from './shell-script.ts'
import { COLUMNS, ROWS } from './size.ts'

const START_MS = 10_000
/** How long the prompt may come after the end of a command; a shell whose prompt is redirected shows none. */
const PROMPT_MS = 50
/** How long the shell may take to answer a part of a long command; it only has to keep it. */
const ANSWER_MS = 5_000
const KILL_MS = 1_000
const CLOSE_MS = 5_000

/**
 * Ends the line that is being typed, if any: half an input that nobody read must not become part of a command.
 * Busybox takes an escape sequence that it does not know to go on for up to 15 bytes while they come without a pause
 * (`read_key` in its libbb): the blanks are for it to swallow, where it would have swallowed the command's beginning.
 * Then to the end of the line, as an unread key may have moved the cursor, and everything before it is dropped.
 */
const DISCARD_LINE = `${' '.repeat(16)}\x05\x15\n`

/** What a shell lives in. */
interface ShellContext {
  sandbox: SandboxHandle
  emulator: SessionEmulator
  watcher?: ShellWatcher
}

/**
 * One shell on a pseudo terminal. It notices by marks in the output, in stream order, when a command begins and ends.
 *
 * INVARIANTS: at most one job at a time; a job always ends, at the latest with the shell.
 */
export class Shell {
  readonly #sandbox: SandboxHandle
  readonly #stream: TerminalStream
  readonly #emulator: SessionEmulator
  readonly #watcher: ShellWatcher | undefined
  readonly #splitter: MarkerSplitter
  readonly #stopListening: () => void
  #job: Job | undefined
  #onMark: ((mark: Mark) => void) | undefined
  #promptTimer: NodeJS.Timeout | undefined
  /** Something was typed that a program may not have read. */
  #untidy = false
  #replying = false
  /** The last command was given variables. */
  #gave = false
  #ended: number | undefined
  #exitCode = 0
  pid = -1
  username = ''
  hostname = ''
  python = ''
  workingDir: string

  /** @throws AppError when the sandbox cannot serve, or has no shell that works */
  static async open(context: ShellContext, signal: AbortSignal): Promise<Shell> {
    // A start file that replaces the shell, or waits, must not keep the agent from working.
    for (const startFiles of [true, false]) {
      const shell = await Shell.#start(context, startFiles, signal)
      if (shell) return shell
    }
    throw new AppError(
      'command_failed',
      'The sandbox has no shell that answers. Choose an image with a working /bin/sh.',
    )
  }

  static async #start(context: ShellContext, startFiles: boolean, signal: AbortSignal): Promise<Shell | undefined> {
    signal.throwIfAborted()
    const nonce = randomBytes(8).toString('hex')
    const stream = await openStream(context.sandbox, startFiles, signal)
    const shell = new Shell(context, stream, nonce)
    if (await shell.#setUp(nonce, signal)) return shell
    await shell.close({ withJobs: true })
    signal.throwIfAborted()
    return undefined
  }

  private constructor({ sandbox, emulator, watcher }: ShellContext, stream: TerminalStream, nonce: string) {
    this.#sandbox = sandbox
    this.#stream = stream
    this.#emulator = emulator
    this.#watcher = watcher
    this.#splitter = new MarkerSplitter(markOpening(nonce))
    this.workingDir = sandbox.workingDir
    this.#stopListening = stream.onData(chunk => this.#receive(chunk))
    void stream.ended.then(exitCode => this.#finishAll(exitCode))
  }

  /** The shell's exit code once it has ended; -1 when the connection broke. */
  get ended(): number | undefined {
    return this.#ended
  }

  /** @param environment given to this command alone, without a trace in the shell's history or on the disk */
  async start(command: string, environment: Readonly<Record<string, string>> = {}): Promise<Job> {
    const job = new Job(command, this.#emulator, reply => void this.#reply(reply))
    this.#job?.screen.close()
    this.#job = job
    if (this.#ended !== undefined) {
      job.finish({ kind: 'shell-ended', exitCode: this.#ended })
      return job
    }
    this.#watcher?.began(command, this.workingDir)
    const given = Object.entries(environment).flatMap(([variable, value]) => exportLines(variable, value))
    const withdrawn = this.#gave ? [UNSET_SECRETS_LINE] : []
    this.#gave = given.length > 0
    const [first = '', ...more] = [...withdrawn, ...given, ...commandLines(command, this.#exitCode)]
    // After a syntax error, bash takes the next line for its continuation in places: an empty one ends that.
    let line = this.#untidy || this.#exitCode !== 0 ? DISCARD_LINE + first : first
    this.#untidy = false
    for (const next of more) {
      await this.#typeAndAwait(line, 'appended')
      line = next
    }
    // A key that is typed before the shell has begun would end the line, and the command with it.
    await this.#type(line, 'started')
    return job
  }

  /** What a person would type into the running program. */
  async type(data: string | Buffer): Promise<void> {
    this.#untidy = true
    await this.#stream.write(data)
  }

  /** A program that asks the terminal without end, and reads no answer, gets none while one waits to be read. */
  async #reply(data: string): Promise<void> {
    if (this.#replying) return
    this.#replying = true
    await this.type(data)
    this.#replying = false
  }

  /**
   * Ends the shell with the program in the foreground. Background jobs go on unless `withJobs`. Never rejects: what cannot
   * be ended any more has ended.
   */
  async close(options: { withJobs: boolean }): Promise<void> {
    if (!options.withJobs) await this.#killAlone()
    if (this.#ended === undefined) {
      this.#stream.close()
      await endedWithin(CLOSE_MS, this.#stream.ended)
    }
    this.#finishAll(-1)
    this.#job?.screen.close()
  }

  async #killAlone(): Promise<void> {
    if (this.#ended !== undefined || this.pid <= 0) return
    const argv = ['/bin/sh', '-c', 'kill -s KILL "$1"', 'sh', String(this.pid)]
    await this.#sandbox.exec({ argv, timeoutMs: KILL_MS }).catch(() => undefined)
    await endedWithin(KILL_MS, this.#stream.ended)
  }

  async #setUp(nonce: string, signal: AbortSignal): Promise<boolean> {
    const ready = new Promise<boolean>(resolve => {
      const timer = setTimeout(() => resolve(false), START_MS)
      const finish = (value: boolean) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        resolve(value)
      }
      const onAbort = () => finish(false)
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
      void this.#stream.ended.then(() => finish(false))
      this.#onMark = mark => {
        if (mark.kind !== 'ready') return
        this.pid = mark.pid
        this.username = mark.username
        this.hostname = mark.hostname
        finish(true)
      }
    })
    await this.#stream.write(`${setUpLines(nonce).join('\n')}\n`)
    return ready
  }

  async #typeAndAwait(line: string, kind: Mark['kind']): Promise<void> {
    if (await this.#type(line, kind)) return
    throw new AppError('command_failed', 'The shell does not take the command. Call the terminal with reset=true.')
  }

  /** @returns whether the shell has answered by this mark, or ended */
  async #type(line: string, kind: Mark['kind']): Promise<boolean> {
    let answered = false
    const answer = new Promise<void>(resolve => {
      this.#onMark = mark => {
        if (mark.kind !== kind) return
        answered = true
        resolve()
      }
    })
    await this.#stream.write(`${line}\n`)
    await endedWithin(ANSWER_MS, Promise.race([answer, this.#stream.ended]))
    return answered || this.#ended !== undefined
  }

  #receive(chunk: Buffer): void {
    for (const part of this.#splitter.push(chunk)) {
      const mark = part.kind === 'marker' ? parseMark(part.text) : undefined
      if (mark) this.#take(mark)
      else if (part.kind === 'output' && this.#job?.started && !this.#job.end) this.#show(part.data, this.#job)
    }
  }

  #show(data: Buffer, job: Job): void {
    job.addOutput(data)
    this.#watcher?.showed(data)
  }

  #take(mark: Mark): void {
    this.#onMark?.(mark)
    const job = this.#job
    if (!job || job.end) return
    if (mark.kind === 'started') job.started = true
    if (!job.started) return
    if (mark.kind === 'ended') {
      this.#exitCode = mark.exitCode
      this.workingDir = mark.workingDir
      this.python = mark.python
      // What the shell says with its prompt (a background job has ended) still belongs to this command.
      this.#promptTimer = setTimeout(() => this.#finish(job), PROMPT_MS)
    }
    if (mark.kind === 'prompt') {
      if (!this.#promptTimer) {
        this.#exitCode = mark.exitCode
        this.workingDir = mark.workingDir
      }
      this.#finish(job)
    }
  }

  #finish(job: Job): void {
    clearTimeout(this.#promptTimer)
    this.#promptTimer = undefined
    job.finish({ kind: 'exited', exitCode: this.#exitCode })
    this.#watcher?.ended(this.#exitCode, 'command')
  }

  #finishAll(exitCode: number): void {
    if (this.#ended !== undefined) return
    this.#ended = exitCode
    clearTimeout(this.#promptTimer)
    this.#stopListening()
    this.#job?.finish({ kind: 'shell-ended', exitCode })
    if (this.#job) this.#watcher?.ended(exitCode, 'shell')
  }
}

async function endedWithin(milliseconds: number, ended: Promise<unknown>): Promise<void> {
  const waiting = new AbortController()
  const late = delay(milliseconds, undefined, { signal: waiting.signal }).catch(() => undefined)
  await Promise.race([ended, late])
  waiting.abort()
}

/** A sandbox that is paused at this moment answers nothing: the signal gives the opening up, but ends no open shell. */
async function openStream(sandbox: SandboxHandle, startFiles: boolean, signal: AbortSignal): Promise<TerminalStream> {
  const opening = new AbortController()
  const giveUp = () => opening.abort(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  try {
    const stream = await sandbox.openTerminal({
      argv: shellArgv({ startFiles }),
      cwd: sandbox.workingDir,
      env: SHELL_ENV,
      cols: COLUMNS,
      rows: ROWS,
      signal: opening.signal,
    })
    // One that was given up while it was opened is being closed: a command in it would end with it, as if by itself.
    signal.throwIfAborted()
    return stream
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
