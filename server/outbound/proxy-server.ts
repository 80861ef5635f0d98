import type { RequestOptions } from 'node:http'
import { unescape as decode } from 'node:querystring'
import type { SecureContext } from 'node:tls'
import { literalIn, withoutDot } from './address.ts'

/**
 * Where a proxy of HTTP is asked, in the place of a server. Node would take the name for TLS from the header `Host`.
 * @param trust for one that is spoken to with TLS
 */
export function proxyServer({ protocol, hostname, port }: URL, trust: SecureContext | undefined): RequestOptions {
  const literal = literalIn(hostname)
  const isSecure = protocol === 'https:'
  return {
    protocol,
    hostname: literal ?? hostname,
    port: port || (isSecure ? 443 : 80),
    ...(isSecure && { servername: literal === null ? withoutDot(hostname) : '' }),
    ...(isSecure && trust && { secureContext: trust }),
  }
}

/** What signs in to a proxy. A % that does not stand for a character is one. */
export function proxyCredentials({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {}
  const pair = `${decode(username)}:${decode(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}
