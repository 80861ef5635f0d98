import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { BOUNDS } from '../../domain/bounds.ts'
import type { Target } from '../../preview/host-names.ts'
import type { PreviewServer, Previews } from '../../preview/previews.ts'
import { isNavigation } from '../core/foreign.ts'
import { closePort, createPort, listen } from '../core/port.ts'
import { exchange, joined, refuse, takeOver } from './exchange.ts'
import { type Origins, requestHeaders, responseHeaders } from './heads.ts'
import { FOREIGN, type Notice, UNKNOWN } from './pages.ts'
import { answerProxied, isProxied, openTunnel } from './proxy.ts'

type Known = Pick<Previews, 'address' | 'connect' | 'proxiedBy' | 'targetOf'>

/** A request for a preview that may be carried out. */
interface Admitted {
  target: Target
  origins: Origins
}

/**
 * Serves what listens in the sandboxes, each port under a name of its own below `localhost`, which browsers take for this
 * machine: https://www.rfc-editor.org/rfc/rfc6761#section-6.3. Requests and WebSockets go to the program as they are, but for the names
 * in their heads. For a browser of our own the same port is a proxy into the network of a sandbox.
 */
export async function servePreviews({ port, previews }: { port: number; previews: Known }): Promise<PreviewServer> {
  const server = createPort(
    (request, response) => void (isProxied(request) ? answerProxied : answer)(previews, request, response),
    { requestTimeout: BOUNDS.request.limit },
  )
  server.on('connect', (request, socket, head) => void openTunnel(previews, request, socket, head))
  server.on('upgrade', (request, socket, head) => void upgrade(previews, request, socket, head))
  const opened = await listen(server, port, 'ATELIER_PREVIEW_PORT')
  return { port: opened, close: () => closePort(server) }
}

function answer(previews: Known, request: IncomingMessage, response: ServerResponse): Promise<void> {
  return exchange(request, response, async () => {
    const admitted = await admit(previews, request)
    if ('status' in admitted) return admitted
    const { target, origins } = admitted
    const { url = '/', headers } = request
    return {
      connect: signal => previews.connect(target.sandboxId, { host: null, port: target.port }, signal),
      path: url,
      headers: requestHeaders(headers, target.port, origins),
      answerHeaders: answered => responseHeaders(answered, headers, origins),
    }
  })
}

function upgrade(previews: Known, request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
  return takeOver(socket, async closed => {
    const admitted = await admit(previews, request)
    if ('status' in admitted) return refuse(socket, admitted)
    const { target, origins } = admitted
    const connection = await previews.connect(target.sandboxId, { host: null, port: target.port }, closed)
    const { method = 'GET', url = '/', headers } = request
    const sent = { ...requestHeaders(headers, target.port, origins), connection: 'Upgrade', upgrade: headers.upgrade }
    const lines = Object.entries(sent).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map(each => `${name}: ${each}`),
    )
    connection.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    connection.write(head)
    await joined(socket, connection)
  })
}

/** Who may ask for what: by the name alone, and by the site of the page that asks. */
async function admit(previews: Known, request: IncomingMessage): Promise<Admitted | Notice> {
  const { url = '', headers } = request
  const target = await targetIn(previews, headers.host)
  if (!target || !url.startsWith('/')) return UNKNOWN
  const { origin } = headers
  const from = origin === undefined ? undefined : await targetIn(previews, hostIn(origin))
  const isOwn = origin === undefined ? isOwnFetch(request) : from?.sandboxId === target.sandboxId
  if (!isOwn) return FOREIGN
  const known = new Map([
    [origin, from],
    [`http://${headers.host}`, target],
  ])
  return {
    target,
    origins: {
      inSandbox: each => {
        const place = known.get(each)
        return place && `http://localhost:${place.port}`
      },
      preview: async port => (await previews.address({ ...target, port })).replace(/\/$/, ''),
    },
  }
}

function targetIn(previews: Known, host: string | undefined): Promise<Target | undefined> | undefined {
  const label = /^([a-z0-9-]+)\.localhost(?::\d+)?$/i.exec(host ?? '')?.[1]
  return label === undefined ? undefined : previews.targetOf(label.toLowerCase())
}

function hostIn(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}

/**
 * By Fetch Metadata: https://www.w3.org/TR/fetch-metadata/. Programs send none, and whoever knows the name may open it in a tab.
 * A page of another port of the same sandbox is another site, and says its origin.
 */
function isOwnFetch(request: IncomingMessage): boolean {
  const site = request.headers['sec-fetch-site']
  return site === undefined || site === 'none' || site === 'same-origin' || isNavigation(request)
}
