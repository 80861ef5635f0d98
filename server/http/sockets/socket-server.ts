import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { BOUNDS } from '../../domain/bounds.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import { socketKeysOf } from '../core/guard.ts'
import { type Refusal, refuseUpgrade } from '../core/refusal.ts'
import type { RequestGate } from '../core/request-gate.ts'
import { Inbox } from '../v1/inbox.ts'
import { OneFrameATurn } from './one-frame-a-turn.ts'
import { CLOSE_CODES, keyInFrame } from './socket-protocol.ts'

const HEARTBEAT_MS = 30_000

/** Serves one socket of a caller who was let in. */
export type ServeSocket<Caller> = (socket: WebSocket, inbox: Inbox, caller: Caller) => void | Promise<void>

export interface SocketServerOptions<Caller> {
  gate: RequestGate
  /** Whose key it is; undefined refuses. */
  admit(key: string): Caller | undefined | Promise<Caller | undefined>
  /** Takes an upgrade of another protocol; false when it is not its own. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** undefined for an unknown path. */
  find(url: URL): ServeSocket<Caller> | undefined
  log: Log
}

export interface SocketServer {
  /** Closes those whose key is not valid any more. */
  dropUnauthorized(): void
  close(): void
}

/** One dispatcher for every upgrade of a port. */
export function serveSockets<Caller>(server: Server, options: SocketServerOptions<Caller>): SocketServer {
  const keys = new WeakMap<WebSocket, readonly string[]>()
  const sockets = new OneFrameATurn({ noServer: true, maxPayload: BOUNDS.socketFrame.limit })
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A peer that goes away while it is refused is nobody's problem.
    socket.on('error', () => {})
    const refusal = options.gate.refusalOfUpgrade(request, socket)
    if (refusal) return refuseUpgrade(socket, refusal)
    if (options.upgrade?.(request, socket, head)) return
    const url = addressOf(request)
    const serveSocket = url && options.find(url)
    if (!serveSocket) return refuseUpgrade(socket, UNKNOWN_PATH)
    sockets.handleUpgrade(request, socket, head, webSocket => {
      keepAlive(webSocket)
      const inbox = new Inbox(webSocket)
      keysFrom(inbox, request)
        .then(async shown => {
          keys.set(webSocket, shown)
          const { caller, key } = await admitted(shown, options)
          options.gate.welcome(request, key)
          await serveSocket(webSocket, inbox, caller)
        })
        .catch(error => closeFor(webSocket, error, options.log))
    })
  }
  server.on('upgrade', onUpgrade)
  return {
    dropUnauthorized: () => {
      for (const client of sockets.clients) {
        const shown = keys.get(client)
        if (!shown) continue
        admitted(shown, options).catch(error => closeFor(client, error, options.log))
      }
    },
    close: () => {
      server.off('upgrade', onUpgrade)
      for (const client of sockets.clients) {
        client.close(CLOSE_CODES.goingAway)
        client.terminate()
      }
      sockets.close()
    },
  }
}

/** Any page may ask for `//`, which is no address. */
function addressOf({ url = '/' }: IncomingMessage): URL | undefined {
  return URL.canParse(url, BASE) ? new URL(url, BASE) : undefined
}

const BASE = 'http://127.0.0.1'
const UNKNOWN_PATH: Refusal = { status: 404, code: 'not_found', detail: 'Not Found' }

class Unauthorized extends Error {}

/** By header, by query (existing clients), or by a first frame, which keeps the key out of URLs. */
async function keysFrom(inbox: Inbox, request: IncomingMessage): Promise<readonly string[]> {
  const keys = socketKeysOf(request)
  if (keys.length > 0) return keys
  const key = keyInFrame(await inbox.first(BOUNDS.authentication.limit))
  return key === undefined ? [] : [key]
}

/** @throws Unauthorized */
async function admitted<Caller>(
  keys: readonly string[],
  options: SocketServerOptions<Caller>,
): Promise<{ caller: Caller; key: string }> {
  for (const key of keys) {
    const caller = await options.admit(key)
    if (caller !== undefined) return { caller, key }
  }
  throw new Unauthorized('Authentication failed')
}

function closeFor(socket: WebSocket, error: unknown, log: Log): void {
  if (error instanceof Unauthorized) return socket.close(CLOSE_CODES.unauthorized, error.message)
  if (isAppError(error, 'conversation_not_found') || isAppError(error, 'invalid_id')) {
    return socket.close(CLOSE_CODES.notFound, 'Conversation not found')
  }
  log.error({ error: messageOf(error) }, 'A socket failed')
  socket.close(CLOSE_CODES.internal, 'Internal error')
}

/** A peer that is gone without a word is noticed and let go. */
function keepAlive(socket: WebSocket): void {
  let alive = true
  socket.on('pong', () => {
    alive = true
  })
  const timer = setInterval(() => {
    if (!alive) return socket.terminate()
    alive = false
    socket.ping()
  }, HEARTBEAT_MS)
  socket.on('close', () => clearInterval(timer))
  socket.on('error', () => socket.terminate())
}
