import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'
import { addAddress, type Listener, listenEverywhere, reach } from '../../parts/reach.ts'
import { type Parts, startParts } from '../parts.ts'

const LAN = '192.168.213.7'
const METADATA = '169.254.169.254'
const CARRIER = '100.64.213.7'
/** Routed in the internet, but not from here. */
const INTERNET = '11.213.213.7'
const IPV6 = { local: 'fd42:a7e1:1e7::1', internet: '2a0f:a7e1:1e7::7' }

let parts: Parts
let sandbox: SandboxHandle
let other: SandboxHandle
let listener: Listener
const undo: (() => unknown)[] = []
beforeAll(async () => {
  listener = await listenEverywhere()
  undo.push(() => listener.close())
  for (const address of [LAN, METADATA, CARRIER, INTERNET, IPV6.internet]) undo.push(addAddress(address))
  parts = await startParts()
  undo.push(() => parts.close())
  const started = await Promise.all([parts.sandboxes.start(), parts.sandboxes.start()])
  const [one, two] = await Promise.all(started.map(({ id }) => parts.sandboxes.open(id)))
  if (!one || !two) throw new Error('no sandboxes')
  sandbox = one
  other = two
})
afterAll(async () => {
  for (const each of undo.reverse()) await each()
})

const sh = (script: string) => sandbox.exec({ argv: ['/bin/sh', '-c', script] })
const networkOf = async ({ id }: SandboxHandle) => {
  const { bridge } = (await parts.outside.getContainer(id).inspect()).NetworkSettings.Networks
  if (!bridge) throw new Error('The sandbox has no network.')
  return bridge
}

describe.each(['tcp', 'udp'] as const)('a sandbox is refused at once over %s by', kind => {
  test.each([
    ["a cloud's metadata service", METADATA],
    ['a machine of the local network', LAN],
    ["a machine of the provider's network", CARRIER],
  ])('%s', async (_what, address) => {
    expect(await reach(sandbox, kind, address, listener.port)).toBe('refused')
    expect(listener.visits()).toBe(0)
  })

  test('a program of this machine that listens on all addresses', async () => {
    const { Gateway: gateway } = await networkOf(sandbox)
    expect(await reach(sandbox, kind, gateway, listener.port)).toBe('refused')
    expect(await reach(sandbox, kind, 'host.docker.internal', listener.port)).toBe('refused')
    expect(listener.visits()).toBe(0)
  })

  test('an IPv4 address in the form of IPv6', async () => {
    expect(await reach(sandbox, kind, `::ffff:${LAN}`, listener.port)).toBe('refused')
    expect(listener.visits()).toBe(0)
  })
})

test('another sandbox refuses nobody, and is still out of reach', async () => {
  const stop = new AbortController()
  const script = `
import socket
s = socket.create_server(("0.0.0.0", 4000))
print("up", flush=True)
while True: s.accept()[0].send(b"hello\\n")`
  await new Promise<void>(resolve => {
    const request = { argv: ['python3', '-c', script], signal: stop.signal, onOutput: () => resolve() }
    void other.exec(request).catch(() => {})
  })
  expect(await reach(other, 'tcp', '127.0.0.1', 4000)).toBe('open')
  const { IPAddress: address } = await networkOf(other)
  expect(await reach(other, 'tcp', address, 4000)).toBe('open')
  expect(await reach(sandbox, 'tcp', address, 4000)).toBe('refused')
  stop.abort()
})

test.each(['tcp', 'udp'] as const)('the internet is reached over %s', async kind => {
  expect(await reach(sandbox, kind, INTERNET, listener.port)).toBe('open')
})

test('names are resolved by the nameservers of the engine', async () => {
  const asked = await sh('getent hosts deb.debian.org')
  expect(asked.stdout).toContain('deb.debian.org')
})

test('where the engine has IPv6, local addresses are refused, and the internet is reached', async () => {
  const name = `${sandbox.id}-ipv6`
  const network = await parts.outside.createNetwork({
    Name: name,
    EnableIPv6: true,
    IPAM: { Config: [{ Subnet: 'fd42:a7e1:1e7::/64', Gateway: IPV6.local }] },
  })
  try {
    await network.connect({ Container: sandbox.id })
    listener.visits()
    for (const kind of ['tcp', 'udp'] as const) {
      expect(await reach(sandbox, kind, IPV6.local, listener.port)).toBe('refused')
      expect(listener.visits()).toBe(0)
      expect(await reach(sandbox, kind, IPV6.internet, listener.port)).toBe('open')
      listener.visits()
    }
  } finally {
    await network.disconnect({ Container: sandbox.id, Force: true })
    await network.remove()
  }
})

describe('root in a sandbox cannot', () => {
  test.each([
    ['flush the rules', 'nft flush ruleset'],
    ['read them', 'nft list ruleset'],
    ['delete their table', 'nft delete table inet atelier'],
    ['open a raw socket', 'python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"'],
    ['write frames past them', 'python3 -c "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"'],
    ['leave the namespace', 'unshare -n true'],
    ['make one with rights of its own', 'unshare -rn true'],
  ])('%s', async (_what, script) => {
    expect((await sh(script)).exitCode).not.toBe(0)
    expect(await reach(sandbox, 'tcp', LAN, listener.port)).toBe('refused')
  })
})
