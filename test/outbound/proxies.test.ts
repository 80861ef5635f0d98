import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, vi } from 'vitest'
import { Outbound } from '../../server/outbound/outbound.ts'
import { findProxyOf } from '../../server/outbound/proxies.ts'
import { startWebProxy } from '../parts/network/web-proxy.ts'
import { LIMITS, opened, problemOf, serverThat } from './parts.ts'
import { linesOf, PUBLIC, test } from './through-proxy.ts'

describe('a proxy', () => {
  test('connects to what is encrypted, sees no key, and keeps the connection', async ({
    proxy,
    server,
    fetchThrough,
  }) => {
    const fetch = fetchThrough(proxy.address)
    for (const word of ['one', 'two']) {
      const reply = await fetch('https://model.example/v1', { headers: { 'x-api-key': `key-${word}` } })
      expect(await reply.text()).toBe('the model')
    }
    expect(server.calls.slice(-2)).toEqual(['model.example key-one', 'model.example key-two'])
    expect(linesOf(proxy)).toEqual(['CONNECT model.example:443'])
    expect(JSON.stringify(proxy.calls)).not.toContain('key-')
  })

  test('asks a server without encryption, signed in with the name of its address', async ({ fetchThrough }) => {
    const server = await serverThat((_, reply) => reply.end('the intranet'))
    const proxy = await startWebProxy({ 'intranet.example:8080': server.port })
    opened.push(proxy)
    const fetch = fetchThrough(proxy.address.replace('//', '//ada:secret@'))
    expect(await (await fetch('http://intranet.example:8080/a?b=c')).text()).toBe('the intranet')
    expect(proxy.calls).toMatchObject([
      {
        line: 'GET http://intranet.example:8080/a?b=c',
        headers: { 'proxy-authorization': `Basic ${Buffer.from('ada:secret').toString('base64')}` },
      },
    ])
    expect(server.calls[0]?.path).toBe('/a?b=c')
    await fetch('http://intranet.example:8080//elsewhere.example/a')
    expect(linesOf(proxy).at(-1)).toBe('GET http://intranet.example:8080//elsewhere.example/a')
  })

  test.for([
    [407, 'wants somebody to sign in (407).'],
    [403, 'does not connect to model.example (403).'],
    [302, 'does not connect to model.example (302).'],
  ] as const)(
    'that answers %i in the place of a connection is no server',
    async ([status, words], { proxy, fetchThrough }) => {
      proxy.refuse(status)
      const fetch = fetchThrough(proxy.address.replace('//', '//ada:secret@'))
      const found = await problemOf(fetch('https://model.example', { redirect: 'manual' }))
      expect(found).toEqual(['proxy-refused', `The proxy ${new URL(proxy.address).host} ${words}`])
      await expect.poll(() => proxy.open()).toBe(0)
    },
  )

  test('that does not answer is named', async ({ proxy, fetchThrough }) => {
    proxy.refuse('silent')
    const limits = { ...LIMITS, headersMs: 300 }
    expect((await problemOf(fetchThrough(proxy.address, { limits })('https://model.example')))[0]).toBe('timeout')
    const signal = AbortSignal.timeout(300)
    await expect(fetchThrough(proxy.address)('https://model.example', { signal })).rejects.toThrow('timeout')
    await expect.poll(() => proxy.open()).toBe(0)
    for (const address of ['http://127.0.0.1:1', 'socks5h://127.0.0.1:1', 'socks5h://[::1]:1']) {
      const { host } = new URL(address)
      const words = `The proxy ${host} does not answer.`
      expect(await problemOf(fetchThrough(address)('https://model.example'))).toEqual(['proxy', words])
    }
    const wrong = proxy.address.replace('http:', 'https:')
    expect((await problemOf(fetchThrough(wrong)('https://model.example')))[0]).toBe('proxy')
  })

  test('of SOCKS is signed in to with the name of its address', async ({ fetchThrough }) => {
    const received: string[] = []
    const server = createServer(socket =>
      socket
        .on('error', () => {})
        // https://www.rfc-editor.org/rfc/rfc1929: the greeting is answered with the method of user name and password.
        .once('data', () => {
          socket.write(Buffer.from([5, 2]))
          socket.once('data', sent => {
            received.push(sent.toString('latin1'))
            socket.end()
          })
        }),
    )
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    opened.push(server)
    const { port } = server.address() as { port: number }
    expect((await problemOf(fetchThrough(`socks5h://ada:secret@127.0.0.1:${port}`)('https://model.example')))[0]).toBe(
      'proxy',
    )
    expect(received).toEqual(['\x01\x03ada\x06secret'])
  })

  test('that is looked for without end is given up, also when the call is', async () => {
    const calls = new Outbound({ allowedHosts: () => [], findProxy: () => new Promise(() => {}) })
    opened.push(calls)
    const fetch = calls.fetch({ namedBy: 'person', limits: { ...LIMITS, headersMs: 300 } })
    expect((await problemOf(fetch('https://model.example')))[0]).toBe('proxy')
    const signal = AbortSignal.timeout(100)
    await expect(fetch('https://model.example', { signal })).rejects.toThrow('timeout')
  })

  test('that never connects does not keep what was to be sent', async ({ proxy, fetchThrough }) => {
    proxy.refuse('silent')
    const body = new Readable({ read() {} })
    const sent = Readable.toWeb(body) as ReadableStream
    const limits = { ...LIMITS, headersMs: 300 }
    const call = fetchThrough(proxy.address, { limits })('https://model.example', { method: 'POST', body: sent })
    expect((await problemOf(call))[0]).toBe('timeout')
    await expect.poll(() => body.destroyed).toBe(true)
  })

  test('does not vouch for a server, also one that is an address', async ({ server, fetchThrough }) => {
    const proxy = await startWebProxy({
      'other.example:443': server.port,
      [`${PUBLIC}:443`]: server.port,
      '93.184.216.35:443': server.port,
    })
    opened.push(proxy)
    const fetch = fetchThrough(proxy.address.replace('127.0.0.1', 'localhost'))
    expect(await (await fetch(`https://${PUBLIC}`)).text()).toBe('the model')
    expect((await problemOf(fetch('https://93.184.216.35')))[0]).toBe('certificate')
    expect((await problemOf(fetchThrough(proxy.address)('https://other.example')))[0]).toBe('certificate')
  })
})

describe('a host that somebody else named', () => {
  const NAMED = { namedBy: 'other' } as const

  test('is connected to at the address that was checked, by its own name', async ({ proxy, server, fetchThrough }) => {
    const fetch = fetchThrough(proxy.address, NAMED, async () => [{ address: PUBLIC, family: 4 }])
    expect(await (await fetch('https://model.example')).text()).toBe('the model')
    expect(linesOf(proxy)).toEqual([`CONNECT ${PUBLIC}:443`])
    expect(server.calls.at(-1)).toMatch(/^model\.example /)
    expect((await problemOf(fetch('https://other.example')))[0]).toBe('certificate')
    await problemOf(fetch('http://model.example'))
    expect(linesOf(proxy).at(-1)).toBe(`CONNECT ${PUBLIC}:80`)
  })

  test('never leads into the network behind a proxy', async ({ proxy, fetchThrough }) => {
    const inside = fetchThrough(proxy.address, NAMED, async () => [
      { address: PUBLIC, family: 4 },
      { address: '10.0.0.7', family: 4 },
    ])
    expect((await problemOf(inside('https://model.example')))[0]).toBe('private-host')
    const unknown = fetchThrough(proxy.address, NAMED)
    expect(await problemOf(unknown('https://model.example'))).toEqual([
      'private-host',
      expect.stringContaining('Settings'),
    ])
    expect((await problemOf(unknown('https://10.0.0.7')))[0]).toBe('private-host')
    expect(proxy.calls).toEqual([])
  })
})

describe('the proxy for an address', () => {
  const NONE = { HTTP_PROXY: '', HTTPS_PROXY: '', ALL_PROXY: '', NO_PROXY: '' }
  const found = async (address: string, env: Record<string, string> = {}, system?: string) => {
    const set = { ...NONE, ...env }
    for (const [name, value] of Object.entries(set)) {
      vi.stubEnv(name, value)
      vi.stubEnv(name.toLowerCase(), '')
    }
    try {
      const proxy = await findProxyOf(system === undefined ? undefined : async () => system)(new URL(address))
      return proxy && `${proxy.protocol}//${proxy.host}`
    } finally {
      vi.unstubAllEnvs()
    }
  }

  test.for([
    ['https://a.example', {}, undefined, null],
    ['https://a.example', { HTTPS_PROXY: 'http://ada:secret@p:3128/x' }, undefined, 'http://p:3128'],
    ['https://a.example', { HTTPS_PROXY: 'p:3128' }, undefined, 'http://p:3128'],
    ['https://a.example', { HTTPS_PROXY: 'https://p' }, undefined, 'https://p'],
    ['https://a.example', { HTTP_PROXY: 'http://p:3128' }, 'PROXY q:1', null],
    ['http://a.example', { ALL_PROXY: 'socks5://p:1080' }, undefined, 'socks5h://p:1080'],
    ['https://a.example', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'b.example,.example' }, undefined, null],
    ['https://a.example', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: '*' }, 'PROXY q:1', null],
    ['https://a.b.example', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'localhost, B.example' }, undefined, null],
    ['https://ab.example', { HTTPS_PROXY: 'http://p:3128', NO_PROXY: 'b.example' }, undefined, 'http://p:3128'],
    ['http://10.1.2.3:11434', { ALL_PROXY: 'http://p:3128', NO_PROXY: '10.0.0.0/8' }, undefined, null],
    ['http://11.1.2.3', { ALL_PROXY: 'http://p:3128', NO_PROXY: '10.0.0.0/8,::/0' }, undefined, 'http://p:3128'],
    ['http://[fd00::1]', { ALL_PROXY: 'http://p:3128', NO_PROXY: 'fd00::/8' }, undefined, null],
    ['https://a.example', {}, 'DIRECT', null],
    ['https://a.example', {}, 'PROXY q:8080; DIRECT', 'http://q:8080'],
    ['https://a.example', {}, 'HTTPS q:443', 'https://q'],
    ['https://a.example', {}, 'SOCKS5 [fd00::1]:1080', 'socks5h://[fd00::1]:1080'],
    ['https://a.example', {}, 'QUIC q:443', null],
    ['http://localhost:11434', { ALL_PROXY: 'http://p:3128' }, 'PROXY q:1', null],
    ['http://x.localhost.', {}, 'PROXY q:1', null],
    ['http://127.9.9.9', {}, 'PROXY q:1', null],
    ['http://[::1]:8000', {}, 'PROXY q:1', null],
    ['http://169.254.1.1', {}, 'PROXY q:1', null],
    ['http://192.168.1.5:11434', {}, 'PROXY q:1', 'http://q:1'],
  ] as const)('%s with %j and %s is %s', async ([address, env, system, expected]) => {
    expect(await found(address, env, system)).toBe(expected)
  })

  test('that is none is said before anything is sent', async () => {
    for (const value of ['ftp://p:21', 'http://', '::::', 'http://ada:50%off@p:3128']) {
      await expect(found('https://a.example', { HTTPS_PROXY: value })).rejects.toMatchObject({
        problem: 'proxy-refused',
      })
    }
  })
})
