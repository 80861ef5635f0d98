import type { IncomingMessage } from 'node:http'
import { OutboundError } from './problem.ts'
import type { OutboundRequest } from './request.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** @returns null when the answer is to be read as it is */
export function nextAddress(
  { url, method, carriesKey, body }: OutboundRequest,
  { statusCode = 0, headers }: IncomingMessage,
  redirect: RequestRedirect | undefined,
): URL | 'refused' | null {
  if (redirect === 'manual' || !REDIRECTS.has(statusCode) || headers.location === undefined) return null
  const isPlain = method === 'GET' && body === undefined && !carriesKey && redirect !== 'error'
  if (!isPlain || !URL.canParse(headers.location, url)) return 'refused'
  const next = new URL(headers.location, url)
  return next.origin === url.origin ? next : 'refused'
}

export function redirected({ url }: OutboundRequest): OutboundError {
  return new OutboundError(
    'redirect',
    `${url.host} answered with a redirect to another address, which was not followed.`,
  )
}
