import { ApiError } from '../client/api-error.ts'

/** How a command ends, for scripts. docs/cli.md shows the same table. */
export const EXIT = {
  done: 0,
  /** The task failed, or the service could not do what was asked. */
  failed: 1,
  usage: 2,
  /** No service runs, or it does not answer. */
  noService: 3,
  /** The key, or what was asked for, was refused. */
  refused: 4,
  /** The agent waits for a person: a confirmation, a limit, or a stop. */
  waiting: 5,
  /** The changes do not fit the folder. */
  conflict: 6,
  interrupted: 130,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends a command with a message for a person: what happened, then what to do next. */
export class CommandError extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode
  if (!(error instanceof ApiError)) return EXIT.failed
  if (error.status === 0) return EXIT.noService
  return error.status < 500 ? EXIT.refused : EXIT.failed
}
