import { describe, expect } from 'vitest'
import { proxyServer } from '../../server/outbound/proxy-server.ts'
import { makeAuthority } from '../parts/network/authority.ts'
import { startWebProxy } from '../parts/network/web-proxy.ts'
import { opened, problemOf, serverThat } from './parts.ts'
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

describe('a proxy that is spoken to with TLS', () => {
  test.for([
    ['localhost', 'localhost'],
    ['127.0.0.1', false],
  ] as const)('at %s is asked for as %s', async ([host, name], { authority, server, fetchThrough }) => {
    const plain = await serverThat((_, reply) => reply.end('the intranet'))
    const ports = { 'model.example:443': server.port, 'intranet.example:80': plain.port }
    const proxy = await startWebProxy(ports, authority)
    opened.push(proxy)
    const fetch = fetchThrough(proxy.address.replace('127.0.0.1', host))
    expect(await (await fetch('https://model.example')).text()).toBe('the model')
    expect(await (await fetch('http://intranet.example')).text()).toBe('the intranet')
    expect(linesOf(proxy)).toEqual(['CONNECT model.example:443', 'GET http://intranet.example/'])
    expect(proxy.names).toEqual([name, name])
  })

  test('at an IPv6 address is connected to without brackets, and asked for by no name', () => {
    const server = { protocol: 'https:', hostname: 'fd00::1', port: 443, servername: '' }
    expect(proxyServer(new URL('https://[fd00::1]'), undefined)).toEqual(server)
  })

  test('has to be trusted, and is named where it is not', async ({ fetchThrough, onTestFinished }) => {
    const stranger = makeAuthority('IP:127.0.0.1')
    onTestFinished(stranger.remove)
    const proxy = await startWebProxy({}, stranger)
    opened.push(proxy)
    const fetch = fetchThrough(proxy.address.replace('//', '//ada:secret@'))
    for (const address of ['https://model.example', 'http://intranet.example']) {
      const words = `The certificate of the proxy ${new URL(proxy.address).host} cannot be trusted: `
      expect(await problemOf(fetch(address))).toEqual(['proxy', expect.stringContaining(words)])
    }
    expect(proxy.calls).toEqual([])
  })
})
