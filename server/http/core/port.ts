import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { FrontDoor } from './front-door.ts'

/** A server whose connections are bounded in number, and each request in the time that it may take to arrive. */
export function createPort(
  app: RequestListener,
  { door, requestTimeout }: { door: FrontDoor; requestTimeout: number },
) {
  const server = createServer(
    {
      requestTimeout,
      keepAliveTimeout: BOUNDS.idleConnection.limit,
      headersTimeout: BOUNDS.requestHead.limit,
      connectionsCheckingInterval: BOUNDS.requestHead.limit / 2,
      maxHeaderSize: BOUNDS.requestHeadSize.limit,
    },
    app,
  )
  server.maxConnections = BOUNDS.connections.limit
  door.watch(server)
  return server
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

export async function closePort(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>(resolve => server.close(() => resolve()))
}
