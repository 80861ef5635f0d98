import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { isLoopback } from '../../api/loopback.ts'
import type { Destination } from '../../domain/port-closed.ts'
import type { Previews } from '../../preview/previews.ts'
import { exchange, joined, refuse, takeOver } from './exchange.ts'
import { withoutHops } from './heads.ts'
import { type Notice, noticeOf } from './pages.ts'

type Known = Pick<Previews, 'connect' | 'proxiedBy'>

const UNKNOWN_USER: Notice = {
  status: 407,
  title: 'Proxy Authentication Required',
  text: 'The name and the password are those that the API gives for the proxy of a sandbox.',
  mayCome: false,
}
const CHALLENGE = 'Basic realm="Atelier"'

const NO_DESTINATION: Notice = {
  status: 400,
  title: 'Bad Request',
  text: 'The proxy takes http addresses and CONNECT.',
  mayCome: false,
}

/** A request to a proxy names a whole address: RFC 9112, section 3.2.2. */
export function isProxied({ url = '' }: IncomingMessage): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(url)
}

/** Carries a request out in the network of the sandbox whose proxy was named. */
export function answerProxied(previews: Known, request: IncomingMessage, response: ServerResponse): Promise<void> {
  return exchange(request, response, async () => {
    const sandboxId = previews.proxiedBy(credentialsIn(request))
    if (sandboxId === undefined) {
      response.setHeader('Proxy-Authenticate', CHALLENGE)
      return UNKNOWN_USER
    }
    const { url = '', headers } = request
    const asked = URL.canParse(url) ? new URL(url) : undefined
    if (asked?.protocol !== 'http:') return NO_DESTINATION
    const sent: OutgoingHttpHeaders = { ...withoutHops(headers), host: asked.host }
    return {
      connect: signal => previews.connect(sandboxId, destinationOf(asked), signal),
      path: `${asked.pathname}${asked.search}`,
      headers: sent,
      answerHeaders: withoutHops,
    }
  })
}

/** For what is not HTTP, or secret to us: RFC 9110, section 9.3.6. */
export function openTunnel(previews: Known, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  return takeOver(
    socket,
    async closed => {
      const sandboxId = previews.proxiedBy(credentialsIn(request))
      if (sandboxId === undefined) return refuse(socket, UNKNOWN_USER, [`Proxy-Authenticate: ${CHALLENGE}`])
      const address = `http://${request.url}`
      const asked = URL.canParse(address) ? new URL(address) : undefined
      if (!asked || !/:\d{1,5}$/.test(request.url ?? '')) return refuse(socket, NO_DESTINATION)
      const connection = await previews.connect(sandboxId, destinationOf(asked), closed)
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      connection.write(head)
      await joined(socket, connection)
    },
    // A browser shows nothing of a refusal, so its title has to be one of HTTP.
    error => ({ ...noticeOf(error), title: 'Bad Gateway' }),
  )
}

function destinationOf({ hostname, port }: URL): Destination {
  return { host: isLoopback(hostname) ? null : hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) }
}

/** RFC 7617, section 2. */
function credentialsIn(request: IncomingMessage): { username: string; password: string } | undefined {
  const encoded = /^basic +([a-z0-9+/=]+)$/i.exec(request.headers['proxy-authorization'] ?? '')?.[1]
  const [, username, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  return username === undefined || password === undefined ? undefined : { username, password }
}
