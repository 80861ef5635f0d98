import { isIPv4, type LookupFunction } from 'node:net'
import { isPublic, literalIn, withoutDot } from './address.ts'
import { BLOCKED_PORTS } from './blocked-ports.ts'
import { OutboundError } from './problem.ts'

/** Every address of a name. @throws an error with the resolver's code */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

export function toLookup(
  resolve: Resolve,
  check: (hostname: string, addresses: readonly string[]) => void,
): LookupFunction {
  return (hostname, { all }, callback) => {
    const found = resolve(hostname).then(addresses => {
      check(
        hostname,
        addresses.map(({ address }) => address),
      )
      return addresses
    })
    found.then(
      addresses => {
        const [first] = addresses
        if (all) callback(null, addresses)
        else callback(null, first?.address ?? '', first?.family)
      },
      error => callback(error, ''),
    )
  }
}

/** One private address among public ones is enough to be refused: which of them is connected to is nobody's choice. */
export function assertAllPublic(hostname: string, addresses: readonly string[]): void {
  if (!addresses.every(isPublic)) throw privateHost(withoutDot(hostname))
}

/** @throws OutboundError for what nobody but the person may name */
export function assertMayBeAsked(url: URL): void {
  const literal = literalIn(url.hostname)
  if (literal !== null && !isPublic(literal)) throw privateHost(url.hostname)
  if (url.port === '' || !BLOCKED_PORTS.has(Number(url.port))) return
  throw new OutboundError('blocked-port', `Port ${url.port} of ${url.hostname} does not belong to a web server.`)
}

const UNKNOWN = ['ENOTFOUND', 'ENODATA']

/** What a proxy may connect to: it is given one address alone, and not every proxy has IPv6. @throws OutboundError private-host */
export async function publicAddressOf({ hostname }: URL, resolve: Resolve): Promise<string> {
  const literal = literalIn(hostname)
  if (literal !== null) return literal
  const found = await resolve(hostname).catch(error => {
    throw UNKNOWN.includes(error.code) ? unknownBehindProxy(hostname, error) : error
  })
  const addresses = found.map(({ address }) => address)
  const chosen = addresses.find(isIPv4) ?? addresses[0]
  if (chosen === undefined) throw unknownBehindProxy(hostname)
  assertAllPublic(hostname, addresses)
  return chosen
}

function privateHost(host: string): OutboundError {
  return new OutboundError(
    'private-host',
    `${host} is this machine or a machine of its own network, and it was not named by you. If it is meant to be reached, allow it in Settings › Privacy.`,
  )
}

function unknownBehindProxy(hostname: string, cause?: unknown): OutboundError {
  return new OutboundError(
    'private-host',
    `${withoutDot(hostname)} cannot be looked up on this computer, so it may be a machine of the network behind the proxy, and it was not named by you. If it is meant to be reached, allow it in Settings › Privacy.`,
    cause,
  )
}
