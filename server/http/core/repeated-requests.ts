import { createHash } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'
import { BOUNDS } from '../../domain/bounds.ts'
import { keyIn } from './guard.ts'
import { answerRefusal, type Refusal } from './refusal.ts'

/** An answer as it was sent. */
interface Answer {
  status: number
  text: string
}

interface Known {
  /** What was asked with this key. */
  asked: string
  /** null for a request that failed, or whose answer is not kept: it is carried out anew. */
  answer: Promise<Answer | null>
  at: number
}

const KEPT_MS = 120_000

/**
 * A client that has got no answer sends its request again with the same `Idempotency-Key` and gets the answer of the first
 * one, which is carried out once: https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/. Keys of
 * callers are apart. Kept are the latest answers of BOUNDS.repeatedRequests, for two minutes.
 */
export function answerRepeatedRequests(now: () => number = Date.now) {
  const known = new Map<string, Known>()
  return async function repeated(request: Request, response: Response, next: NextFunction): Promise<void> {
    const header = request.get('idempotency-key')
    if (header === undefined || request.method === 'GET' || request.method === 'HEAD') return next()
    if (!/^[!-~]{1,255}$/.test(header)) return answerRefusal(response, BAD_KEY)
    const id = `${keyIn(response) ?? ''} ${header}`
    const content = `${request.get('content-length') ?? ''} ${digestOf(request.body)}`
    const asked = `${request.method} ${request.originalUrl} ${content}`
    for (let first = known.get(id); first && now() - first.at < KEPT_MS; first = known.get(id)) {
      if (first.asked !== asked) return answerRefusal(response, OTHER_REQUEST)
      const answer = await first.answer
      if (answer) return void response.status(answer.status).type('json').send(answer.text)
      if (known.get(id) === first) known.delete(id)
    }
    known.delete(id)
    known.set(id, { asked, answer: answerOf(response), at: now() })
    const [oldest] = known.keys()
    if (known.size > BOUNDS.repeatedRequests.limit && oldest !== undefined) known.delete(oldest)
    next()
  }
}

/** Of a body that was read as JSON; others are told apart by their length. */
function digestOf(body: unknown): string {
  return body === undefined ? '' : createHash('sha256').update(JSON.stringify(body)).digest('base64')
}

/** The answer once it is sent, or would be if anybody were there to read it. */
function answerOf(response: Response): Promise<Answer | null> {
  return new Promise(resolve => {
    const send = response.send.bind(response)
    response.send = body => {
      resolve(isKept(response, body) ? { status: response.statusCode, text: body } : null)
      return send(body)
    }
    // What is no JSON is not kept; while nothing has been answered, the work may still go on.
    response.once('close', () => response.headersSent && resolve(null))
  })
}

/** A refusal that nobody has read may come from the connection that broke. */
function isKept({ statusCode, destroyed }: Response, body: unknown): body is string {
  const isSure = statusCode < 400 || (statusCode < 500 && !destroyed)
  return isSure && typeof body === 'string' && body.length <= BOUNDS.repeatedAnswer.limit
}

const BAD_KEY: Refusal = {
  status: 400,
  code: 'bad_request',
  detail: 'The header Idempotency-Key has 1 to 255 visible ASCII characters, a UUID for example.',
}

const OTHER_REQUEST: Refusal = {
  status: 422,
  code: 'bad_request',
  detail:
    'This Idempotency-Key was sent with another request. Use a new one for each request that is not a repetition.',
}
