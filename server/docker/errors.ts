import type { ErrorCode } from '../api/contract/failures.ts'
import { AppError, isAppError, messageOf } from '../domain/errors.ts'

/** System errors that mean "nobody answers there", as opposed to "the engine said no". */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EACCES',
  'EPERM',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_STREAM_PREMATURE_CLOSE',
])

const NO_CONTAINER = { 404: 'sandbox_not_found', 409: 'sandbox_not_running' } as const

/**
 * The engine's refusal or silence as an AppError. An abort stays what it is: the caller asked for it.
 * `codes` name what an HTTP status of the engine means for this call.
 */
export function engineError(
  what: string,
  error: unknown,
  codes: Readonly<Partial<Record<number, ErrorCode>>> = NO_CONTAINER,
): Error {
  if (isAppError(error)) return error
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) return error
  if (UNREACHABLE.has(systemCode(error))) {
    const message = 'The engine does not answer. Start it again; Atelier goes on by itself when it is back.'
    return new AppError('engine_unavailable', message, { cause: error })
  }
  const status = statusOf(error)
  const code = (status === undefined ? undefined : codes[status]) ?? 'engine_failed'
  return new AppError(code, messageFor(what, code, engineMessage(error)), { details: { status }, cause: error })
}

/** Runs one call to the engine and translates what it throws. */
export async function translateErrors<T>(
  what: string,
  call: () => Promise<T>,
  codes?: Readonly<Partial<Record<number, ErrorCode>>>,
): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw engineError(what, error, codes)
  }
}

export function systemCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined
}

/** What the engine itself said, without the client library's frame around it. */
export function engineMessage(error: unknown): string {
  const body: unknown = error instanceof Error && 'json' in error ? error.json : undefined
  if (body && typeof body === 'object' && 'message' in body && typeof body.message === 'string')
    return body.message.trim()
  return messageOf(error).trim()
}

function messageFor(what: string, code: ErrorCode, said: string): string {
  if (code === 'sandbox_not_found') return `${what} failed: the sandbox does not exist any more. Start a new one.`
  if (code === 'sandbox_not_running') return `${what} failed: the sandbox is not running. Resume it first.`
  return `${what} failed. The engine says: ${said}`
}

/** Where two remove an image, or what it was built on, at the same time the engine answers one of them with 500. */
export function isGoneImage(error: unknown): boolean {
  return statusOf(error) === 500 && engineMessage(error).includes('unrecognized image ID')
}
