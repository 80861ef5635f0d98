import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { Resolve } from '../../server/outbound/public-host.ts'
import { fetchOf, LIMITS, opened, problemOf, serverThat } from './parts.ts'

describe('a key is sent nowhere but to the address that was asked (redirect with credentials)', () => {
  const KEYS = ['authorization', 'x-api-key', 'x-goog-api-key', 'cookie', 'x-a-key-of-another-name']

  it.each([301, 302, 303, 307, 308])(
    'a redirect with status %i is refused, and its target hears nothing',
    async status => {
      const target = await serverThat((_, response) => response.end('stolen'))
      const server = await serverThat((_, response) => response.writeHead(status, { location: target.origin }).end())
      for (const name of KEYS) {
        const call = fetchOf()(server.origin, { method: 'POST', headers: { [name]: 'secret' }, body: 'the prompt' })
        expect(await problemOf(call)).toEqual(['redirect', expect.stringContaining('not followed')])
      }
      expect(target.calls).toEqual([])
    },
  )

  it('also on the same origin, and for a GET', async () => {
    const server = await serverThat((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
    const call = fetchOf()(server.origin, { headers: { 'x-api-key': 'secret' } })
    expect(await problemOf(call)).toEqual(['redirect', expect.any(String)])
    expect(server.calls).toHaveLength(1)
  })

  it('a GET without a key is followed on its own origin, and no further', async () => {
    const target = await serverThat((_, response) => response.end('elsewhere'))
    const server = await serverThat((request, response) => {
      if (request.url === '/found') return response.end('found')
      const location = request.url === '/away' ? target.origin : request.url === '/loop' ? '/loop' : '/found'
      response.writeHead(302, { location }).end()
    })
    expect(await (await fetchOf()(`${server.origin}/`)).text()).toBe('found')
    expect((await problemOf(fetchOf()(`${server.origin}/away`)))[0]).toBe('redirect')
    expect((await problemOf(fetchOf()(`${server.origin}/loop`)))[0]).toBe('redirect')
    expect(target.calls).toEqual([])
  })

  it('is an answer like any other for a caller that wants to see it', async () => {
    const server = await serverThat((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
    const response = await fetchOf()(server.origin, { redirect: 'manual' })
    expect([response.status, response.headers.get('location'), response.url]).toEqual([
      302,
      '/elsewhere',
      `${server.origin}/`,
    ])
  })
})

describe('an answer is bounded', () => {
  it('in bytes, before they are read where it says how many come, and after decompression', async () => {
    const server = await serverThat((request, response) => {
      if (request.url === '/said') return response.writeHead(200, { 'content-length': 1e9 }).write('x')
      if (request.url === '/zip') {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        return response.end(gzipSync(Buffer.alloc(50_000_000)))
      }
      const more = () => void (response.destroyed || response.write(Buffer.alloc(5_000), () => setImmediate(more)))
      more()
    })
    for (const path of ['/said', '/endless', '/zip']) {
      expect(await problemOf(fetchOf()(server.origin + path))).toEqual(['too-large', expect.stringContaining('10,000')])
    }
  })

  it('in bytes of one event, but not of a stream of events', async () => {
    const server = await serverThat((request, response) => {
      response.setHeader('content-type', 'text/event-stream; charset=utf-8')
      if (request.url === '/lines') return response.end(`data: ${'x'.repeat(900)}\n\n`.repeat(100))
      response.end(`data: ${'x'.repeat(100)}\n`.repeat(100))
    })
    const limits = { ...LIMITS, stream: { bytes: 100_000, eventBytes: 1_000, silenceMs: 5_000 } }
    const fetch = fetchOf({ limits })
    expect((await (await fetch(`${server.origin}/lines`)).text()).length).toBe(90_800)
    expect((await problemOf(fetch(`${server.origin}/endless-event`)))[0]).toBe('too-large')
  })

  it('in the size of its headers', async () => {
    const server = await serverThat((_, response) => response.writeHead(200, { big: 'x'.repeat(70_000) }).end())
    expect((await problemOf(fetchOf()(server.origin)))[0]).toBe('not-http')
  })

  it('in the time until it begins, between its pieces, and until it ends', async () => {
    const server = await serverThat((request, response) => {
      if (request.url === '/never') return
      response.write('the beginning')
      if (request.url === '/silent') return
      const drip = () => void (response.destroyed || response.write('.', () => setTimeout(drip, 20)))
      drip()
    })
    const limits = { ...LIMITS, headersMs: 200, silenceMs: 200, totalMs: 400 }
    for (const path of ['/never', '/silent', '/drip']) {
      expect((await problemOf(fetchOf({ limits })(server.origin + path)))[0]).toBe('timeout')
    }
  })

  it('ends at once with the signal, before and within it', async () => {
    const server = await serverThat((request, response) => void (request.url === '/never' || response.write('a')))
    for (const path of ['/never', '/within']) {
      const stop = new AbortController()
      const call = fetchOf()(server.origin + path, { signal: stop.signal }).then(response => {
        stop.abort(new Error('The user stopped it.'))
        return response.text()
      })
      if (path === '/never') setImmediate(() => stop.abort(new Error('The user stopped it.')))
      await expect(call).rejects.toThrow('The user stopped it.')
    }
  })
})

describe('a fault of the network is told in words', () => {
  it('nobody answers there', async () => {
    const server = await serverThat((_, response) => response.end())
    await server.close()
    expect(await problemOf(fetchOf()(server.origin))).toEqual([
      'refused',
      `Nothing answers at 127.0.0.1:${server.port}.`,
    ])
  })

  it('a name that is not known', async () => {
    const resolve: Resolve = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    }
    expect(await problemOf(fetchOf({}, { resolve })('http://no.example.com/path?key=1'))).toEqual([
      'unknown-host',
      'The name no.example.com is not known.',
    ])
  })

  it('TLS to a plain port (ssl3_get_record:wrong version number)', async () => {
    const server = await serverThat((_, response) => response.end())
    const [problem, words] = await problemOf(fetchOf()(server.origin.replace('http', 'https')))
    expect([problem, words]).toEqual(['not-tls', expect.stringContaining('begins with http://')])
    expect(words).not.toMatch(/ssl|EPROTO|version number/)
  })

  it('a plain request to a TLS port', async () => {
    const tls = createTlsServer({})
    await new Promise<void>(resolve => tls.listen(0, '127.0.0.1', resolve))
    opened.push(tls)
    const [problem] = await problemOf(fetchOf()(`http://127.0.0.1:${(tls.address() as { port: number }).port}`))
    expect(['not-http', 'broken']).toContain(problem)
  })

  it.each([
    ['something else than HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', 'not-http'],
    ['a status that does not exist', 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n', 'not-http'],
    ['a part of the answer', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbeginning', 'broken'],
    ['nothing, and hangs up', '', 'broken'],
  ])('a server that sends %s', async (_, bytes, expected) => {
    const server = createServer(socket => void socket.on('error', () => {}).once('data', () => socket.end(bytes)))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    opened.push(server)
    const { port } = server.address() as { port: number }
    expect((await problemOf(fetchOf()(`http://127.0.0.1:${port}`)))[0]).toBe(expected)
  })

  it.each(['ftp://example.com', 'http://user:pass@example.com/', 'nonsense'])('no address: %s', async address => {
    const [problem, words] = await problemOf(fetchOf()(address))
    expect(problem).toBe('bad-address')
    expect(words).not.toContain('pass@')
  })
})

describe('connections', () => {
  it('are kept between calls', async () => {
    const server = await serverThat((_, response) => response.end('ok'))
    const fetch = fetchOf()
    for (let call = 0; call < 3; call++) await (await fetch(server.origin, { method: 'POST', body: '{}' })).text()
    expect(server.connections).toBe(1)
  })
})
