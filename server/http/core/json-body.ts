import type { IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import express, { type Request, type RequestHandler } from 'express'
import { BOUNDS } from '../../domain/bounds.ts'
import { messageOf } from '../../domain/errors.ts'
import { describeJsonProblem, problemOfJson } from '../../text/json-bounds.ts'

interface Options {
  type: (request: IncomingMessage) => boolean
  /** Paths of operations whose bodies may hold more values than others'. */
  largeBodies?: Iterable<string>
}

/** Reads JSON bodies, bounded in size, depth and number of values before they are parsed. */
export function jsonBody({ type, largeBodies = [] }: Options): RequestHandler {
  const large = new Set(largeBodies)
  const readBytes = express.raw({ limit: BOUNDS.jsonBody.limit, type })
  return (request, response, next) => {
    readBytes(request, response, (error?: unknown) => {
      if (error || !Buffer.isBuffer(request.body)) return next(error)
      const maxValues = large.has(pathOf(request)) ? BOUNDS.jsonValuesOfReplay.limit : BOUNDS.jsonValues.limit
      parseBody(request, request.body, maxValues).then(() => next(), next)
    })
  }
}

/** In three turns, so that others are served between them: megabytes take tens of milliseconds in each. */
async function parseBody(request: Request, bytes: Buffer, maxValues: number): Promise<void> {
  // An empty body is one without fields, as Express has it.
  request.body = {}
  if (bytes.length === 0) return
  if (!isUtf8(request)) throw new JsonRefused('JSON that is not in UTF-8')
  const problem = problemOfJson(bytes, maxValues)
  if (problem) throw new JsonRefused(describeJsonProblem(problem, maxValues))
  if (bytes.length > ONE_TURN_BYTES) await nextTurn()
  const text = new TextDecoder().decode(bytes)
  if (bytes.length > ONE_TURN_BYTES) await nextTurn()
  try {
    request.body = JSON.parse(text)
  } catch (error) {
    throw new JsonMalformed(messageOf(error))
  }
}

const ONE_TURN_BYTES = 256 * 1024

function isUtf8(request: IncomingMessage): boolean {
  const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers['content-type'] ?? '')?.[1]
  return charset === undefined || charset.toLowerCase() === 'utf-8'
}

/** A body that is not even parsed, for the reason in its message. */
export class JsonRefused extends Error {}

/** A body that is no JSON; its message is the parser's. */
export class JsonMalformed extends Error {}

function pathOf(request: IncomingMessage): string {
  const url = 'originalUrl' in request ? String(request.originalUrl) : (request.url ?? '')
  return url.split('?', 1)[0] ?? ''
}
