import { ERROR_STATUS, type ErrorCode } from '../api/contract/failures.ts'

/** One error type for the whole service; its codes are the contract's. The message is for a person: what happened, then what to do next. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details ?? {}
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code)
}

/** The text of anything thrown, for logs and for wrapping; never for deciding. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
