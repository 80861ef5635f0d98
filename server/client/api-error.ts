import type { ErrorCode } from '../api/contract/failures.ts'
import { NEXT_STEPS } from './next-steps.ts'

/** A code of the service, or one of the client: `validation` (422), `unreachable` and `timeout`. */
export type ApiErrorCode = ErrorCode | 'validation' | 'unreachable' | 'timeout'

/** What went wrong, as the service says it. `code` is what to branch on, `message` is for a person. */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  readonly code: ApiErrorCode | (string & {})
  /** The reply's `detail`: field errors for `validation`, else the message again. */
  readonly detail: unknown

  constructor(problem: { status: number; code: string; message: string; detail?: unknown; cause?: unknown }) {
    super(problem.message, { cause: problem.cause })
    this.name = 'ApiError'
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.detail ?? null
  }

  /** What to do next, for a person; null for a code that this client does not know. */
  get nextStep(): string | null {
    return (NEXT_STEPS as Partial<Record<string, string>>)[this.code] ?? null
  }
}

/** The service could not be reached. */
export function unreachable(cause: unknown): ApiError {
  const message = 'The service does not answer. Atelier keeps trying; nothing that was saved is lost.'
  return new ApiError({ status: 0, code: 'unreachable', message, cause })
}

/** No answer came in time. What was asked for may have happened all the same. */
export function timedOut(timeoutMs: number): ApiError {
  const message = `The service did not answer within ${timeoutMs / 1000} s.`
  return new ApiError({ status: 0, code: 'timeout', message })
}

/** A reply with a status of failure. */
export function refusal(status: number, text: string): ApiError {
  const body = parseJson(text)
  if (!isRecord(body)) return new ApiError({ status, code: codeOf(status), message: `The service answered ${status}.` })
  const { detail, error } = body
  const code = typeof body.code === 'string' ? body.code : codeOf(status)
  if (Array.isArray(detail)) return new ApiError({ status, code: 'validation', message: fieldsInWords(detail), detail })
  const message = [detail, error, body.message].find(part => typeof part === 'string')
  return new ApiError({ status, code, message: message ?? `The service answered ${status}.`, detail })
}

function codeOf(status: number): ApiErrorCode {
  if (status === 401) return 'unauthorized'
  if (status === 404) return 'not_found'
  return status >= 500 ? 'internal' : 'bad_request'
}

function fieldsInWords(fields: unknown[]): string {
  const lines = fields.filter(isRecord).map(({ loc, msg }) => {
    const name = Array.isArray(loc) ? loc.slice(1).join('.') : ''
    return name ? `${name}: ${String(msg)}` : String(msg)
  })
  return `The service refused the values. ${lines.join('; ')}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text itself where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
