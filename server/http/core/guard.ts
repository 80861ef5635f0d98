import type { IncomingMessage } from 'node:http'
import type { NextFunction, Request, Response } from 'express'
import { isLocalOrigin, refusalOfForeign } from './foreign.ts'
import type { Refusal } from './refusal.ts'

/** Who may call: by Host, by Origin, and by key. */
export interface Guard {
  /** Why a request is refused before anything else is done for it. */
  foreign(request: IncomingMessage): Refusal | undefined
  isKey(key: string): boolean
  allowsOrigin(origin: string): boolean
}

export function createGuard(options: {
  allowedOrigins: readonly string[]
  /** In constant time. */
  isKey: (key: string) => boolean
  /** Paths that a page of another site may send the browser to. */
  returnPaths?: Iterable<string>
}): Guard {
  const allowsOrigin = (origin: string) => options.allowedOrigins.includes(origin) || isLocalOrigin(origin)
  const origins = { allows: allowsOrigin, returnPaths: new Set(options.returnPaths) }
  return {
    allowsOrigin,
    foreign: request => refusalOfForeign(request, origins),
    isKey: key => key !== '' && options.isKey(key),
  }
}

/**
 * The keys that a request shows: the specification's header, then a bearer token. A client that also speaks to other servers
 * may send the key of one of them in the other place, so a request is let in by whichever is valid.
 */
export function keysOf(request: IncomingMessage): string[] {
  const header = request.headers['x-session-api-key']
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return [header, bearer].filter(key => typeof key === 'string')
}

/** Those of a socket, which a browser cannot give a header: existing clients write the key into the address. */
export function socketKeysOf(request: IncomingMessage): string[] {
  const key = queryOf(request).get('session_api_key')
  return key === null ? keysOf(request) : [...keysOf(request), key]
}

/** The key that let a request in, once one did. */
export function keyIn(response: Response): string | undefined {
  return (response.locals as { key?: string }).key
}

function queryOf({ url = '' }: IncomingMessage): URLSearchParams {
  const start = url.indexOf('?')
  return new URLSearchParams(start === -1 ? '' : url.slice(start))
}

const OUR_HEADERS = 'Content-Type, X-Session-API-Key, Authorization, Idempotency-Key'

/** Lets pages of this machine read replies, refusals too. */
export function allowLocalOrigins(guard: Guard) {
  return (request: Request, response: Response, next: NextFunction) => {
    const { origin } = request.headers
    if (origin && guard.allowsOrigin(origin)) {
      // Clients send cookies along out of habit; there are none that would mean anything here.
      response.set({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'Content-Disposition, ETag, Retry-After, X-Archive-Base-Ref, X-Archive-Format',
        Vary: 'Origin',
      })
    }
    next()
  }
}

export function answerPreflights(guard: Guard) {
  return (request: Request, response: Response, next: NextFunction) => {
    const { origin } = request.headers
    if (request.method !== 'OPTIONS' || !origin || !guard.allowsOrigin(origin)) return next()
    response.set({
      'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? OUR_HEADERS,
      'Access-Control-Max-Age': '600',
    })
    response.status(204).end()
  }
}

export function requireKey(guard: Guard, isOpen: (request: Request) => boolean) {
  return (request: Request, response: Response, next: NextFunction) => {
    response.locals.key = keysOf(request).find(guard.isKey)
    if (isOpen(request) || response.locals.key !== undefined) return next()
    response.status(401).json({ detail: 'Unauthorized', code: 'unauthorized' })
  }
}
