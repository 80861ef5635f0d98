import type { IncomingMessage } from 'node:http'
import express, { type RequestHandler } from 'express'
import { BOUNDS } from '../../domain/bounds.ts'
import { describeJsonProblem, problemOfJson } from './json-bounds.ts'

interface Options {
  type: (request: IncomingMessage) => boolean
  /** Paths of operations whose bodies may hold more values than others'. */
  largeBodies?: Iterable<string>
}

/** Reads JSON bodies, bounded in size, depth and number of values before they are parsed. */
export function jsonBody({ type, largeBodies = [] }: Options): RequestHandler {
  const large = new Set(largeBodies)
  return express.json({
    limit: BOUNDS.jsonBody.limit,
    strict: false,
    type,
    verify: (request, _response, body, encoding) => {
      if (encoding.toLowerCase() !== 'utf-8') throw new JsonRefused('JSON that is not in UTF-8')
      const maxValues = large.has(pathOf(request)) ? BOUNDS.jsonValuesOfReplay.limit : BOUNDS.jsonValues.limit
      const problem = problemOfJson(body, maxValues)
      if (problem) throw new JsonRefused(describeJsonProblem(problem, maxValues))
    },
  })
}

/** A body that is not even parsed, for the reason in its message. */
export class JsonRefused extends Error {}

function pathOf(request: IncomingMessage): string {
  const url = 'originalUrl' in request ? String(request.originalUrl) : (request.url ?? '')
  return url.split('?', 1)[0] ?? ''
}
