import ipaddr from 'ipaddr.js'
import { type AllowedHost, hostInSandbox, PRIVATE_RANGES } from '../../outbound/address.ts'
import type { NetworkContext } from './context.ts'
import { DNS_PORT, PROXY_PORT } from './gateway/configuration.ts'

/**
 * What a sandbox may reach, as one transaction for nft(8): the internet, its own loopback device, its nameservers, and the
 * hosts that the person has allowed. What comes from outside, as to a published port, is answered. The rest is refused
 * rather than dropped, so that programs fail at once.
 *
 * Every packet of a connection that the sandbox has opened is judged, not only the first: a host that is closed again is
 * closed to open connections too.
 */
export function networkRules(context: NetworkContext, allowed: readonly AllowedHost[]): string {
  const accepted = [
    ...context.nameservers.map(address => accept(address, 53)),
    ...opened(context, allowed).map(({ address, port }) => accept(address, port)),
  ]
  return table(`${PRIVATE_SETS}
  ${output([...accepted, ...REFUSE_PRIVATE])}`)
}

/** Nothing but its own loopback device, and answers. */
export function closedRules(): string {
  return table(output(['goto refused']))
}

/** An address that is reached without the gateway; every port where it is null. */
export interface OpenedAddress {
  address: string
  port: number | null
}

/**
 * The gateway alone, and what is opened by its address: hosts `allowed` in the settings, and, over TCP, those that the list has
 * `named`. Questions to any nameserver and connections to any other address go
 * to the gateway, which judges them by the name that they are made to.
 */
export function allowlistRules(
  gateway: string,
  { allowed, named }: Record<'allowed' | 'named', readonly OpenedAddress[]>,
): string {
  const accepted = [
    ...allowed.map(({ address, port }) => accept(address, port)),
    ...named.map(({ address, port }) => acceptTcp(address, port)),
  ]
  return table(`chain names {
    type nat hook output priority -100; policy accept
    oif lo accept
    meta nfproto ipv4 udp dport 53 dnat ip to ${gateway}:${DNS_PORT}
    meta nfproto ipv4 tcp dport 53 dnat ip to ${gateway}:${DNS_PORT}
    ${[...new Set(accepted)].join('\n    ')}
    meta nfproto ipv4 meta l4proto tcp dnat ip to ${gateway}
  }
  ${output([...accepted, `ip daddr ${gateway} meta l4proto tcp accept`, accept(gateway, DNS_PORT), 'goto refused'])}`)
}

/** Of the gateway: all that comes goes to its two programs, which reach the internet and nothing private. */
export function gatewayRules({ nameservers }: NetworkContext): string {
  return table(`${PRIVATE_SETS}
  chain entered {
    type nat hook prerouting priority -100; policy accept
    meta nfproto ipv4 tcp dport != ${DNS_PORT} redirect to :${PROXY_PORT}
  }
  ${output([...nameservers.map(address => accept(address, 53)), ...REFUSE_PRIVATE])}`)
}

/** Of a device, for programs that may write whole packets, which no rule for connections sees. */
export interface DeviceAddresses {
  ipv4: string
  hardware: string
}

/**
 * What the steps of a build may reach: what a sandbox may, over IPv4. They have the engine's capabilities and may write packets
 * themselves, so that whatever leaves by the device is judged once more, and is to come from its own addresses: an answer to
 * a question for another's address would draw that one's traffic here.
 */
export function buildRules(context: NetworkContext, allowed: readonly AllowedHost[], own: DeviceAddresses): string {
  const nameservers = context.nameservers.filter(isIpv4).map(address => accept(address, 53))
  const hosts = opened(context, allowed).filter(({ address }) => isIpv4(address))
  const accepted = [...nameservers, ...hosts.map(({ address, port }) => accept(address, port))]
  const connections = table(`${PRIVATE_SETS}
  ${output(['meta nfproto ipv6 goto refused', ...accepted, ...REFUSE_PRIVATE])}`)
  return `${connections}
table netdev atelier
delete table netdev atelier
table netdev atelier {
  set private4 { type ipv4_addr; flags interval; elements = { ${PRIVATE_RANGES.ipv4.join(', ')} } }
  chain egress {
    type filter hook egress device "eth0" priority 0; policy drop
    ether saddr != ${own.hardware} drop
    meta protocol arp arp saddr ether ${own.hardware} arp saddr ip ${own.ipv4} accept
    meta protocol != ip drop
    ip saddr != ${own.ipv4} drop
    ${[...new Set(accepted)].join('\n    ')}
    ip daddr @private4 drop
    accept
  }
}`
}

/** The addresses of hosts that the person has allowed, as they are now. */
export function opened({ addresses }: NetworkContext, allowed: readonly AllowedHost[]): OpenedAddress[] {
  return allowed.flatMap(({ name, port }) => (addresses[hostInSandbox(name)] ?? []).map(address => ({ address, port })))
}

const PRIVATE_SETS = `set private4 { type ipv4_addr; flags interval; elements = { ${PRIVATE_RANGES.ipv4.join(', ')} } }
  set private6 { type ipv6_addr; flags interval; elements = { ${PRIVATE_RANGES.ipv6.join(', ')} } }`

const REFUSE_PRIVATE = ['ip daddr @private4 goto refused', 'ip6 daddr @private6 goto refused']

/** Of the table: where connections that are refused are counted, by address and port, in a bounded number. */
export const REFUSED_SETS: readonly string[] = ['refused4', 'refused6']

const COUNTED = `set refused4 { type ipv4_addr . inet_service; size 256; flags dynamic,timeout; }
  set refused6 { type ipv6_addr . inet_service; size 256; flags dynamic,timeout; }`

/** The table is declared first, so that there is one to be deleted. */
function table(chains: string): string {
  return `table inet atelier
delete table inet atelier
table inet atelier {
  ${chains}
  ${COUNTED}
  chain refused {
    meta nfproto ipv4 meta l4proto tcp update @refused4 { ip daddr . tcp dport timeout 10m counter }
    meta nfproto ipv6 meta l4proto tcp update @refused6 { ip6 daddr . tcp dport timeout 10m counter }
    meta l4proto tcp reject with tcp reset
    reject with icmpx admin-prohibited
  }
}`
}

function output(rules: readonly string[]): string {
  return `chain output {
    type filter hook output priority filter; policy accept
    oif lo accept
    ct direction reply accept
    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept
    ${[...new Set(rules)].join('\n    ')}
  }`
}

function acceptTcp(address: string, port: number | null): string {
  return port === null ? `${to(address)} meta l4proto tcp accept` : `${to(address)} tcp dport ${port} accept`
}

function accept(address: string, port: number | null): string {
  return port === null ? `${to(address)} accept` : `${to(address)} meta l4proto { tcp, udp } th dport ${port} accept`
}

function to(address: string): string {
  return `${isIpv4(address) ? 'ip' : 'ip6'} daddr ${address}`
}

function isIpv4(address: string): boolean {
  return ipaddr.parse(address).kind() === 'ipv4'
}
