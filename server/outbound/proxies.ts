import ipaddr from 'ipaddr.js'
import { getProxyForUrl } from 'proxy-from-env'
import { literalIn, withoutDot } from './address.ts'
import { OutboundError } from './problem.ts'

/** The proxy that leads to an address; null is the direct way. @throws OutboundError proxy-refused for one that cannot be used */
export type FindProxy = (url: URL) => Promise<URL | null>

const VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'] as const

const SCHEMES = ['http:', 'https:', 'socks:', 'socks4:', 'socks4a:', 'socks5:', 'socks5h:']

/**
 * The variables of the environment, where one is set, and else what the system says.
 * @param ofSystem asked for an origin, answers in the form of Chromium: `DIRECT`, `PROXY host:port`, `SOCKS5 host:port`
 */
export function findProxyOf(ofSystem?: (origin: string) => Promise<string>): FindProxy {
  return async url => {
    if (isOfThisMachine(url)) return null
    const values = proxyVariables(process.env).map(({ value }) => value)
    if (values.length > 0) return isExcepted(url) ? null : ofVariable(getProxyForUrl(url.href), values)
    return ofSystem ? ofChromium(await ofSystem(url.origin)) : null
  }
}

/** Those that are set, in small letters too. Credentials may stand in them. */
export function proxyVariables(env: NodeJS.ProcessEnv): { name: string; value: string }[] {
  return VARIABLES.flatMap(name => {
    const value = env[name.toLowerCase()] || env[name]
    return value ? [{ name, value }] : []
  })
}

/** No proxy leads to this machine, whatever is set. https://chromium.googlesource.com/chromium/src/+/HEAD/net/docs/proxy.md */
function isOfThisMachine({ hostname }: URL): boolean {
  const name = withoutDot(hostname)
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const literal = literalIn(name)
  return literal !== null && ['loopback', 'linkLocal', 'unspecified'].includes(ipaddr.parse(literal).range())
}

/** What `NO_PROXY` means to other programs beyond names that are the same: names below one of its own, and ranges of addresses. */
function isExcepted({ hostname }: URL): boolean {
  const entries = (process.env.no_proxy || process.env.NO_PROXY || '')
    .toLowerCase()
    .split(/[,\s]+/)
    .filter(Boolean)
  const name = withoutDot(hostname)
  const literal = literalIn(name)
  if (literal === null) return entries.some(entry => name.endsWith(`.${entry}`))
  const address = ipaddr.parse(literal)
  return entries.some(entry => {
    if (!ipaddr.isValidCIDR(entry)) return entry.replace(/^\[|\]$/g, '') === literal
    const [range, bits] = ipaddr.parseCIDR(entry)
    return range.kind() === address.kind() && address.match(range, bits)
  })
}

function ofVariable(found: string, values: readonly string[]): URL | null {
  if (!found) return null
  // A value without a scheme was given that of the address, but a proxy is spoken to in plain HTTP then, as by other programs.
  const bare = found.replace(/^https?:\/\//, '')
  return toProxy(bare !== found && values.includes(bare) ? `http://${bare}` : found)
}

/** The first of its choices. */
function ofChromium(answer: string): URL | null {
  const [kind = '', host] = (answer.split(';')[0] ?? '').trim().split(/\s+/)
  const scheme = { PROXY: 'http', HTTPS: 'https', SOCKS: 'socks4a', SOCKS4: 'socks4a', SOCKS5: 'socks5h' }[kind]
  return scheme && host ? toProxy(`${scheme}://${host}`) : null
}

function toProxy(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url?.hostname || !SCHEMES.includes(url.protocol) || !isDecodable(url)) {
    throw new OutboundError(
      'proxy-refused',
      'The proxy that is set is no address of one, such as http://proxy.example.com:3128, or its password has a % that does not stand for a character.',
    )
  }
  // Names are looked up where the connection is made.
  const names = { 'socks5:': 'socks5h:', 'socks:': 'socks5h:', 'socks4:': 'socks4a:' }[url.protocol]
  return names ? new URL(url.href.replace(url.protocol, names)) : url
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(username + password)
    return true
  } catch {
    return false
  }
}
