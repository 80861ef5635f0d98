import { setTimeout as delay } from 'node:timers/promises'
import { randomToken } from '../../domain/ids.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { folderNotFound, type ProcessPlace, type SandboxProcess, startProcess } from './process.ts'
import { SectionedOutput } from './sectioned-output.ts'

/** How long a shell may take to say that it is there. One that is paused, or whose engine is, never says so. */
const ANSWER_MS = 1000
const NO_FOLDER = 'no-folder'

/**
 * A shell in a container that is given one command after another over its input: for the many short ones an exec each would
 * cost a hundred times as much. What a command prints ends at a random word.
 */
export class KeptShell {
  readonly #process: SandboxProcess
  readonly #stdout: SectionedOutput
  readonly #stderr: SectionedOutput
  #isOpen = true
  #command: Promise<unknown> = Promise.resolve()

  private constructor(process: SandboxProcess) {
    this.#process = process
    this.#stdout = new SectionedOutput(process.stream.stdout)
    this.#stderr = new SectionedOutput(process.stream.stderr)
    void process.stream.exitCode.then(() => {
      this.#isOpen = false
    })
  }

  /** @throws AppError as `startProcess` does */
  static async start(place: ProcessPlace, signal: AbortSignal): Promise<KeptShell> {
    const request = { argv: ['/bin/sh'], cwd: '/', env: {}, stdin: true, signal }
    const process = await startProcess(place, request)
    // What is caught, and not ignored, is as it was for a command.
    void process.stream.write('trap : TERM\n')
    return new KeptShell(process)
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Whether it takes a command now: one that is paused would carry it out when nobody expects it any more. */
  async answers(): Promise<boolean> {
    const word = randomToken(16)
    const answer = this.#stdout.section(word)
    answer.stream.resume()
    void this.#process.stream.write(`echo ${word}\n`)
    const waiting = new AbortController()
    const late = delay(ANSWER_MS, undefined, { signal: waiting.signal }).catch(() => undefined)
    const said = await Promise.race([answer.ended, late])
    waiting.abort()
    return said !== undefined
  }

  /**
   * One at a time, and both outputs are to be read. They end with the command, `exitCode` is -1 when the connection broke.
   * @param input whole lines of text without NUL
   */
  run({ argv, cwd, input = '' }: { argv: string[]; cwd: string; input?: string | undefined }) {
    const word = randomToken(16)
    const stdout = this.#stdout.section(word)
    const stderr = this.#stderr.section(word)
    const command = argv.map(shellQuote).join(' ')
    // A subshell leaves folder and variables of the shell as they are.
    const script = `if cd -- ${shellQuote(cwd)} 2>/dev/null; then
(exec ${command}) <<'${word}'
${input}${word}
s=$?; else s=${NO_FOLDER}; fi; cd /; echo "${word} $s"; echo ${word} >&2
`
    void this.#process.stream.write(script)
    const ended = Promise.all([stdout.ended, stderr.ended])
    this.#command = ended
    const exitCode = ended.then(([status, end]) => {
      if (status === undefined || end === undefined) return this.#process.stream.exitCode
      if (status === NO_FOLDER) throw folderNotFound(cwd)
      return Number(status)
    })
    return { stdout: stdout.stream, stderr: stderr.stream, exitCode }
  }

  /** Ends the command with what it started, and the shell. Always resolves. */
  stop(): Promise<void> {
    this.#isOpen = false
    return this.#process.stop('TERM', this.#command)
  }

  /** A shell without input ends by itself. */
  close(): void {
    this.#isOpen = false
    this.#process.stream.endInput()
    this.#process.stream.close()
  }
}
