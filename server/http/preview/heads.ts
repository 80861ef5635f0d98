import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { isLoopback } from '../../api/loopback.ts'

/** Of one connection, not of the message: RFC 9110, section 7.6.1. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]
/** Where a message ends, and whom it is for: kept, whatever else is said of it. */
const FRAMING = ['content-length', 'transfer-encoding', 'host']

/** How the origins of previews and those that programs in the sandbox know change into each other. */
export interface Origins {
  /** `http://localhost:PORT` for a preview of the same sandbox; undefined for any other origin. */
  inSandbox(origin: string): string | undefined
  /** The preview of a port of the same sandbox, without a slash at its end. */
  preview(port: number): Promise<string>
}

/** What the program gets: development servers answer only to names that they know. */
export function requestHeaders(
  headers: IncomingHttpHeaders,
  port: number,
  { inSandbox }: Origins,
): OutgoingHttpHeaders {
  const kept: OutgoingHttpHeaders = withoutHops(headers)
  const { origin, referer } = headers
  kept.host = `localhost:${port}`
  if (origin !== undefined) kept.origin = inSandbox(origin) ?? origin
  if (referer !== undefined && URL.canParse(referer)) {
    const { origin: from, pathname, search } = new URL(referer)
    const known = inSandbox(from)
    if (known === undefined) delete kept.referer
    else kept.referer = `${known}${pathname}${search}`
  }
  return kept
}

/**
 * What the browser gets. The name of a preview opens it, so pages do not tell it to other sites; and what a program says of
 * `localhost` means its own sandbox.
 */
export async function responseHeaders(
  headers: IncomingHttpHeaders,
  asked: IncomingHttpHeaders,
  { inSandbox, preview }: Origins,
): Promise<OutgoingHttpHeaders> {
  const kept: OutgoingHttpHeaders = withoutHops(headers)
  delete kept['strict-transport-security']
  kept['referrer-policy'] = 'same-origin'
  const { location } = headers
  if (location !== undefined) kept.location = await previewed(location, preview)
  const cookies = headers['set-cookie']
  if (cookies) kept['set-cookie'] = cookies.map(cookie => cookie.replace(/;\s*domain=[^;]*/gi, ''))
  const { origin } = asked
  const allowed = headers['access-control-allow-origin']
  if (origin !== undefined && allowed === inSandbox(origin)) kept['access-control-allow-origin'] = origin
  return kept
}

async function previewed(location: string, preview: Origins['preview']): Promise<string> {
  if (!URL.canParse(location)) return location
  const { protocol, hostname, port, pathname, search, hash } = new URL(location)
  if (protocol !== 'http:' || !isLoopback(hostname)) return location
  return `${await preview(Number(port || 80))}${pathname}${search}${hash}`
}

/** What is said to the next of the way, and not to the end of it, is left out. */
export function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => FRAMING.includes(name) || (!HOP_BY_HOP.includes(name) && !named.includes(name)),
    ),
  )
}
