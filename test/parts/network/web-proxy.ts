import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { TLSSocket } from 'node:tls'

type Refusal = number | 'silent' | 'endless' | null

export interface WebProxy {
  /** With the scheme. */
  address: string
  /** Requests so far: `CONNECT host:port` or `GET http://host/path`, with their headers. */
  calls: { line: string; headers: IncomingHttpHeaders }[]
  /** By which name each of its connections with TLS asked for it, if by any. */
  names: (string | false | null | undefined)[]
  /** From now on it answers nothing but this status; `silent` is nothing at all, and `endless` is headers without an end. */
  refuse(how: Refusal): void
  /** Connections of now that were asked for with CONNECT. */
  open(): number
  close(): Promise<void>
}

/**
 * A proxy of a company, in whose network names lead to servers of this machine.
 * @param ports by `host:port`
 * @param identity with which it is spoken to with TLS
 */
export async function startWebProxy(
  ports: Readonly<Record<string, number>>,
  identity?: { key: Buffer; cert: Buffer },
): Promise<WebProxy> {
  const calls: WebProxy['calls'] = []
  const open = new Set<Socket>()
  const names: WebProxy['names'] = []
  let refused: Refusal = null
  const answer: RequestListener = (call, reply) => {
    calls.push({ line: `${call.method} ${call.url}`, headers: call.headers })
    if (typeof refused === 'string') return
    const url = new URL(call.url ?? '')
    const port = ports[`${url.hostname}:${url.port || 80}`]
    if (refused !== null || port === undefined) return void reply.writeHead(refused ?? 502).end('the proxy’s own page')
    const path = `${url.pathname}${url.search}`
    const onward = request({ host: '127.0.0.1', port, path, method: call.method, headers: call.headers }, found => {
      reply.writeHead(found.statusCode ?? 502, found.headers)
      found.pipe(reply)
    })
    call.pipe(onward)
  }
  const server = identity ? createTlsServer(identity, answer) : createServer(answer)
  server.on('secureConnection', ({ servername }: TLSSocket) => names.push(servername))
  server.on('connect', (call, near: Socket) => {
    calls.push({ line: `CONNECT ${call.url}`, headers: call.headers })
    open.add(near.once('close', () => open.delete(near)))
    near.on('error', () => {})
    const port = ports[call.url ?? '']
    if (refused !== null || port === undefined) {
      // It waits for another request.
      near.resume().once('end', () => near.end())
      if (refused === 'silent') return
      if (refused === 'endless') return void endlessHeaders().pipe(near)
      return void near.write(`HTTP/1.1 ${refused ?? 502} No\r\ncontent-length: 20\r\n\r\nthe proxy's own page`)
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
    address: `${identity ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    names,
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

function endlessHeaders(): Readable {
  let count = 0
  return new Readable({
    read() {
      this.push(count++ === 0 ? 'HTTP/1.1 200 Connected\r\n' : `x-${count}: ${'x'.repeat(1_000)}\r\n`)
    },
  })
}
