import ipaddr from 'ipaddr.js'

/** Of IPv6 only 2000::/3 is routed between networks; what is outside of it is local, reserved or a translation. */
const OUTSIDE_OF_GLOBAL_IPV6 = ['::/3', '4000::/2', '8000::/1']

/** Answers inside of Azure alone, from a range that is public elsewhere. */
const AZURE_HOST = '168.63.129.16/32'

type Block = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/**
 * What does not belong to the public internet, none inside of another: this machine, its link, its network, a provider's
 * carrier network, a cloud's metadata service, multicast groups, and IPv6 forms that stand for such IPv4 addresses.
 */
const PRIVATE_BLOCKS = {
  ipv4: withoutNested([ipaddr.parseCIDR(AZURE_HOST), ...specialBlocks(ipaddr.IPv4)]),
  ipv6: withoutNested([...OUTSIDE_OF_GLOBAL_IPV6.map(cidr => ipaddr.parseCIDR(cidr)), ...specialBlocks(ipaddr.IPv6)]),
}

/** The same as CIDR notation. */
export const PRIVATE_RANGES: Readonly<Record<'ipv4' | 'ipv6', readonly string[]>> = {
  ipv4: PRIVATE_BLOCKS.ipv4.map(notation),
  ipv6: PRIVATE_BLOCKS.ipv6.map(notation),
}

/**
 * Whether an address belongs to the public internet.
 * @param address of an IP literal or a DNS answer, without brackets
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  return !PRIVATE_BLOCKS[parsed.kind()].some(([start, bits]) => parsed.match(start, bits))
}

/** The library's own table of the special ranges, which its published types leave out. */
function specialBlocks(family: typeof ipaddr.IPv4 | typeof ipaddr.IPv6): Block[] {
  const { SpecialRanges } = family.prototype as unknown as { SpecialRanges: Record<string, Block | Block[]> }
  return Object.values(SpecialRanges).flatMap(blocks => (isList(blocks) ? blocks : [blocks]))
}

function isList(blocks: Block | Block[]): blocks is Block[] {
  return Array.isArray(blocks[0])
}

function withoutNested(blocks: readonly Block[]): Block[] {
  return blocks.filter(
    ([start, bits], index) =>
      !blocks.some(
        ([other, otherBits], at) =>
          start.match(other, otherBits) && (otherBits < bits || (otherBits === bits && at < index)),
      ),
  )
}

function notation([start, bits]: Block): string {
  return `${start.toString()}/${bits}`
}

/** Whether an IP literal stands in a URL's `hostname`, which has normalised its spelling already. */
export function literalIn(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) ? bare : null
}

/**
 * The one spelling of a host, as in `allowed_hosts`: a name or an address in lower case, with a port only if one was given.
 * @returns null for what is no host
 */
export function toHost(text: string): string | null {
  const host = text.trim()
  if (!host || /[\s/?#@\\]/.test(host)) return null
  const bracketed = host.includes('::') && !host.startsWith('[') ? `[${host}]` : host
  if (!URL.canParse(`http://${bracketed}`)) return null
  const { hostname } = new URL(`http://${bracketed}`)
  const port = /:(\d+)$/.exec(bracketed)?.[1]
  const name = withoutDot(hostname)
  return name && (port ? `${name}:${Number(port)}` : name)
}

/** `localhost.` is `localhost`. */
export function withoutDot(hostname: string): string {
  return hostname.replace(/\.+$/, '')
}

/** Whether the person has allowed the host of a URL, at this port or at every port. */
export function isAllowed(url: URL, allowed: readonly string[]): boolean {
  const name = withoutDot(url.hostname)
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return allowed.some(host => host === name || host === `${name}:${port}`)
}

/** The name that a host has in a sandbox, where `localhost` is the sandbox itself. */
export function hostInSandbox(name: string): string {
  return ['localhost', '127.0.0.1', '::1'].includes(name.replace(/^\[|\]$/g, '')) ? 'host.docker.internal' : name
}

/** An entry of `allowed_hosts`. */
export interface AllowedHost {
  /** A name or an address, without brackets. */
  name: string
  /** null is every port. */
  port: number | null
}

/** @param host as `toHost` writes it */
export function allowedHost(host: string): AllowedHost {
  const port = /:(\d+)$/.exec(host.replace(/^\[.*\]/, ''))?.[1]
  const name = port === undefined ? host : host.slice(0, -port.length - 1)
  return { name: name.replace(/^\[|\]$/g, ''), port: port === undefined ? null : Number(port) }
}

/** Of the address of a proxy. */
export function isSocks({ protocol }: URL): boolean {
  return protocol.startsWith('socks')
}
