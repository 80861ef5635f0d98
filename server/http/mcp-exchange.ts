import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request as HttpRequest, Response as HttpResponse, NextFunction } from 'express'
import { isJsonProblem } from './mount/errors.ts'

/** For libraries that know the Fetch standard. Without its body, which was read already, and without the key. */
export function toWebRequest(request: HttpRequest, response: HttpResponse): Request {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (name !== 'authorization' && name !== 'x-session-api-key' && typeof value === 'string') headers.set(name, value)
  }
  return new Request(`http://127.0.0.1${request.originalUrl}`, { method: request.method, headers, signal: gone.signal })
}

export async function sendWebResponse(answer: Response, response: HttpResponse): Promise<void> {
  response.status(answer.status)
  for (const [name, value] of answer.headers) response.setHeader(name, value)
  if (!answer.body) return void response.end()
  // A reply that has begun can only be cut off.
  await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => response.destroy())
}

/** What is no JSON is refused before anybody looks where it goes; here it is answered as JSON-RPC has it. */
export function answerParseError(
  error: unknown,
  _request: HttpRequest,
  response: HttpResponse,
  next: NextFunction,
): void {
  if (!isJsonProblem(error)) return next(error)
  response
    .status(400)
    .json({ jsonrpc: '2.0', error: { code: PARSE_ERROR, message: 'Parse error: Invalid JSON' }, id: null })
}

/** https://www.jsonrpc.org/specification#error_object */
const PARSE_ERROR = -32700
