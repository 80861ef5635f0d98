import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect } from 'vitest'
import { Outbound } from '../../server/outbound/outbound.ts'
import { proxyServer } from '../../server/outbound/proxy-server.ts'
import { makeAuthority } from '../parts/network/authority.ts'
import { startWebProxy } from '../parts/network/web-proxy.ts'
import { LIMITS, opened, problemOf, serverThat } from './parts.ts'
import { linesOf, PUBLIC, PUBLIC_IPV6, test } from './through-proxy.ts'

describe('a connection that a proxy makes', () => {
  test('is asked for by an IPv6 address in brackets', async ({ proxy, fetchThrough }) => {
    expect(await (await fetchThrough(proxy.address)(`https://[${PUBLIC_IPV6}]`)).text()).toBe('the model')
    expect(linesOf(proxy)).toEqual([`CONNECT [${PUBLIC_IPV6}]:443`])
  })

  test('is signed in for, also with a % that does not stand for a character', async ({ proxy, fetchThrough }) => {
    const fetch = fetchThrough(proxy.address.replace('//', '//a%40da:50%off@'))
    expect(await (await fetch('https://model.example')).text()).toBe('the model')
    const sent = `Basic ${Buffer.from('a@da:50%off').toString('base64')}`
    expect(proxy.calls).toMatchObject([{ headers: { 'proxy-authorization': sent, host: 'model.example:443' } }])
  })

  test.for(['HTTP/1.1 200 OK', 'HTTP/1.0 200 Connection established', 'HTTP/1.1 204 Connected'])(
    'keeps what comes at once behind %s',
    async (head, { fetchThrough }) => {
      const early = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nearly'
      const server = createServer(socket =>
        socket.on('error', () => {}).once('data', () => socket.write(`${head}\r\n\r\n${early}`)),
      )
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      opened.push(server)
      const { port } = server.address() as { port: number }
      const resolve = async () => [{ address: PUBLIC, family: 4 }]
      const fetch = fetchThrough(`http://127.0.0.1:${port}`, { namedBy: 'other' }, resolve)
      expect(await (await fetch('http://early.example')).text()).toBe('early')
    },
  )

  test('is given up when the headers before it have no end', async ({ proxy, fetchThrough }) => {
    proxy.refuse('endless')
    const words = `The proxy ${new URL(proxy.address).host} does not connect to model.example.`
    expect(await problemOf(fetchThrough(proxy.address)('https://model.example'))).toEqual(['proxy', words])
    await expect.poll(() => proxy.open()).toBe(0)
  })

  test('is given up when what was to be sent fails', async ({ proxy, fetchThrough }) => {
    proxy.refuse('silent')
    const body = new Readable({ read() {} })
    const sent = Readable.toWeb(body) as ReadableStream
    const call = problemOf(fetchThrough(proxy.address)('https://model.example', { method: 'POST', body: sent }))
    await expect.poll(() => proxy.open()).toBe(1)
    body.destroy(new Error('The file is gone.'))
    await expect.poll(() => proxy.open(), { timeout: LIMITS.headersMs / 2 }).toBe(0)
    expect((await call)[0]).toBe('broken')
  })

  test('ends with everything else, also while it is not made', async ({ proxy }) => {
    proxy.refuse('silent')
    const calls = new Outbound({ allowedHosts: () => [], findProxy: async () => new URL(proxy.address) })
    const call = problemOf(calls.fetch({ namedBy: 'person', limits: LIMITS })('https://model.example'))
    await expect.poll(() => proxy.open()).toBe(1)
    calls.close()
    await expect.poll(() => proxy.open(), { timeout: LIMITS.headersMs / 2 }).toBe(0)
    expect((await call)[0]).toBe('proxy')
  })

  test('ends when nobody has used it for some seconds', async ({ proxy, fetchThrough }) => {
    expect(await (await fetchThrough(proxy.address)('https://model.example')).text()).toBe('the model')
    expect(proxy.open()).toBe(1)
    await expect.poll(() => proxy.open(), { timeout: 10_000 }).toBe(0)
  })

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

describe('the time until an answer begins', () => {
  const limits = { ...LIMITS, headersMs: 900 }
  const pause = (act: () => void) => void setTimeout(act, 600)

  test('counts what it takes to find the proxy', async () => {
    const server = await serverThat((_, reply) => pause(() => reply.end('late')))
    const findProxy = () => new Promise<null>(resolve => pause(() => resolve(null)))
    const calls = new Outbound({ allowedHosts: () => [], findProxy })
    opened.push(calls)
    expect((await problemOf(calls.fetch({ namedBy: 'person', limits })(server.origin)))[0]).toBe('timeout')
  })

  test('counts every redirect', async () => {
    const server = await serverThat(({ url }, reply) =>
      pause(() => (url === '/found' ? reply.end('late') : reply.writeHead(302, { location: '/found' }).end())),
    )
    const calls = new Outbound({ allowedHosts: () => [] })
    opened.push(calls)
    expect((await problemOf(calls.fetch({ namedBy: 'person', limits })(server.origin)))[0]).toBe('timeout')
  })
})
