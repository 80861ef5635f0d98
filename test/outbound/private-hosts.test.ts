import { describe, expect, it } from 'vitest'
import type { Resolve } from '../../server/outbound/public-host.ts'
import { fetchOf, LIMITS, outbound, problemOf, serverThat } from './parts.ts'

/** Not every resolver knows `localhost.`. */
const toLoopback: Resolve = async () => [{ address: '127.0.0.1', family: 4 }]

describe('a host that somebody else named never leads to this machine or its network (SSRF)', () => {
  const other = (options?: Parameters<typeof outbound>[0]) => fetchOf({ namedBy: 'other' }, options)

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '127.0.0.1.',
    '①②⑦.0.0.1',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:4136:e378:8000:63bf:3fff:fdd2]',
    '[fe80::1]',
    '[fec0::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '100.100.100.200',
    '169.254.169.254',
    '192.0.0.192',
    '168.63.129.16',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
  ])('%s is refused before anything is sent', async host => {
    expect(await problemOf(other()(`http://${host}/`))).toEqual(['private-host', expect.stringContaining('Settings')])
  })

  it('nor by a name for it, with a dot at its end or in capitals', async () => {
    const server = await serverThat((_, response) => response.end('internal'))
    for (const name of ['localhost', 'localhost.', 'LOCALHOST']) {
      expect((await problemOf(other({ resolve: toLoopback })(`http://${name}:${server.port}/`)))[0]).toBe(
        'private-host',
      )
    }
    expect(server.connections).toBe(0)
  })

  it.each([
    ['one private address among public ones', [['8.8.8.8', '127.0.0.1']]],
    ['an IPv6 form of a private address', [['::ffff:10.0.0.1']]],
    ['no address at all that is one', [['not-an-address']]],
  ])('nor by a name with %s in its answer', async (_, answers) => {
    const resolve: Resolve = async () => answers.flat().map(address => ({ address, family: 4 }))
    expect((await problemOf(other({ resolve })('http://example.com/')))[0]).toBe('private-host')
  })

  it('nor when the DNS answer changes after it was checked (DNS rebinding)', async () => {
    const server = await serverThat((_, response) => response.end('internal'))
    const asked: string[] = []
    const stop = new AbortController()
    const resolve: Resolve = async hostname => {
      asked.push(hostname)
      // Nothing can be reached at the first address; what counts is that nobody asks again on the way to it.
      if (asked.length === 1) setImmediate(() => stop.abort(new Error('enough')))
      return [{ address: asked.length === 1 ? '203.0.114.1' : '127.0.0.1', family: 4 }]
    }
    const fetch = other({ resolve })
    const address = `http://rebinding.example.com:${server.port}/`
    await expect(fetch(address, { signal: stop.signal })).rejects.toThrow('enough')
    expect(asked).toHaveLength(1)
    expect((await problemOf(fetch(address)))[0]).toBe('private-host')
    expect(asked).toHaveLength(2)
    expect(server.connections).toBe(0)
  })

  it('nor over a connection that the person opened to the same name', async () => {
    const server = await serverThat((_, response) => response.end('internal'))
    const one = outbound()
    const address = `http://localhost:${server.port}/`
    expect(await (await one.fetch({ namedBy: 'person', limits: LIMITS })(address)).text()).toBe('internal')
    expect((await problemOf(one.fetch({ namedBy: 'other', limits: LIMITS })(address)))[0]).toBe('private-host')
    expect(server.calls).toHaveLength(1)
  })

  it('nor to a port of another protocol', async () => {
    expect((await problemOf(other()('http://example.com:6667/')))[0]).toBe('blocked-port')
    expect((await problemOf(other()('http://example.com:25/')))[0]).toBe('blocked-port')
  })

  it('unless the person has allowed the host, at one port or at all', async () => {
    const server = await serverThat((_, response) => response.end('mine'))
    const address = `http://localhost.:${server.port}/`
    for (const allowed of [['localhost'], [`localhost:${server.port}`]]) {
      expect(await (await other({ allowed, resolve: toLoopback })(address)).text()).toBe('mine')
    }
    for (const allowed of [['localhost:1'], ['127.0.0.1'], ['host'], ['']]) {
      expect((await problemOf(other({ allowed, resolve: toLoopback })(address)))[0]).toBe('private-host')
    }
  })

  it('while the person reaches a model on localhost, on any port', async () => {
    const server = await serverThat((_, response) => response.end('a model'))
    expect(await (await fetchOf()(`http://localhost:${server.port}/`)).text()).toBe('a model')
  })
})
