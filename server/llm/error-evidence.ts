import { APICallError, InvalidResponseDataError, JSONParseError, TypeValidationError } from '@ai-sdk/provider'
import { z } from 'zod'
import { messageOf } from '../domain/errors.ts'
import { type OutboundError, outboundErrorIn } from '../outbound/problem.ts'
import { clipEnd } from '../text/clip.ts'
import { AnswerFault } from './answer/fault.ts'
import type { ModelTarget } from './provider.ts'

/** What is known about a failed call, whoever reported it and however. Holds no secrets. */
export interface ErrorEvidence {
  status: number | undefined
  /** The provider's own codes, types and reasons in lower case, most specific first. */
  codes: string[]
  /** What the provider said, cleaned and shortened; empty when it said nothing for people. */
  text: string
  /** Whether the answer was an error in the provider's documented form. */
  structured: boolean
  network: OutboundError | undefined
  fault: AnswerFault['kind'] | 'unreadable' | undefined
  retryAfterMs: number | null
  /** A copy of the error without the request and its headers. */
  cleaned: Error
}

export function collectErrorEvidence(thrown: unknown, target: ModelTarget): ErrorEvidence {
  const clean = (text: string) => withoutSecrets(text, target.apiKey)
  const call = APICallError.isInstance(thrown) ? thrown : undefined
  const reported = reportedError(call ? call.responseBody : thrown)
  const structured = reported !== undefined
  const network = outboundErrorIn(thrown)
  const fault = faultOf(thrown)
  const status = call?.statusCode && call.statusCode >= 400 ? call.statusCode : reported?.status
  return {
    status,
    codes: reported?.codes ?? [],
    text: shortened(clean(reported?.message ?? (call && status ? '' : messageOf(thrown)))),
    structured,
    network: status === undefined && !structured ? network : undefined,
    fault: structured ? undefined : fault,
    retryAfterMs: retryAfter(call?.responseHeaders) ?? reported?.retryAfterMs ?? null,
    cleaned: cleanCopy(thrown, clean),
  }
}

/** OpenAI, Anthropic and Gemini agree on `{error: {…}}`; frames in a stream may hold the inner object only. */
const inner = z.looseObject({
  message: z.string(),
  code: z.union([z.string(), z.number()]).nullish(),
  type: z.string().nullish(),
  status: z.union([z.string(), z.number()]).nullish(),
  details: z.array(z.looseObject({ reason: z.string().optional(), retryDelay: z.string().optional() })).nullish(),
})
const errorBody = z.union([
  z.looseObject({ error: inner }).transform(body => body.error),
  z.looseObject({ error: z.string() }).transform(body => inner.parse({ message: body.error })),
  inner.refine(({ type, code, object }) => Boolean(type ?? code ?? object)),
])

function reportedError(source: unknown) {
  const value = TypeValidationError.isInstance(source) ? source.value : source
  if (value instanceof Error) return undefined
  const { data } = errorBody.safeParse(
    typeof value === 'string' ? jsonOf(value) : Array.isArray(value) ? value[0] : value,
  )
  if (!data) return undefined
  const reasons = (data.details ?? []).flatMap(detail => detail.reason ?? [])
  const delay = (data.details ?? []).find(detail => detail.retryDelay)?.retryDelay
  const codes = [...reasons, data.code, data.type, data.status].filter(code => typeof code === 'string')
  const numbers = [data.code, data.status].filter(code => typeof code === 'number')
  return {
    message: data.message,
    codes: codes.map(code => code.toLowerCase()),
    status: numbers.find(code => code >= 400 && code < 600),
    retryAfterMs: delay ? milliseconds(Number.parseFloat(delay)) : null,
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function* causesOf(thrown: unknown): Generator<Error> {
  let error = thrown
  for (let depth = 0; error instanceof Error && depth < 6; depth++) {
    yield error
    if (error instanceof AggregateError && error.errors[0] instanceof Error) yield error.errors[0]
    error = error.cause
  }
}

function faultOf(thrown: unknown): ErrorEvidence['fault'] {
  for (const error of causesOf(thrown)) {
    if (error instanceof AnswerFault) return error.kind
    if (InvalidResponseDataError.isInstance(error)) return 'incomplete'
    if (JSONParseError.isInstance(error) || TypeValidationError.isInstance(error)) return 'unreadable'
  }
  return undefined
}

/** Seconds or a date (RFC 9110 §10.2.3); OpenAI's own header counts milliseconds. */
function retryAfter(headers: Record<string, string> | undefined): number | null {
  const precise = Number.parseFloat(headers?.['retry-after-ms'] ?? '')
  if (Number.isFinite(precise)) return Math.max(0, precise)
  const text = headers?.['retry-after']
  if (!text) return null
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return milliseconds(seconds)
  const date = Date.parse(text)
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now())
}

function milliseconds(seconds: number): number | null {
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1000) : null
}

/** Providers and gateways repeat keys in their errors, in full or in part. */
function withoutSecrets(text: string, apiKey: string | null): string {
  const masked = apiKey && apiKey.length >= 4 ? text.replaceAll(apiKey, '…') : text
  return masked
    .replace(/\bBearer\s+\S+/gi, 'Bearer …')
    .replace(/\b(sk|pk|rk|gsk|xai|AIza|key)[-_][\w*-]{6,}/g, '…')
    .replace(/\bAIza[\w-]{10,}/g, '…')
}

const MAX_TEXT_LENGTH = 300

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return clipEnd(line, MAX_TEXT_LENGTH)
}

function cleanCopy(thrown: unknown, clean: (text: string) => string): Error {
  const copy = new Error(shortened(clean(messageOf(thrown))))
  if (thrown instanceof Error) {
    copy.name = thrown.name
    // The stack's first lines repeat the message, unshortened.
    const frames = thrown.stack?.split('\n').filter(line => /^\s+at /.test(line))
    copy.stack = [`${copy.name}: ${copy.message}`, ...(frames ?? [])].join('\n')
  }
  return copy
}
