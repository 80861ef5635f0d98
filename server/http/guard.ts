import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { NextFunction, Request, Response } from 'express'

/** Who may call: by Host, by Origin, and by key. */
export interface Guard {
  /** A web page of another site, or a name that only looks local (DNS rebinding), is refused before anything else. */
  isLocal(request: IncomingMessage): boolean
  /** Constant-time comparison with the session key and with the keys of browser logins. */
  isKey(key: string | undefined): boolean
  allowsOrigin(origin: string): boolean
}

export function createGuard(options: { allowedOrigins: readonly string[]; keys: () => readonly string[] }): Guard {
  const allowsOrigin = (origin: string) => options.allowedOrigins.includes(origin) || isLocalOrigin(origin)
  return {
    allowsOrigin,
    isLocal: ({ headers }) => isLocalHost(headers.host) && (!headers.origin || allowsOrigin(headers.origin)),
    isKey: key => {
      if (!key) return false
      const given = digest(key)
      return options.keys().reduce((found, known) => timingSafeEqual(given, digest(known)) || found, false)
    },
  }
}

const LOCAL_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]'])

function isLocalHost(host: string | undefined): boolean {
  return host !== undefined && LOCAL_NAMES.has(host.replace(/:\d+$/, '').toLowerCase())
}

function isLocalOrigin(origin: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  return url !== undefined && url.protocol === 'http:' && LOCAL_NAMES.has(url.hostname)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** The key as clients send it: the specification's header, or a bearer token. */
export function keyOf(request: IncomingMessage): string | undefined {
  const header = request.headers['x-session-api-key']
  if (typeof header === 'string') return header
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

export function refuseForeign(guard: Guard) {
  return (request: Request, response: Response, next: NextFunction) => {
    if (guard.isLocal(request)) return next()
    response.status(403).json({ detail: 'Only programs on this machine may call Atelier.', code: 'forbidden' })
  }
}

const OUR_HEADERS = 'Content-Type, X-Session-API-Key, Authorization'

export function allowLocalOrigins(guard: Guard) {
  return (request: Request, response: Response, next: NextFunction) => {
    const { origin } = request.headers
    if (origin && guard.allowsOrigin(origin)) {
      // Clients send cookies along out of habit; there are none that would mean anything here.
      response.set({
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'Content-Disposition, Retry-After, X-Archive-Base-Ref, X-Archive-Format',
        Vary: 'Origin',
      })
      if (request.method === 'OPTIONS') {
        response.set({
          'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
          'Access-Control-Allow-Headers': request.headers['access-control-request-headers'] ?? OUR_HEADERS,
          'Access-Control-Max-Age': '600',
        })
        response.status(204).end()
        return
      }
    }
    next()
  }
}

export function requireKey(guard: Guard, isOpen: (request: Request) => boolean) {
  return (request: Request, response: Response, next: NextFunction) => {
    if (isOpen(request) || guard.isKey(keyOf(request))) return next()
    response.status(401).json({ detail: 'Unauthorized', code: 'unauthorized' })
  }
}
