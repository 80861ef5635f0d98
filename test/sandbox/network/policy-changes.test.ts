import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import type { NetworkPolicy } from '../../../server/api/network-policy.ts'
import type { SandboxHandle } from '../../../server/domain/sandbox-handle.ts'
import { allowing, curl, ENDED, it as test } from '../../fixtures/allowlist.ts'
import { gatewayOf, type Internet } from '../../parts/network/internet.ts'
import { reach } from '../../parts/network/reach.ts'
import { type Parts, startParts, until } from '../parts.ts'

const FULL: NetworkPolicy = { network: 'full', allowlist: { presets: [], hosts: [] } }
const NONE: NetworkPolicy = { network: 'none', allowlist: { presets: [], hosts: [] } }

const networksOf = async (parts: Parts, { id }: SandboxHandle) =>
  Object.keys((await parts.outside.getContainer(id).inspect()).NetworkSettings.Networks)
const byAddress = (sandbox: SandboxHandle, { address, ports }: Internet) => reach(sandbox, 'tcp', address, ports.tcp)
const at = (sandbox: SandboxHandle, name: string, { ports }: Internet) =>
  curl(sandbox, `https://${name}:${ports.https}/`)

/** Reads what comes over one connection until it ends. */
const HOLD = (name: string, port: number) => `
import socket, ssl
context = ssl.create_default_context(); context.check_hostname = False; context.verify_mode = ssl.CERT_NONE
s = context.wrap_socket(socket.create_connection(('${name}', ${port})), server_hostname='${name}')
print('open', flush=True)
s.settimeout(20)
try: print('ended' if s.recv(1) == b'' else 'said')
except socket.timeout: print('still open')
except OSError: print('ended')`

describe('a policy is changed while the sandbox runs', () => {
  test('from the internet to a list, to nothing, and back', async ({ parts, open, seeInternet, internet }) => {
    const sandbox = await open(FULL)
    expect(await byAddress(sandbox, internet)).toBe('open')
    await parts.sandboxes.network.change(sandbox.id, allowing('allowed.test'))
    await seeInternet(parts)
    expect(await at(sandbox, 'allowed.test', internet)).toContain('hello')
    expect(await at(sandbox, 'other.test', internet)).toEqual(ENDED)
    await parts.sandboxes.network.change(sandbox.id, NONE)
    expect(await networksOf(parts, sandbox)).toEqual([])
    expect(await byAddress(sandbox, internet)).toBe('refused')
    expect(await curl(sandbox, 'http://allowed.test/')).toMatch(/^curl [67]$/)
    await parts.sandboxes.network.change(sandbox.id, FULL)
    expect(await networksOf(parts, sandbox)).toEqual(['bridge'])
    expect(await byAddress(sandbox, internet)).toBe('open')
    expect(await parts.sandboxes.network.of(sandbox.id)).toMatchObject(FULL)
  })

  test('and one that was started with nothing gets a network, with its ports', async ({ parts, internet }) => {
    const sandbox = await parts.sandboxes.open((await parts.sandboxes.start(null, { policy: NONE })).id)
    expect(await networksOf(parts, sandbox)).toEqual(['none'])
    await parts.sandboxes.network.change(sandbox.id, FULL)
    expect(await byAddress(sandbox, internet)).toBe('open')
    const names = (await parts.sandboxes.get(sandbox.id)).exposed_urls?.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['WORKER_1', 'WORKER_2']))
  })

  test('and open connections go on while the list grows, and end when it shrinks', async ({
    parts,
    open,
    internet,
  }) => {
    const sandbox = await open(allowing('held.test'))
    internet.asked.length = 0
    const argv = ['python3', '-c', HOLD('held.test', internet.ports.https)]
    let isOpen = true
    const held = sandbox.exec({ argv, timeoutMs: 60_000 }).finally(() => {
      isOpen = false
    })
    await expect.poll(() => internet.asked, { timeout: 20_000 }).toContain('held.test')
    await parts.sandboxes.network.change(sandbox.id, allowing('held.test', 'more.test'))
    expect(await at(sandbox, 'more.test', internet)).toContain('hello')
    expect(isOpen).toBe(true)
    await parts.sandboxes.network.change(sandbox.id, allowing('more.test'))
    expect((await held).stdout).toContain('ended')
    expect(await at(sandbox, 'held.test', internet)).toEqual(ENDED)
    expect(await at(sandbox, 'more.test', internet)).toContain('hello')
  })

  test('a private address is no host for a list', async ({ parts, open }) => {
    const sandbox = await open(FULL)
    const refused = parts.sandboxes.network.change(sandbox.id, allowing('192.168.1.7'))
    await expect(refused).rejects.toMatchObject({ code: 'bad_request' })
    expect(await parts.sandboxes.network.of(sandbox.id)).toMatchObject(FULL)
  })
})

test('two sandboxes reach what each of them is allowed', async ({ open, internet }) => {
  const [first, second] = await Promise.all([open(allowing('first.test')), open(allowing('second.test'))])
  expect(await at(first, 'first.test', internet)).toContain('hello')
  expect(await at(second, 'second.test', internet)).toContain('hello')
  expect(await at(first, 'second.test', internet)).toEqual(ENDED)
  expect(await at(second, 'first.test', internet)).toEqual(ENDED)
  const { stdout: address } = await second.exec({ argv: ['hostname', '-i'] })
  expect(await reach(first, 'tcp', address.trim(), 3000)).not.toBe('open')
})

test('a sandbox that is stopped and resumed, or started by somebody else, keeps its list', async ({
  parts,
  open,
  internet,
}) => {
  const sandbox = await open(allowing('allowed.test'))
  await parts.outside.getContainer(sandbox.id).restart({ t: 0 })
  expect(await at(sandbox, 'other.test', internet)).toEqual(ENDED)
  expect(await at(sandbox, 'allowed.test', internet)).toContain('hello')
  expect(await byAddress(sandbox, internet)).not.toBe('open')
})

test('a gateway that ends is made anew, and nothing is open meanwhile', async ({
  parts,
  open,
  seeInternet,
  internet,
}) => {
  const sandbox = await open(allowing('allowed.test'))
  const before = await gatewayOf(parts.outside, parts.instanceId)
  await parts.outside.getContainer(before.Id).remove({ force: true })
  const after = await until(parts.bus, async () => {
    expect(await byAddress(sandbox, internet)).not.toBe('open')
    const now = await gatewayOf(parts.outside, parts.instanceId).catch(() => undefined)
    if (now === undefined || now.Id === before.Id)
      await delay(100).then(() => parts.bus.publish({ resource: 'system' }))
    return now?.Id === before.Id ? undefined : now
  })
  expect(after.Id).not.toBe(before.Id)
  await seeInternet(parts)
  await expect.poll(() => at(sandbox, 'allowed.test', internet), { timeout: 20_000 }).toContain('hello')
  expect(await at(sandbox, 'other.test', internet)).toEqual(ENDED)
})

test('a copy reaches what its original was changed to', async ({ parts, open }) => {
  const sandbox = await open(FULL)
  await parts.sandboxes.network.change(sandbox.id, allowing('allowed.test'))
  const copy = await parts.sandboxes.start(null, { copyOf: sandbox.id })
  expect(await parts.sandboxes.network.of(copy.id)).toMatchObject(allowing('allowed.test'))
})

test('a service that ends closes what went through its gateway; the next one opens it again', async ({
  seeInternet,
  internet,
}) => {
  const first = await startParts()
  const { id } = await first.sandboxes.start(null, { policy: allowing('allowed.test') })
  const { outside, instanceId } = first
  const run = async (argv: string[]) => {
    const exec = await outside.getContainer(id).exec({ Cmd: argv, AttachStdout: true })
    const stream = await exec.start({})
    for await (const _ of stream);
    return (await exec.inspect()).ExitCode
  }
  const knock = ['curl', '-sSm', '3', `http://allowed.test:${internet.ports.http}/`]
  await first.stop()
  await expect(gatewayOf(outside, instanceId)).rejects.toThrow('no gateway')
  expect(await run(knock)).not.toBe(0)
  const second = await startParts({ instanceId })
  try {
    const sandbox = await second.sandboxes.open(id)
    await sandbox.exec({ argv: ['true'] })
    await seeInternet(second)
    expect(await at(sandbox, 'allowed.test', internet)).toContain('hello')
    expect(await at(sandbox, 'other.test', internet)).toEqual(ENDED)
  } finally {
    await second.close()
  }
})
