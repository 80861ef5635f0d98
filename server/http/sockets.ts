import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Bus } from '../bus.ts'
import type { ConversationService } from '../conversation/service.ts'
import { isAppError, messageOf } from '../errors.ts'
import type { Log } from '../log.ts'
import { serveEvents } from './event-socket.ts'
import { type Guard, keyOf } from './guard.ts'
import { Inbox } from './inbox.ts'
import { CLOSE_CODES, keyInFrame } from './socket-protocol.ts'

const MAX_FRAME_BYTES = 4 * 1024 * 1024
const AUTHENTICATION_TIMEOUT_MS = 10_000
const HEARTBEAT_MS = 30_000
interface Dependencies {
  guard: Guard
  conversations: ConversationService
  bus: Bus
  log: Log
}

/** One dispatcher for every upgrade of the API's port. */
export function attachSockets(server: Server, dependencies: Dependencies): { close(): void } {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })
  const subscribers = new Map<string, number>()
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const serveSocket = findSocket(url, { ...dependencies, subscribers })
    if (!dependencies.guard.isLocal(request)) return refuse(socket, '403 Forbidden')
    if (!serveSocket) return refuse(socket, '404 Not Found')
    sockets.handleUpgrade(request, socket, head, webSocket => {
      keepAlive(webSocket)
      const inbox = new Inbox(webSocket)
      authenticate(inbox, request, url, dependencies.guard)
        .then(() => serveSocket(webSocket, inbox))
        .catch(error => closeFor(webSocket, error, dependencies.log))
    })
  }
  server.on('upgrade', onUpgrade)
  return {
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

function findSocket(
  url: URL,
  dependencies: Dependencies & { subscribers: Map<string, number> },
): ((socket: WebSocket, inbox: Inbox) => void) | undefined {
  if (url.pathname === '/sockets/updates') return socket => serveUpdates(socket, dependencies.bus)
  const id = /^\/sockets\/events\/([^/]{1,100})$/.exec(url.pathname)?.[1]
  if (id === undefined) return undefined
  return (socket, inbox) => serveEvents(socket, { ...dependencies, inbox, id, query: url.searchParams })
}

function serveUpdates(socket: WebSocket, bus: Bus): void {
  const unsubscribe = bus.subscribe(change => socket.send(JSON.stringify(change)))
  socket.on('close', unsubscribe)
}

class Unauthorized extends Error {}

/** By header, by query (existing clients), or by a first frame, which keeps the key out of URLs. */
async function authenticate(inbox: Inbox, request: IncomingMessage, url: URL, guard: Guard): Promise<void> {
  const given = keyOf(request) ?? url.searchParams.get('session_api_key') ?? undefined
  const key = given ?? keyInFrame(await inbox.first(AUTHENTICATION_TIMEOUT_MS))
  if (!guard.isKey(key)) throw new Unauthorized('Authentication failed')
}

function closeFor(socket: WebSocket, error: unknown, log: Log): void {
  if (error instanceof Unauthorized) return socket.close(CLOSE_CODES.unauthorized, error.message)
  if (isAppError(error, 'conversation_not_found') || isAppError(error, 'invalid_id')) {
    return socket.close(CLOSE_CODES.notFound, 'Conversation not found')
  }
  log.error({ error: messageOf(error) }, 'A socket failed')
  socket.close(1011, 'Internal error')
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

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
