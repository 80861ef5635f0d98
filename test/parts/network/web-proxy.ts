import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

export interface WebProxy {
  /** With the scheme. */
  address: string
  /** Requests so far: `CONNECT host:port` or `GET http://host/path`, with their headers. */
  calls: { line: string; headers: IncomingHttpHeaders }[]
  /** From now on it answers nothing but this status; `silent` is nothing at all. */
  refuse(how: number | 'silent' | null): void
  /** Connections of now that were asked for with CONNECT. */
  open(): number
  close(): Promise<void>
}

/**
 * A proxy of a company, in whose network names lead to servers of this machine.
 * @param ports by `host:port`
 */
export async function startWebProxy(ports: Readonly<Record<string, number>>): Promise<WebProxy> {
  const calls: WebProxy['calls'] = []
  const open = new Set<Socket>()
  let refused: number | 'silent' | null = null
  const server = createServer((call, reply) => {
    calls.push({ line: `${call.method} ${call.url}`, headers: call.headers })
    if (refused === 'silent') return
    const url = new URL(call.url ?? '')
    const port = ports[`${url.hostname}:${url.port || 80}`]
    if (refused !== null || port === undefined) return void reply.writeHead(refused ?? 502).end('the proxy’s own page')
    const path = `${url.pathname}${url.search}`
    const onward = request({ host: '127.0.0.1', port, path, method: call.method, headers: call.headers }, answer => {
      reply.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(reply)
    })
    call.pipe(onward)
  })
  server.on('connect', (call, near: Socket) => {
    calls.push({ line: `CONNECT ${call.url}`, headers: call.headers })
    open.add(near.once('close', () => open.delete(near)))
    if (refused === 'silent') return void near.resume().once('end', () => near.end())
    const port = ports[call.url ?? '']
    if (refused !== null || port === undefined) {
      return void near.end(`HTTP/1.1 ${refused ?? 502} No\r\ncontent-length: 20\r\n\r\nthe proxy's own page`)
    }
    const far = connect(port, '127.0.0.1', () => near.write('HTTP/1.1 200 Connected\r\n\r\n'))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other)
      one.on('error', () => other.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    refuse: how => {
      refused = how
    },
    open: () => open.size,
    close: async () => {
      for (const socket of open) socket.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
