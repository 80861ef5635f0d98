import ipaddr from 'ipaddr.js'

/** Of 2000::/3, the only part of IPv6 that is routed between networks; every other block is local, reserved or a translation. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/** Answers inside of Azure alone, from a range that is public elsewhere. */
const AZURE_HOST = '168.63.129.16'

/**
 * Whether an address belongs to the public internet: not to this machine, its link, its network, a provider's carrier
 * network, a cloud's metadata service, a multicast group, or an IPv6 form that stands for such an IPv4 address.
 * @param address of an IP literal or a DNS answer, without brackets
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.parse(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.range() === 'unicast' && parsed.toString() !== AZURE_HOST
  return parsed.range() === 'unicast' && parsed.match(GLOBAL_IPV6)
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
