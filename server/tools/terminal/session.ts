import { createHash } from 'node:crypto'
import type { Action } from '../../api/event/actions.ts'
import type { Observation } from '../../api/event/observations.ts'
import { timeLimit } from '../../async/time-limit.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import { AppError } from '../../domain/errors.ts'
import { clipMiddle } from '../../text/clip.ts'
import { type ToolContext, type ToolHost, text } from '../tool.ts'
import { SessionEmulator } from './emulator/session-emulator.ts'
import type { Job, JobEnd, WaitLimits } from './job.ts'
import { isControlKey, keySequence, typedText } from './keys.ts'
import { MemoryReport } from './memory.ts'
import { MESSAGES, refusal } from './messages.ts'
import { PersonsCommands } from './persons-commands.ts'
import { ReportedOutput } from './reported-output.ts'
import { Shell } from './shell.ts'
import { reportProgress } from './tail.ts'

export type TerminalAction = Extract<Action, { kind: 'TerminalAction' }>
export type TerminalObservation = Extract<Observation, { kind: 'TerminalObservation' }>

const OUTPUT_CHARS = 30_000
const REST_CHARS = 4_000
const INTERRUPT_MS = 1_000
/** For a sandbox that is resumed and a shell that is slow to start. */
const PERSON_START_MS = 60_000
const SAVE_FOLDER = '/tmp/.atelier/output'

export interface Timing {
  /** How long a command may be silent when no time-out was given. */
  quietMs: number
  /** The same after input: programs answer it soon or not at all. */
  inputQuietMs: number
}

/** Carries out the terminal's actions on one shell, which is started when it is first needed. */
export class TerminalSession {
  readonly #host: ToolHost
  readonly #timing: Timing
  readonly #emulator = new SessionEmulator()
  #shell: Shell | undefined
  /** The command whose end has not been reported to the model yet. */
  #job: Job | undefined
  readonly #reported: ReportedOutput
  /** The model knows that the shell has ended. */
  #endTold = false
  readonly #ofPerson = new PersonsCommands()
  readonly #memory: MemoryReport
  /** What the next report begins with. */
  #untold = ''
  /** What a person last began; the agent's next command waits for that. Never rejects. */
  #begun: Promise<unknown> = Promise.resolve()

  constructor(host: ToolHost, timing: Timing) {
    this.#host = host
    this.#timing = timing
    this.#reported = new ReportedOutput(host)
    this.#memory = new MemoryReport(() => host.sandbox())
  }

  async run(action: TerminalAction, context: ToolContext): Promise<TerminalObservation> {
    const refused = refusal(action)
    if (refused) return this.#failure(action, refused)
    await unlessAborted(this.#begun, context.signal)
    this.#forgetEndedOfPerson()
    this.#untold = this.#ofPerson.take(this.#host.mask) + this.#untold
    if (action.reset) return this.#reset(action, context)
    const isInput = action.is_input || action.command.trim() === ''
    if (isInput || (this.#running && isControlKey(action.command))) return this.#goOn(action, context)
    if (this.#running) return this.#refuseWhileRunning(action)
    return this.#execute(action, context)
  }

  /** For a person: the next report says what was run. @throws AppError conflict while a program runs */
  startForPerson(command: string): Promise<void> {
    const started = this.#begun.then(() => this.#startForPerson(command))
    this.#begun = started.catch(() => {})
    return started
  }

  /** @throws AppError conflict where no program runs */
  async typeForPerson(bytes: Buffer): Promise<void> {
    await this.#begun
    if (!this.#running) throw new AppError('conflict', 'No program runs in this shell that could read that.')
    await this.#shell?.type(bytes)
  }

  async close(options = { withJobs: false }): Promise<void> {
    const shell = this.#shell
    this.#shell = undefined
    this.#job = undefined
    this.#reported.beginAnew()
    await shell?.close(options)
    this.#emulator.close()
  }

  /** Where the next command begins: null while one runs that may go elsewhere, undefined where a shell is yet to start. */
  cwd(): string | null | undefined {
    if (!this.#shell || this.#shell.ended !== undefined) return undefined
    return this.#running ? null : this.#shell.workingDir
  }

  get #running(): boolean {
    return this.#job !== undefined && this.#job.end === undefined
  }

  async #startForPerson(command: string): Promise<void> {
    if (this.#running) {
      throw new AppError('conflict', 'A program runs in this shell. Wait for its end, or end it with Ctrl+C.')
    }
    this.#forgetEndedOfPerson()
    this.#untold += await this.#restOfPrevious()
    const signal = timeLimit(PERSON_START_MS)
    const environment = (await this.#host.environmentFor?.(command, signal)) ?? {}
    const shell = await this.#openShell(signal)
    const job = await shell.start(command, environment)
    this.#job = job
    this.#reported.beginAnew()
    this.#ofPerson.add(job)
  }

  /** Its output was for the person. What still runs has the agent's attention, as if the agent had begun it. */
  #forgetEndedOfPerson(): void {
    if (this.#job?.end && this.#ofPerson.includes(this.#job)) this.#job = undefined
  }

  async #reset(action: TerminalAction, context: ToolContext): Promise<TerminalObservation> {
    await this.close({ withJobs: true })
    await this.#openShell(context.signal)
    const command = action.command.trim()
    if (!command) return this.#observe({ ...action, command: '[RESET]' }, { output: MESSAGES.reset, exitCode: 0 })
    const observation = await this.#execute(action, context)
    const { metadata } = observation
    return {
      ...observation,
      command: `[RESET] ${observation.command}`,
      metadata: { ...metadata, prefix: `${MESSAGES.reset}\n${metadata.prefix}` },
    }
  }

  async #execute(action: TerminalAction, context: ToolContext): Promise<TerminalObservation> {
    const before = await this.#restOfPrevious()
    const restarted = this.#shell?.ended !== undefined && !this.#endTold
    const environment = (await this.#host.environmentFor?.(action.command, context.signal)) ?? {}
    const shell = await this.#openShell(context.signal)
    const job = await shell.start(action.command, environment)
    this.#job = job
    this.#reported.beginAnew()
    const prefix = before + (restarted ? MESSAGES.restarted : '')
    return this.#awaitAndTell(job, action, { quietMs: this.#timing.quietMs, prefix }, context)
  }

  async #goOn(action: TerminalAction, context: ToolContext): Promise<TerminalObservation> {
    const job = this.#job
    const input = action.command
    if (!job) return this.#failure(action, input.trim() === '' ? MESSAGES.nothingToRead : MESSAGES.nothingToTypeInto)
    if (job.end)
      return this.#tell(job, action, { prefix: MESSAGES.previous, note: input.trim() ? MESSAGES.inputNotSent : '' })
    const typed = action.is_input || input.trim() !== ''
    if (typed) await this.#shell?.type(keySequence(input.trim()) ?? typedText(input))
    const quietMs = typed ? this.#timing.inputQuietMs : this.#timing.quietMs
    return this.#awaitAndTell(job, action, { quietMs, prefix: MESSAGES.previous }, context)
  }

  async #refuseWhileRunning(action: TerminalAction): Promise<TerminalObservation> {
    const output = this.#job ? await this.#reported.takeNew(this.#job) : ''
    const suffix = MESSAGES.notExecuted(action.command)
    return this.#observe(action, { output, exitCode: -1, prefix: MESSAGES.previous, suffix, isError: true })
  }

  async #awaitAndTell(
    job: Job,
    action: TerminalAction,
    options: { quietMs: number; prefix: string },
    context: ToolContext,
  ): Promise<TerminalObservation> {
    const limits: WaitLimits =
      action.timeout === undefined ? { quietMs: options.quietMs } : { totalMs: action.timeout * 1000 }
    const stop = reportProgress(job, text => this.#reported.growing(text).told, context.onOutput)
    try {
      const outcome = await job.wait(limits, context.signal)
      stop()
      if (outcome === 'quiet')
        return await this.#tell(job, action, { ...options, open: MESSAGES.quiet(options.quietMs) })
      const open = MESSAGES.timedOut(limits.totalMs ?? 0)
      return await this.#tell(job, action, { ...options, open })
    } catch (error) {
      stop()
      await this.#interrupt(job)
      throw error
    }
  }

  /** Tells what is new, and the end when it has come meanwhile. */
  async #tell(
    job: Job,
    action: TerminalAction,
    options: { prefix: string; open?: string; note?: string },
  ): Promise<TerminalObservation> {
    const { end } = job
    const output = await this.#reported.takeNew(job)
    const { prefix } = options
    if (!end) return this.#observe(action, { output, exitCode: -1, prefix, suffix: options.open ?? '', timeout: true })
    this.#job = undefined
    this.#endTold = end.kind === 'shell-ended'
    const memory = await this.#memory.after({ exitCode: end.exitCode, output })
    const suffix = endMessage(end, isInterrupt(action)) + memory + (options.note ?? '')
    return this.#observe(action, { output, exitCode: end.exitCode, prefix, suffix })
  }

  /** When the previous command went on after its last report, and has ended since. */
  async #restOfPrevious(): Promise<string> {
    const job = this.#job
    if (!job?.end) return ''
    const output = await this.#reported.takeNew(job)
    const rest = clipMiddle(output, REST_CHARS, () => '\n[…]\n')
    this.#job = undefined
    const { exitCode } = job.end
    return MESSAGES.finishedMeanwhile(exitCode, rest + (await this.#memory.after({ exitCode, output })))
  }

  async #openShell(signal: AbortSignal): Promise<Shell> {
    if (this.#shell && this.#shell.ended === undefined) return this.#shell
    await this.close()
    const { shellWatcher: watcher } = this.#host
    const sandbox = await this.#host.sandbox()
    this.#memory.begin(sandbox)
    this.#shell = await Shell.open({ sandbox, emulator: this.#emulator, ...(watcher && { watcher }) }, signal)
    this.#endTold = false
    return this.#shell
  }

  async #interrupt(job: Job): Promise<void> {
    await this.#shell?.type('\x03')
    const outcome = await job.wait({ totalMs: INTERRUPT_MS })
    if (outcome === 'ended') this.#job = undefined
    else await this.close({ withJobs: true })
  }

  #failure(action: TerminalAction, message: string): Promise<TerminalObservation> {
    return this.#observe(action, { output: message, exitCode: -1, isError: true })
  }

  async #observe(
    action: TerminalAction,
    told: { output: string; exitCode: number; prefix?: string; suffix?: string; timeout?: boolean; isError?: boolean },
  ): Promise<TerminalObservation> {
    const shell = this.#shell
    const prefix = this.#untold + (told.prefix ?? '')
    this.#untold = ''
    const saved = told.output.length > OUTPUT_CHARS ? await this.#save(told.output) : undefined
    const output = clipMiddle(told.output, OUTPUT_CHARS, line =>
      MESSAGES.clipped(saved, { line, whole: this.#reported.whole }),
    )
    return {
      kind: 'TerminalObservation',
      content: text(output),
      is_error: told.isError ?? false,
      command: this.#host.mask(action.command),
      exit_code: told.exitCode,
      timeout: told.timeout ?? false,
      metadata: {
        exit_code: told.exitCode,
        pid: shell?.pid ?? -1,
        ...(shell && { username: shell.username, hostname: shell.hostname, working_dir: shell.workingDir }),
        ...(shell?.python && { py_interpreter_path: shell.python }),
        prefix,
        suffix: this.#host.mask(told.suffix ?? ''),
      },
      ...(saved !== undefined && { full_output_save_dir: SAVE_FOLDER }),
    }
  }

  /** @returns the file's path; undefined when the sandbox could not take it, which must not lose the output itself */
  async #save(output: string): Promise<string | undefined> {
    const hash = createHash('sha256').update(output).digest('hex').slice(0, 8)
    const path = `${SAVE_FOLDER}/terminal_output_${hash}.txt`
    try {
      const sandbox = await this.#host.sandbox()
      await sandbox.writeFile(path, Buffer.from(output))
      return path
    } catch {
      return undefined
    }
  }
}

function isInterrupt(action: TerminalAction): boolean {
  return /^c-c$/i.test(action.command.trim())
}

function endMessage(end: JobEnd, interrupted: boolean): string {
  return end.kind === 'exited' ? MESSAGES.completed(end.exitCode, interrupted) : MESSAGES.shellEnded(end.exitCode)
}
