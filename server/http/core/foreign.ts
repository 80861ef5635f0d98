import type { IncomingMessage } from 'node:http'
import { BOUNDS } from '../../domain/bounds.ts'
import type { Refusal } from './refusal.ts'

export interface Origins {
  allows(origin: string): boolean
  /** Paths that a page of another site may send the browser to: where a sign-in elsewhere comes back to. */
  returnPaths: ReadonlySet<string>
}

type Head = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>

/**
 * Why a request is not one of this machine's own: a web page of another site, a name that only looks local (DNS
 * rebinding), or a form that could be read in two ways. It looks at the head alone, so that a refusal costs nothing.
 */
export function refusalOfForeign(request: Head, origins: Origins): Refusal | undefined {
  const { url = '', headers, rawHeaders } = request
  if (rawHeaders.length / 2 > BOUNDS.requestHeaders.limit) return TOO_MANY_HEADERS
  if (!url.startsWith('/')) return NO_PROXY
  if (hosts(rawHeaders) > 1) return TWO_HOSTS
  if (!isLocalHost(headers.host)) return FOREIGN
  // A page's own word on where it comes from decides; without it the browser's does.
  const isOurs = headers.origin === undefined ? isOurFetch(request, origins) : origins.allows(headers.origin)
  return isOurs ? undefined : FOREIGN
}

const FOREIGN: Refusal = {
  status: 403,
  code: 'forbidden',
  detail: 'Only programs and pages on this machine may call Atelier. Open this address from the address bar instead.',
}
const TWO_HOSTS: Refusal = { status: 400, code: 'bad_request', detail: 'Send one Host header.' }
const NO_PROXY: Refusal = {
  status: 400,
  code: 'bad_request',
  detail: 'Atelier is no proxy. Send the path alone in the request line, without scheme and host.',
}
const TOO_MANY_HEADERS: Refusal = {
  status: 431,
  code: 'too_large',
  detail: `The request has more than ${BOUNDS.requestHeaders.limit} headers. Send fewer.`,
}

/** `headers` keeps the first of several. */
function hosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === 'host').length
}

const LOCAL_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]'])

function isLocalHost(host: string | undefined): boolean {
  return host !== undefined && LOCAL_NAMES.has(host.replace(/:\d+$/, '').toLowerCase())
}

/** A web server of this machine, whatever its port: other tools' pages call with the key. */
export function isLocalOrigin(origin: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  return url !== undefined && url.protocol === 'http:' && LOCAL_NAMES.has(url.hostname)
}

/**
 * By Fetch Metadata, which every browser sends and no page can change: https://www.w3.org/TR/fetch-metadata/. Programs send
 * none. `none` is the address bar. Images, scripts and frames of other sites come without an Origin and are recognised by this alone.
 */
function isOurFetch(request: Head, { returnPaths }: Origins): boolean {
  const site = request.headers['sec-fetch-site']
  if (site === undefined || site === 'none' || site === 'same-origin') return true
  if (!isNavigation(request)) return false
  // A link of a page on another port of this machine, or the way back from a sign-in.
  return site === 'same-site' || (site === 'cross-site' && returnPaths.has(pathOf(request)))
}

/** The whole tab goes there, which no page can read afterwards; a frame does not count. */
export function isNavigation({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

function pathOf({ url = '' }: Head): string {
  return url.split('?', 1)[0] ?? ''
}
