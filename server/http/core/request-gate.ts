import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Express, NextFunction, Request, Response } from 'express'
import { BOUNDS } from '../../domain/bounds.ts'
import { allowLocalOrigins, answerPreflights, type Guard, keysOf, socketKeysOf } from './guard.ts'
import { RateLimiter, tooManyRequests } from './rate-limit.ts'
import { answerRefusal, type Refusal } from './refusal.ts'
import { UnauthenticatedClients } from './unauthenticated-clients.ts'

/** Keys of sandboxes that are remembered as such; there are seldom more sandboxes. */
const MAX_KNOWN_KEYS = 1000

export interface RequestGateOptions {
  guard: Guard
  limiter?: RateLimiter
  maxSockets?: number
  maxUnauthenticated?: number
}

/**
 * What every request and every upgrade of a port passes first, whatever it asks for: foreign ones are refused, then those
 * that come too often, then sockets beyond the port's number. Both ports have one of their own.
 */
export class RequestGate {
  readonly #guard: Guard
  readonly #limiter: RateLimiter
  readonly #maxSockets: number
  readonly #unauthenticated: UnauthenticatedClients<Duplex>
  readonly #sockets = new Set<Duplex>()
  readonly #welcomed = new Set<string>()

  constructor({ guard, limiter, maxSockets, maxUnauthenticated }: RequestGateOptions) {
    this.#guard = guard
    this.#limiter = limiter ?? new RateLimiter()
    this.#maxSockets = maxSockets ?? BOUNDS.sockets.limit
    this.#unauthenticated = new UnauthenticatedClients(
      maxUnauthenticated ?? BOUNDS.connectionsWithoutKey.limit,
      socket => socket.destroy(),
    )
  }

  /** Keeps count of the connections of a server. */
  watch(server: Server): void {
    server.on('connection', socket => {
      this.#unauthenticated.add(socket)
      socket.once('close', () => this.#unauthenticated.remove(socket))
    })
  }

  /** Must come before everything else on the app. */
  standBefore(app: Express): void {
    app.use((request, response, next) => answerOrContinue(this.#guard.foreign(request), response, next))
    app.use((_request, response, next) => {
      response.set({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' })
      next()
    })
    app.use(allowLocalOrigins(this.#guard))
    app.use((request: Request, response: Response, next: NextFunction) => {
      answerOrContinue(
        this.#count(request, isSocketIo(request) ? socketKeysOf(request) : keysOf(request)),
        response,
        next,
      )
    })
    app.use(answerPreflights(this.#guard))
  }

  /** Counts the connection as a socket from here on, unless it is refused. */
  refusalOfUpgrade(request: IncomingMessage, socket: Duplex): Refusal | undefined {
    const refusal = this.#guard.foreign(request) ?? this.#count(request, socketKeysOf(request))
    if (refusal) return refusal
    if (this.#sockets.size >= this.#maxSockets) return TOO_MANY_SOCKETS
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    return undefined
  }

  /** Whoever sent the request has shown a key: its connection stays, and the key has its own share of requests. */
  welcome(request: IncomingMessage, key?: string): void {
    this.#unauthenticated.remove(request.socket)
    if (key === undefined || this.#guard.isKey(key)) return
    const [oldest] = this.#welcomed
    if (this.#welcomed.size >= MAX_KNOWN_KEYS && oldest !== undefined) this.#welcomed.delete(oldest)
    this.#welcomed.add(key)
  }

  /** The keys that were shown are not valid any more. */
  forgetKeys(): void {
    this.#welcomed.clear()
  }

  /** Those without a key of ours share one bucket, as all are of this machine: guessing keys brings no buckets. */
  #count(request: IncomingMessage, keys: readonly string[]): Refusal | undefined {
    const known = keys.find(key => this.#guard.isKey(key) || this.#welcomed.has(key))
    if (known !== undefined) this.#unauthenticated.remove(request.socket)
    const seconds = this.#limiter.take(known === undefined ? 'without a key' : `key ${known}`)
    return seconds === 0 ? undefined : tooManyRequests(seconds)
  }
}

const TOO_MANY_SOCKETS: Refusal = {
  status: 503,
  code: 'unavailable',
  detail: `There are ${BOUNDS.sockets.limit} sockets on this port already. Close some, then connect again.`,
}

function answerOrContinue(refusal: Refusal | undefined, response: Response, next: NextFunction): void {
  if (refusal) answerRefusal(response, refusal)
  else next()
}

/** Long polling is plain HTTP, with the key where its WebSocket has it. */
function isSocketIo({ url }: Request): boolean {
  return url.startsWith('/socket.io/')
}
