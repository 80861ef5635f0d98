import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { RequestGate } from './request-gate.ts'

/** A server whose connections are bounded in number, and each request in the time that it may take to arrive. */
export function createPort(
  app: RequestListener,
  { gate, requestTimeout }: { gate?: RequestGate; requestTimeout: number },
) {
  const server = createServer(
    {
      // Of those that may arrive slowly; the others have a time of their own.
      requestTimeout: Math.max(requestTimeout, BOUNDS.specFileTime.limit),
      keepAliveTimeout: BOUNDS.idleConnection.limit,
      headersTimeout: BOUNDS.requestHead.limit,
      connectionsCheckingInterval: BOUNDS.requestHead.limit / 2,
      maxHeaderSize: BOUNDS.requestHeadSize.limit,
    },
    app,
  )
  server.maxConnections = BOUNDS.connections.limit
  const connections = new Set<Socket>()
  connectionsOf.set(server, connections)
  server.on('connection', socket => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', request => endLate(request, requestTimeout))
  gate?.watch(server)
  return server
}

const arrivals = new WeakMap<IncomingMessage, { timer: NodeJS.Timeout; milliseconds: number }>()

/** Node knows one time for all requests of a server. */
function endLate(request: IncomingMessage, milliseconds: number): void {
  const late = () => {
    if (request.complete || request.destroyed) return
    request.socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n', () => request.socket.destroy())
  }
  const timer = setTimeout(late, milliseconds).unref()
  arrivals.set(request, { timer, milliseconds })
  request.once('close', () => clearTimeout(timer))
}

/** For a large file, which comes no faster than the engine takes it. Only once the request was let in. */
export function letArriveSlowly(request: IncomingMessage): void {
  clearTimeout(arrivals.get(request)?.timer)
}

/** It has its reply: what still comes has the usual time again, so that nobody is read from for hours for nothing. */
export function endArrival(request: IncomingMessage): void {
  const arrival = arrivals.get(request)
  if (!arrival || request.complete || request.destroyed) return
  const timer = setTimeout(() => request.socket.destroy(), arrival.milliseconds).unref()
  request.once('close', () => clearTimeout(timer))
}

/**
 * On 127.0.0.1; a taken port falls back to a free one.
 * @param variable what sets the port, for the message when it can not be had
 */
export async function listen(server: Server, port: number, variable: string): Promise<number> {
  try {
    return await listenOn(server, port)
  } catch (error) {
    if (port === 0 || !isTaken(error)) {
      throw new AppError(
        'unavailable',
        `The API could not be served on port ${port}. Set ${variable} to another one.`,
        { cause: error },
      )
    }
    return listenOn(server, 0)
  }
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
}

/** Upgraded ones too, of which `closeAllConnections` knows nothing, but for which the end of a server waits. */
const connectionsOf = new WeakMap<Server, Set<Socket>>()

/** Ends every connection of a server made by `createPort`, and resolves when its port is free. */
export async function closePort(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  for (const connection of connectionsOf.get(server) ?? []) connection.destroy()
  await closed
}
