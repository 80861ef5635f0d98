import { timeLimit } from '../../async/time-limit.ts'
import { unlessAborted } from '../../async/unless-aborted.ts'
import { beginningOf } from '../../docker/command/stream.ts'
import type { ExecRequest, ExecStream } from '../../docker/engine.ts'
import { AppError } from '../../domain/errors.ts'
import { randomToken } from '../../domain/ids.ts'
import type { ClusterClient } from '../client.ts'
import { clusterError } from '../errors.ts'
import { objectName } from '../objects.ts'
import { type LaunchMode, launchCommand, launchHeader } from './launch.ts'
import { processOver } from './process.ts'

/** Which container of which pod. */
export interface CommandPlace {
  id: string
  container: string
  /** Stands before the command: it takes rights away. */
  prefix?: readonly string[]
}

/** Starts commands in containers of pods. */
export class Commands {
  readonly #client: ClusterClient
  readonly #isRunning: (id: string) => Promise<boolean>

  /** Of what runs in each pod. */
  readonly #streams = new Map<string, Set<ExecStream>>()

  constructor(client: ClusterClient, isRunning: (id: string) => Promise<boolean>) {
    this.#client = client
    this.#isRunning = isRunning
  }

  async start({ id, container, prefix = [] }: CommandPlace, request: ExecRequest): Promise<ExecStream> {
    const { argv, cwd, env, tty, signal } = request
    signal?.throwIfAborted()
    const mode: LaunchMode = tty ? 'terminal' : request.stdin ? 'framed' : 'none'
    const mark = randomToken(12)
    const query = {
      container,
      command: [...prefix, ...launchCommand(mode, mark)],
      stdin: true,
      stdout: true,
      // A terminal has one output.
      stderr: !tty,
      tty: tty !== undefined,
    }
    try {
      const socket = await this.#client.socket(this.#client.path('pods', objectName(id), 'exec'), query)
      const header = launchHeader({ mode, mark, argv, cwd, env })
      return this.#kept(id, processOver(socket, { mode, mark, header, tty, signal }))
    } catch (error) {
      // A pod that has ended is refused with a status that means anything.
      const translated = clusterError('Running a command', error)
      const isLost = translated instanceof AppError && translated.code !== 'engine_unavailable'
      if (isLost && !(await this.#isRunning(id))) throw notRunning(error)
      throw translated
    }
  }

  /** For a pod that ends: its node lets its commands go when it has cleaned up. */
  closeOf(id: string): void {
    for (const stream of this.#streams.get(id) ?? []) stream.close()
  }

  #kept(id: string, stream: ExecStream): ExecStream {
    const all = this.#streams.get(id) ?? new Set()
    this.#streams.set(id, all.add(stream))
    void stream.exitCode.then(() => {
      all.delete(stream)
      if (all.size === 0 && this.#streams.get(id) === all) this.#streams.delete(id)
    })
    return stream
  }

  /** Runs one to its end. */
  async run(place: CommandPlace, request: Omit<ExecRequest, 'tty'>): Promise<CommandOutcome> {
    const stream = await this.start(place, request)
    const [stdout, stderr, exitCode] = await Promise.all([
      beginningOf(stream.stdout),
      beginningOf(stream.stderr),
      stream.exitCode,
    ])
    return { exitCode, stdout, stderr }
  }

  /** Runs one that is cut off after so long: in a pod that is not trusted nothing need ever end. @throws AppError engine_failed then */
  async runWithin(limitMs: number, place: CommandPlace, request: Omit<ExecRequest, 'tty'>): Promise<CommandOutcome> {
    const late = timeLimit(limitMs)
    const signal = AbortSignal.any([late, ...(request.signal ? [request.signal] : [])])
    try {
      return await unlessAborted(this.run(place, { ...request, signal }), signal)
    } catch (error) {
      if (!late.aborted) throw error
      throw new AppError('engine_failed', `A command in the sandbox did not end within ${limitMs / 1000} s.`)
    }
  }
}

export interface CommandOutcome {
  exitCode: number
  stdout: string
  stderr: string
}

function notRunning(cause: unknown): AppError {
  return new AppError('sandbox_not_running', 'The sandbox is not running. Resume it first.', { cause })
}
