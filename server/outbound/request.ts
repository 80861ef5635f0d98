import { Readable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { OutboundError } from './problem.ts'

/** A request as it goes out. `url` is the only part that a redirect changes. */
export interface OutboundRequest {
  url: URL
  method: string
  headers: Record<string, string>
  /** A stream is sent as it comes. */
  body: Buffer | Readable | undefined
  /** Whether a header may be a credential: every header is, but those that are known to say nothing about the caller. */
  carriesKey: boolean
}

const HARMLESS = new Set(['accept', 'accept-language', 'content-type', 'mcp-protocol-version', 'user-agent'])

/** @throws OutboundError bad-address, TypeError for headers that cannot be sent */
export async function toRequest(input: string | URL | Request, init: RequestInit = {}): Promise<OutboundRequest> {
  if (input instanceof Request) throw new TypeError('Give the address and its options apart.')
  const url = webAddress(input)
  const headers = new Headers(init.headers)
  const body = await bodyOf(init.body, headers)
  const carriesKey = [...headers.keys()].some(name => !HARMLESS.has(name))
  if (!headers.has('accept')) headers.set('accept', '*/*')
  if (!headers.has('user-agent')) headers.set('user-agent', 'Atelier')
  return { url, method: init.method?.toUpperCase() ?? 'GET', headers: Object.fromEntries(headers), body, carriesKey }
}

function webAddress(input: string | URL): URL {
  const url = URL.canParse(input) ? new URL(input) : undefined
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url
  throw new OutboundError('bad-address', 'That is no address of a web server, or it carries a user name or password.')
}

/** Names the body's type where the caller has not, as `fetch` does. */
async function bodyOf(body: RequestInit['body'], headers: Headers): Promise<OutboundRequest['body']> {
  if (body === undefined || body === null) return undefined
  if (body instanceof ReadableStream) return Readable.fromWeb(body as WebStream)
  // As bytes at once: a string is measured and written anew for the socket, which takes five times as long for a megabyte.
  if (typeof body === 'string' && headers.has('content-type')) return Buffer.from(body)
  const whole = new Response(body)
  const type = whole.headers.get('content-type')
  if (type !== null && !headers.has('content-type')) headers.set('content-type', type)
  return Buffer.from(await whole.arrayBuffer())
}
