import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NextFunction, Request, Response } from 'express'
import { Server, type Socket } from 'socket.io'
import { clientAction } from '../../api/legacy/events.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { isAppError, messageOf } from '../../domain/errors.ts'
import type { Legacy } from '../../legacy/legacy.ts'
import type { Log } from '../../log.ts'
import { describeJsonProblem, problemOfValue } from '../../text/json-bounds.ts'
import { type Guard, socketKeysOf } from '../core/guard.ts'
import { answerRefusal, type Refusal } from '../core/refusal.ts'
import type { RequestGate } from '../core/request-gate.ts'
import { parseLax } from '../mount/coerce.ts'
import { OneFrameATurn } from '../sockets/one-frame-a-turn.ts'
import { Sessions } from './sessions.ts'

const PATH = '/socket.io/'
/** A reader with this many frames waiting is let go rather than kept in memory. */
const MAX_WAITING_FRAMES = 100_000
/** A replay goes on when no more than these wait. */
const RESUME_BELOW_FRAMES = 500

interface Dependencies {
  gate: RequestGate
  guard: Guard
  legacy: Pick<Legacy, 'stream' | 'events'>
  log: Log
}

export interface SocketIo {
  /** Long polling. */
  middleware(request: Request, response: Response, next: NextFunction): void
  /** @returns false when the path is not its own */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean
  /** Ends those whose key is not valid any more. */
  dropUnauthorized(): void
  close(): Promise<void>
}

/**
 * The legacy generation's socket: `oh_event` out, `oh_user_action` (or `oh_action`) in. Who may connect at all, by Host
 * and Origin, is decided before; the key comes in the query, as existing clients send it, or in a header.
 * https://socket.io/docs/v4/server-api/
 */
export function createSocketIo(dependencies: Dependencies): SocketIo {
  // It attaches to a server, takes every upgrade there and ends what it does not know: so it gets one of its own.
  const relay = createServer()
  const io = new Server(relay, {
    path: PATH,
    serveClient: false,
    maxHttpBufferSize: BOUNDS.socketFrame.limit,
    connectTimeout: BOUNDS.authentication.limit,
    destroyUpgrade: false,
    wsEngine: OneFrameATurn,
  })
  io.use((socket, next) => {
    const refusal = refusalOf(socket, dependencies.guard)
    if (refusal) return next(new Error(refusal))
    sessions.welcome(socket.conn)
    dependencies.gate.welcome(socket.request)
    next()
  })
  const sessions = new Sessions(io)
  io.on('connection', socket => serve(socket, dependencies))
  const isNew = (request: IncomingMessage) => !/[?&]sid=/.test(request.url ?? '')
  const isOwn = (request: IncomingMessage) => request.url?.startsWith(PATH) ?? false
  return {
    middleware: (request, response, next) => {
      if (!isOwn(request)) return next()
      if (isNew(request) && io.engine.clientsCount >= BOUNDS.sockets.limit) return answerRefusal(response, TOO_MANY)
      relay.emit('request', request, response)
    },
    upgrade: (request, socket, head) => isOwn(request) && relay.emit('upgrade', request, socket, head),
    dropUnauthorized: () => {
      for (const socket of io.sockets.sockets.values()) {
        if (!isAllowed(socket, dependencies.guard)) socket.disconnect(true)
      }
    },
    close: async () => {
      io.disconnectSockets(true)
      await io.close().catch(() => {}) // the relay never listens, which its end complains about
    },
  }
}

const TOO_MANY: Refusal = {
  status: 503,
  code: 'unavailable',
  detail: `There are ${BOUNDS.sockets.limit} sockets on this port already. Close some, then connect again.`,
}

/** Existing clients compare with these texts. */
function refusalOf(socket: Socket, guard: Guard): string | undefined {
  if (!isAllowed(socket, guard)) return 'invalid_session_api_key'
  return queryOf(socket, 'conversation_id') ? undefined : 'No conversation_id in query params'
}

function isAllowed(socket: Socket, guard: Guard): boolean {
  return socketKeysOf(socket.request).some(guard.isKey)
}

function serve(socket: Socket, { legacy, log }: Dependencies): void {
  const id = queryOf(socket, 'conversation_id') ?? ''
  let waiting = 0
  socket.conn.on('drain', () => {
    waiting = 0
  })
  try {
    const close = legacy.stream.open(id, latestEventId(socket), {
      send: frame => {
        waiting++
        if (waiting > MAX_WAITING_FRAMES) socket.disconnect(true)
        else socket.emit('oh_event', frame)
      },
      ready: async () => {
        await nextTurn()
        while (waiting > RESUME_BELOW_FRAMES && socket.connected) await drained(socket)
      },
      ended: () => socket.disconnect(true),
    })
    socket.on('disconnect', close)
  } catch (error) {
    fail(socket, error, log)
    socket.disconnect(true)
    return
  }
  const receive = (frame: unknown) => {
    const problem = problemOfValue(frame)
    if (problem) return sendError(socket, `The frame is ${describeJsonProblem(problem)}. Send less at once.`)
    const action = parseLax(clientAction, frame)
    if (!action.success) return sendError(socket, 'This is no action that the agent knows.')
    legacy.events.post(id, action.data).catch(error => fail(socket, error, log))
  }
  socket.on('oh_user_action', receive)
  socket.on('oh_action', receive)
}

/** Resolves when everything was handed to the network, or the connection is over. */
function drained({ conn }: Socket): Promise<void> {
  return new Promise(resolve => {
    const end = () => {
      conn.off('drain', end)
      conn.off('close', end)
      resolve()
    }
    conn.on('drain', end)
    conn.on('close', end)
  })
}

function fail(socket: Socket, error: unknown, log: Log): void {
  if (!isAppError(error)) log.error({ error: messageOf(error) }, 'A legacy socket failed')
  sendError(socket, isAppError(error) ? error.message : 'Internal error')
}

function sendError(socket: Socket, message: string): void {
  socket.emit('oh_event', { error: true, message })
}

function latestEventId(socket: Socket): number {
  const text = queryOf(socket, 'latest_event_id') ?? ''
  return /^-?\d{1,15}$/.test(text) ? Number(text) : -1
}

function queryOf(socket: Socket, name: string): string | undefined {
  const value = socket.handshake.query[name]
  return typeof value === 'string' ? value : undefined
}
