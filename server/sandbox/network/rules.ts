import ipaddr from 'ipaddr.js'
import { type AllowedHost, hostInSandbox, PRIVATE_RANGES } from '../../outbound/address.ts'
import type { NetworkContext } from './context.ts'

/**
 * What a sandbox may reach, as one transaction for nft(8): the internet, its own loopback device, its nameservers, and the
 * hosts that the person has allowed. What comes from outside, as to a published port, is answered. The rest is refused
 * rather than dropped, so that programs fail at once.
 *
 * Every packet of a connection that the sandbox has opened is judged, not only the first: a host that is closed again is
 * closed to open connections too.
 */
export function networkRules({ nameservers, addresses }: NetworkContext, allowed: readonly AllowedHost[]): string {
  const accepted = [
    ...nameservers.map(address => accept(address, 53)),
    ...allowed.flatMap(({ name, port }) =>
      (addresses[hostInSandbox(name)] ?? []).map(address => accept(address, port)),
    ),
  ]
  // The table is declared first, so that there is one to be deleted.
  return `table inet atelier
delete table inet atelier
table inet atelier {
  set private4 { type ipv4_addr; flags interval; elements = { ${PRIVATE_RANGES.ipv4.join(', ')} } }
  set private6 { type ipv6_addr; flags interval; elements = { ${PRIVATE_RANGES.ipv6.join(', ')} } }
  chain output {
    type filter hook output priority filter; policy accept
    oif lo accept
    ct direction reply accept
    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept
    ${[...new Set(accepted)].join('\n    ')}
    ip daddr @private4 goto refused
    ip6 daddr @private6 goto refused
  }
  chain refused {
    meta l4proto tcp reject with tcp reset
    reject with icmpx admin-prohibited
  }
}`
}

function accept(address: string, port: number | null): string {
  const to = `${ipaddr.parse(address).kind() === 'ipv4' ? 'ip' : 'ip6'} daddr ${address}`
  return port === null ? `${to} accept` : `${to} meta l4proto { tcp, udp } th dport ${port} accept`
}
