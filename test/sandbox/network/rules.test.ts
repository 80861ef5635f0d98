import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { isPublic, PRIVATE_RANGES } from '../../../server/outbound/address.ts'
import { parseNetworkContext } from '../../../server/sandbox/network/context.ts'
import { allowlistRules, closedRules, networkRules } from '../../../server/sandbox/network/rules.ts'

const linesOf = (rules: string) => rules.split('\n').map(line => line.trim())

describe('the ranges that are closed', () => {
  const ranges = [...PRIVATE_RANGES.ipv4, ...PRIVATE_RANGES.ipv6].map(cidr => ipaddr.parseCIDR(cidr))

  test.each([
    ['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '168.63.129.16', '169.254.169.254', '172.17.0.1'],
    ['192.0.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
    [
      '::',
      '::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      'fc00::1',
      'fd00:ec2::254',
      'fe80::1',
      'ff02::1',
      '2002:a00:1::1',
    ],
  ])('hold every kind of private address', (...addresses) => {
    expect(addresses.filter(isPublic)).toEqual([])
  })

  test('hold what is not public, and nothing else', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6())
    fc.assert(
      fc.property(address, text => {
        const parsed = ipaddr.parse(text)
        const isClosed = ranges.some(range => range[0].kind() === parsed.kind() && parsed.match(range))
        expect(isPublic(text)).toBe(!isClosed)
      }),
    )
  })

  test('hold no range inside of another, which a set of nftables would refuse', () => {
    const nested = ranges.flatMap(([start, bits], index) =>
      ranges.filter(
        ([other, otherBits], at) =>
          at !== index && other.kind() === start.kind() && otherBits <= bits && start.match(other, otherBits),
      ),
    )
    expect(nested).toEqual([])
  })

  test('leave the internet open', () => {
    expect(['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111'].every(isPublic)).toBe(true)
  })
})

describe('the rules', () => {
  test('open the nameservers on their port alone', () => {
    const rules = networkRules({ nameservers: ['192.168.1.1', 'fd00::53'], addresses: {} }, [])
    expect(linesOf(rules)).toContain('ip daddr 192.168.1.1 meta l4proto { tcp, udp } th dport 53 accept')
    expect(linesOf(rules)).toContain('ip6 daddr fd00::53 meta l4proto { tcp, udp } th dport 53 accept')
  })

  test('open every address of an allowed name, at its port or at every port', () => {
    const addresses = { 'git.lan': ['10.0.0.7', 'fd00::7'], 'host.docker.internal': ['172.17.0.1'] }
    const allowed = [
      { name: 'git.lan', port: 443 },
      { name: 'localhost', port: null },
      { name: 'unknown.lan', port: null },
    ]
    const accepted = linesOf(networkRules({ nameservers: [], addresses }, allowed)).filter(line =>
      / daddr .*accept/.test(line),
    )
    expect(accepted).toEqual([
      'ip daddr 10.0.0.7 meta l4proto { tcp, udp } th dport 443 accept',
      'ip6 daddr fd00::7 meta l4proto { tcp, udp } th dport 443 accept',
      'ip daddr 172.17.0.1 accept',
    ])
  })
})

test('what is printed about the surroundings is read as addresses, and as nothing else', () => {
  const printed = `nameserver nameserver 10.0.0.53
nameserver nameserver fe80::1%eth0
nameserver nameserver ; drop
address git.lan 10.0.0.7       STREAM git.lan
address git.lan 10.0.0.7       DGRAM
address git.lan accept
strange git.lan 10.0.0.8`
  expect(parseNetworkContext(printed)).toEqual({
    nameservers: ['10.0.0.53', 'fe80::1'],
    addresses: { 'git.lan': ['10.0.0.7'] },
  })
})

describe('the rules of an allowlist', () => {
  const rules = linesOf(
    allowlistRules('172.17.0.9', {
      allowed: [{ address: '192.168.1.5', port: 8080 }],
      named: [{ address: '140.82.121.4', port: 22 }],
    }),
  )

  test('send questions and connections to the gateway, but for what is reached by its address', () => {
    const sent = [
      'meta nfproto ipv4 udp dport 53 dnat ip to 172.17.0.9:5353',
      'ip daddr 192.168.1.5 meta l4proto { tcp, udp } th dport 8080 accept',
      'ip daddr 140.82.121.4 tcp dport 22 accept',
      'meta nfproto ipv4 meta l4proto tcp dnat ip to 172.17.0.9',
    ]
    const places = sent.map(line => rules.indexOf(line))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  test('refuse everything else', () => {
    const accepted = rules.filter(line => /\baccept$/.test(line) && /daddr/.test(line))
    expect(new Set(accepted)).toEqual(
      new Set([
        'ip daddr 192.168.1.5 meta l4proto { tcp, udp } th dport 8080 accept',
        'ip daddr 140.82.121.4 tcp dport 22 accept',
        'ip daddr 172.17.0.9 meta l4proto tcp accept',
        'ip daddr 172.17.0.9 meta l4proto { tcp, udp } th dport 5353 accept',
      ]),
    )
    expect(rules).toContain('goto refused')
  })

  test('of a closed sandbox open nothing but its own device and answers', () => {
    expect(linesOf(closedRules()).filter(line => line.endsWith('accept'))).toEqual([
      'type filter hook output priority filter; policy accept',
      'oif lo accept',
      'ct direction reply accept',
      'icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept',
    ])
  })
})
