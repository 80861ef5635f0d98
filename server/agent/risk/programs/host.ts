import { isIP } from 'node:net'

export type HostKind = 'loopback' | 'private' | 'metadata' | 'public'

export function hostKindOf(host: string): HostKind {
  const ip = plainIp(host)
  if (
    host === 'metadata.google.internal' ||
    ip === '169.254.169.254' ||
    ip === 'fd00:ec2::254' ||
    ip === '100.100.100.200'
  )
    return 'metadata'
  if (host === 'localhost' || host.endsWith('.localhost') || ip === '::1' || /^127\./.test(ip) || ip === '0.0.0.0')
    return 'loopback'
  if (
    /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(ip) ||
    /^(f[cd]|fe[89ab])[\da-f]*:/.test(ip)
  )
    return 'private'
  if (host === 'host.docker.internal' || /\.(internal|local|lan|home|corp)$/.test(host) || !/[.:]/.test(host))
    return 'private'
  return 'public'
}

/** Also in the forms 2130706433, 0x7f000001, 0177.0.0.1 and 127.1, as the system reads them. */
function plainIp(host: string): string {
  if (isIP(host)) return host.replace(/^::ffff:(?=\d+\.)/, '')
  if (!/^(0x[\da-f]+|\d+)(\.(0x[\da-f]+|\d+)){0,3}$/.test(host)) return ''
  try {
    return new URL(`http://${host}/`).hostname
  } catch {
    return ''
  }
}
