import { describe, expect } from 'vitest'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'
import { it as base } from '../../fixtures/sandbox.ts'
import { bridgeOf } from '../../parts/engine/bridge.ts'
import { addAddress, listenEverywhere, reach } from '../../parts/network/reach.ts'
import type { Parts } from '../parts.ts'

const test = base
  // This machine is given an address in each of these networks too.
  .extend('listener', { scope: 'file' }, async ({}, { onCleanup }) => {
    const listener = await listenEverywhere()
    const undo = [LAN, METADATA, CARRIER, INTERNET, IPV6.internet].map(addAddress)
    onCleanup(async () => {
      for (const each of undo.reverse()) each()
      await listener.close()
    })
    return listener
  })
  .extend('both', { scope: 'file' }, async ({ parts }) => {
    const open = async () => parts.sandboxes.open((await parts.sandboxes.start()).id)
    const [sandbox, other] = await Promise.all([open(), open()])
    return { sandbox, other }
  })
  .extend('sandbox', { scope: 'file' }, ({ both }) => both.sandbox)
  .extend('other', { scope: 'file' }, ({ both }) => both.other)

const LAN = '192.168.213.7'
const METADATA = '169.254.169.254'
const CARRIER = '100.64.213.7'
/** Routed in the internet, but not from here. */
const INTERNET = '11.213.213.7'
const IPV6 = { local: 'fd42:a7e1:1e7::1', internet: '2a0f:a7e1:1e7::7' }

const sh = (sandbox: SandboxHandle, script: string) => sandbox.exec({ argv: ['/bin/sh', '-c', script] })
const networkOf = async (parts: Parts, { id }: SandboxHandle) => {
  const bridge = await bridgeOf(parts.outside.getContainer(id))
  if (!bridge) throw new Error('The sandbox has no network.')
  return bridge
}

describe.each(['tcp', 'udp'] as const)('a sandbox is refused at once over %s by', kind => {
  test.for<[string, string]>([
    ["a cloud's metadata service", METADATA],
    ['a machine of the local network', LAN],
    ["a machine of the provider's network", CARRIER],
  ])('%s', async ([_what, address], { sandbox, listener }) => {
    expect(await reach(sandbox, kind, address, listener.port)).toBe('refused')
    expect(listener.visits()).toBe(0)
  })

  test('a program of this machine that listens on all addresses', async ({ parts, sandbox, listener }) => {
    const { Gateway: gateway } = await networkOf(parts, sandbox)
    expect(await reach(sandbox, kind, gateway, listener.port)).toBe('refused')
    expect(await reach(sandbox, kind, 'host.docker.internal', listener.port)).toBe('refused')
    expect(listener.visits()).toBe(0)
  })

  test('an IPv4 address in the form of IPv6', async ({ sandbox, listener }) => {
    expect(await reach(sandbox, kind, `::ffff:${LAN}`, listener.port)).toBe('refused')
    expect(listener.visits()).toBe(0)
  })
})

test('another sandbox refuses nobody, and is still out of reach', async ({ other, parts, sandbox }) => {
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
  const { IPAddress: address } = await networkOf(parts, other)
  expect(await reach(other, 'tcp', address, 4000)).toBe('open')
  expect(await reach(sandbox, 'tcp', address, 4000)).toBe('refused')
  stop.abort()
})

test.for(['tcp', 'udp'] as const)('the internet is reached over %s', async (kind, { sandbox, listener }) => {
  expect(await reach(sandbox, kind, INTERNET, listener.port)).toBe('open')
})

test('names are resolved by the nameservers of the engine', async ({ sandbox }) => {
  const asked = await sh(sandbox, 'getent hosts deb.debian.org')
  expect(asked.stdout).toContain('deb.debian.org')
})

test('where the engine has IPv6, local addresses are refused, and the internet is reached', async ({
  sandbox,
  parts,
  listener,
}) => {
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
  test.for<[string, string]>([
    ['flush the rules', 'nft flush ruleset'],
    ['read them', 'nft list ruleset'],
    ['delete their table', 'nft delete table inet atelier'],
    ['open a raw socket', 'python3 -c "import socket; socket.socket(socket.AF_INET, socket.SOCK_RAW, 1)"'],
    ['write frames past them', 'python3 -c "import socket; socket.socket(socket.AF_PACKET, socket.SOCK_RAW)"'],
    ['leave the namespace', 'unshare -n true'],
    ['make one with rights of its own', 'unshare -rn true'],
  ])('%s', async ([_what, script], { sandbox, listener }) => {
    expect((await sh(sandbox, script)).exitCode).not.toBe(0)
    expect(await reach(sandbox, 'tcp', LAN, listener.port)).toBe('refused')
  })
})
