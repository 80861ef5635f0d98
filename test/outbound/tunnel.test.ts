import { describe, expect } from 'vitest'
import { linesOf, PUBLIC, PUBLIC_IPV6, test } from './through-proxy.ts'

describe('a connection that a proxy makes', () => {
  test('leads to an IPv4 address where there is one: not every proxy has IPv6', async ({ proxy, fetchThrough }) => {
    const both = [
      { address: PUBLIC_IPV6, family: 6 },
      { address: PUBLIC, family: 4 },
    ]
    for (const addresses of [both, both.slice(0, 1)]) {
      const fetch = fetchThrough(proxy.address, { namedBy: 'other' }, async () => addresses)
      expect(await (await fetch('https://model.example')).text()).toBe('the model')
    }
    expect(linesOf(proxy)).toEqual([`CONNECT ${PUBLIC}:443`, `CONNECT [${PUBLIC_IPV6}]:443`])
  })
})
