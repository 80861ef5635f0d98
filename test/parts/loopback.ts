import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A web server on 127.0.0.1 that notes who called. */
export interface LoopbackServer {
  origin: string
  port: number
  /** Requests so far, with what they carried. */
  calls: { path: string; headers: Record<string, string | string[] | undefined>; body: string }[]
  /** Connections so far. */
  connections: number
  close(): Promise<void>
}

export async function startLoopback(answer: RequestListener): Promise<LoopbackServer> {
  const calls: LoopbackServer['calls'] = []
  const server: Server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    calls.push({ path: request.url ?? '', headers: request.headers, body })
    answer(request, response)
  })
  const loopback = { origin: '', port: 0, calls, connections: 0, close: () => close(server) }
  server.on('connection', () => loopback.connections++)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  loopback.port = (server.address() as AddressInfo).port
  loopback.origin = `http://127.0.0.1:${loopback.port}`
  return loopback
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
}
