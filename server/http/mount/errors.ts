import type { NextFunction, Request, Response } from 'express'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { maskedValue } from '../../secret/mask/value.ts'
import { JsonMalformed, JsonRefused } from '../core/json-body.ts'
import { ValidationError } from './validation.ts'

/** An error body of an older shape, for the routes whose clients read one. */
export class LegacyError extends Error {
  readonly status: number
  readonly body: unknown

  constructor(status: number, body: unknown, cause?: unknown) {
    super(cause === undefined ? 'A legacy route refused the request.' : messageOf(cause), { cause })
    this.status = status
    this.body = body
  }
}

const INTERNAL = { detail: 'Internal Server Error', code: 'internal' }

/**
 * The one place where failures become replies. What is not ours is logged and answered without its text. Express's own
 * handler, which shows and prints stacks, never gets to see one.
 */
export function errorReply(log: Log, mask: Pick<Mask, 'mask'> | null = null) {
  return (error: unknown, request: Request, response: Response, _next: NextFunction) => {
    if (response.headersSent) {
      if (!response.destroyed) log.warn({ path: request.path, error: messageOf(error) }, 'A reply broke off')
      response.destroy()
      return
    }
    const known = toReply(error, request)
    // 501 is an answer: what is not here was never tried.
    if (known.status >= 500 && known.status !== 501)
      log.error({ path: request.path, error: messageOf(error) }, 'A request failed')
    const seconds = secondsToWait(error)
    if (seconds !== undefined) response.set('Retry-After', String(seconds))
    response.status(known.status).json(maskBody(known.body ?? INTERNAL, mask))
  }
}

/** For how long whoever asked should wait, where the failure or what caused it says so. */
function secondsToWait(error: unknown): number | undefined {
  const cause = error instanceof LegacyError ? error.cause : error
  const seconds = isAppError(cause) ? cause.details.retryAfterSeconds : undefined
  return typeof seconds === 'number' ? seconds : undefined
}

/** What cannot be masked is not shown. */
function maskBody(body: unknown, mask: Pick<Mask, 'mask'> | null): unknown {
  try {
    return mask ? maskedValue(body, mask.mask) : body
  } catch {
    return INTERNAL
  }
}

/** A body that is no JSON, or none that is taken. */
export function isJsonProblem(error: unknown): boolean {
  return error instanceof JsonRefused || error instanceof JsonMalformed
}

function toReply(error: unknown, request: Request): { status: number; body: unknown } {
  if (error instanceof ValidationError) return { status: 422, body: error.body }
  if (error instanceof JsonRefused) return { status: 422, body: ValidationError.ofJson(error.message).body }
  if (error instanceof LegacyError) return { status: error.status, body: error.body }
  if (isAppError(error)) return { status: error.status, body: { detail: error.message, code: error.code } }
  if (error instanceof JsonMalformed) {
    const refusal = saysJson(request) ? ValidationError.malformedJson(jsonOffset(error)) : ValidationError.noJson()
    return { status: 422, body: refusal.body }
  }
  const type = bodyParserType(error)
  if (type === 'entity.too.large') {
    return { status: 413, body: { detail: 'The body is larger than 10 MB.', code: 'too_large' } }
  }
  if (type !== undefined || isUnreadable(error)) {
    return { status: 400, body: { detail: 'The body could not be read.', code: 'bad_request' } }
  }
  if (error instanceof URIError) return { status: 400, body: { detail: 'The path is not valid.', code: 'bad_request' } }
  return { status: 500, body: undefined }
}

/** body-parser names its refusals in `type`. */
function bodyParserType(error: unknown): string | undefined {
  return error instanceof Error && 'type' in error && typeof error.type === 'string' ? error.type : undefined
}

/** A compressed body that is none carries the decompressor's error, with this status alone. */
function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 400
}

/** Whoever names no type means JSON. */
function saysJson({ headers }: Request): boolean {
  return /json/i.test(headers['content-type'] ?? 'json')
}

function jsonOffset(error: unknown): number {
  return Number(/position (\d+)/.exec(messageOf(error))?.[1] ?? 0)
}
