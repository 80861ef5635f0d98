import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import { CommonContainer } from '../../../server/sandbox/network/common-container.ts'
import { it as base } from '../../fixtures/base.ts'
import { bridgeOf } from '../../parts/engine/bridge.ts'
import { busyboxImage } from '../../parts/engine/sandbox.ts'
import { type Listener, listenEverywhere, reach } from '../../parts/network/reach.ts'
import { type Parts, startParts, until } from '../parts.ts'

const test = base
  .extend('listener', { scope: 'file' }, async ({}, { onCleanup }) => {
    const listener = await listenEverywhere()
    onCleanup(() => listener.close())
    return listener
  })
  // One test starts the parts of the service again.
  .extend('running', { scope: 'file' }, async ({}, { onCleanup }) => {
    const parts = await startParts()
    const running = { parts, sandbox: await parts.sandboxes.open((await parts.sandboxes.start()).id) }
    onCleanup(() => running.parts.close())
    return running
  })
  .extend('parts', ({ running }) => running.parts)
  .extend('sandbox', ({ running }) => running.sandbox)

const HOST = 'host.docker.internal'

const becomes = (parts: Parts, id: string, wanted: string) =>
  until(parts.bus, async () => ((await parts.sandboxes.get(id)).status === wanted ? true : undefined))

/** A sandbox whose first process does nothing but knock at this machine. */
async function startHostile(from: Parts, image: string, { port }: Listener): Promise<string> {
  const knock = `while :; do busybox nc -w 1 ${HOST} ${port} </dev/null; python3 -c 'import socket; socket.create_connection(("${HOST}", ${port}))'; done`
  const request = { title: 'Hostile', image, command: ['/bin/sh', '-c', knock] }
  const spec = await from.specs.create(sandboxSpecRequest.parse(request))
  return (await from.sandboxes.start(spec.id)).id
}

describe('the rules stand', () => {
  test('from the first moment, for what an image starts by itself', async ({ listener, parts }) => {
    listener.visits()
    const id = await startHostile(parts, parts.images.reference ?? '', listener)
    expect(await reach(await parts.sandboxes.open(id), 'tcp', HOST, listener.port)).toBe('refused')
    await parts.outside.getContainer(id).stop({ t: 0 })
    await becomes(parts, id, 'PAUSED')
    await parts.sandboxes.resume(id)
    expect(await reach(await parts.sandboxes.open(id), 'tcp', HOST, listener.port)).toBe('refused')
    expect(listener.visits()).toBe(0)
    await parts.sandboxes.delete(id)
  })

  test('also where the engine does not allow the common container that sets them', async ({ parts, listener }) => {
    const common = vi.spyOn(CommonContainer.prototype, 'setRules').mockResolvedValue(false)
    try {
      const { id } = await parts.sandboxes.start()
      expect(common).toHaveBeenCalledOnce()
      expect(await reach(await parts.sandboxes.open(id), 'tcp', HOST, listener.port)).toBe('refused')
      await parts.sandboxes.delete(id)
    } finally {
      common.mockRestore()
    }
  })

  test('while a sandbox is paused, and after it', async ({ parts, sandbox, listener }) => {
    await parts.sandboxes.pause(sandbox.id)
    await parts.sandboxes.resume(sandbox.id)
    expect(await reach(sandbox, 'tcp', HOST, listener.port)).toBe('refused')
  })

  test('after a stop and a start', async ({ parts, sandbox, listener }) => {
    await parts.outside.getContainer(sandbox.id).stop({ t: 0 })
    await becomes(parts, sandbox.id, 'PAUSED')
    await parts.sandboxes.resume(sandbox.id)
    expect((await parts.sandboxes.get(sandbox.id)).exposed_urls).toHaveLength(2)
    expect(await reach(sandbox, 'tcp', HOST, listener.port)).toBe('refused')
  })

  test('before the next command when somebody else has started the container again', async ({
    parts,
    sandbox,
    listener,
  }) => {
    await parts.outside.getContainer(sandbox.id).restart({ t: 0 })
    expect(await reach(sandbox, 'tcp', HOST, listener.port)).toBe('refused')
  })

  test('soon, without any command, when somebody else has started the container again', async ({ parts, listener }) => {
    const id = await startHostile(parts, parts.images.reference ?? '', listener)
    await parts.outside.getContainer(id).restart({ t: 0 })
    while (!(await haveRules(parts, id)));
    listener.visits()
    expect(await reach(await parts.sandboxes.open(id), 'tcp', HOST, listener.port)).toBe('refused')
    expect(listener.visits()).toBe(0)
    await parts.sandboxes.delete(id)
  })

  test('for sandboxes that run when the service starts', async ({ running, listener }) => {
    const { parts, sandbox } = running
    await parts.stop()
    await parts.outside.getContainer(sandbox.id).restart({ t: 0 })
    running.parts = await startParts({ instanceId: parts.instanceId })
    running.sandbox = await running.parts.sandboxes.open(sandbox.id)
    expect(await reach(running.sandbox, 'tcp', HOST, listener.port)).toBe('refused')
  })

  test('around an image that has no nft', async ({ parts, listener }) => {
    const id = await startHostile(parts, await busyboxImage(parts.outside), listener)
    const result = await (await parts.sandboxes.open(id)).exec({ argv: ['busybox', 'nft', 'list', 'ruleset'] })
    expect(result.exitCode).not.toBe(0)
    const asked = `busybox nc -w 5 ${HOST} ${listener.port} </dev/null`
    expect((await (await parts.sandboxes.open(id)).exec({ argv: ['/bin/sh', '-c', asked] })).stdout).toBe('')
    await parts.sandboxes.delete(id)
  })
})

test('a published port is reached from this machine all the same', async ({ parts, sandbox }) => {
  const worker = (await parts.sandboxes.get(sandbox.id)).exposed_urls?.find(({ name }) => name === 'WORKER_1')
  const stop = new AbortController()
  await new Promise<void>(resolve => {
    const script =
      'import http.server as h; s=h.HTTPServer(("",8011),h.SimpleHTTPRequestHandler); print("up",flush=True); s.serve_forever()'
    const request = { argv: ['python3', '-c', script], cwd: '/etc/apt', signal: stop.signal, onOutput: () => resolve() }
    void sandbox.exec(request).catch(() => {})
  })
  expect((await fetch(worker?.url ?? '')).status).toBe(200)
  stop.abort()
})

describe('a host that the person allows', () => {
  test('opens and closes in a running sandbox, at its port alone', async ({ parts, listener, sandbox }) => {
    const second = await listenEverywhere()
    parts.allowHosts(`${HOST}:${listener.port}`)
    expect(await reach(sandbox, 'tcp', HOST, listener.port)).toBe('open')
    expect(await reach(sandbox, 'udp', HOST, listener.port)).toBe('open')
    expect(await reach(sandbox, 'tcp', HOST, second.port)).toBe('refused')
    parts.allowHosts(HOST)
    expect(await reach(sandbox, 'tcp', HOST, second.port)).toBe('open')
    parts.allowHosts(`localhost:${second.port}`)
    expect(await reach(sandbox, 'tcp', HOST, second.port)).toBe('open')
    parts.allowHosts()
    expect(await reach(sandbox, 'tcp', HOST, second.port)).toBe('refused')
    await second.close()
  })

  test('is closed while a sandbox is paused', async ({ parts, sandbox, listener }) => {
    parts.allowHosts(HOST)
    expect(await reach(sandbox, 'tcp', HOST, listener.port)).toBe('open')
    await parts.sandboxes.pause(sandbox.id)
    parts.allowHosts()
    await parts.sandboxes.resume(sandbox.id)
    expect(await reach(sandbox, 'tcp', HOST, listener.port)).toBe('refused')
  })

  test('is closed to connections that are open', async ({ parts, listener, sandbox }) => {
    parts.allowHosts(HOST)
    const script = `
import socket
s = socket.create_connection(("${HOST}", ${listener.port}))
print(s.recv(6), flush=True)
try:
    while True:
        s.send(b"still there")
        s.settimeout(0.1)
        try: s.recv(1)
        except socket.timeout: pass
except OSError: print("cut off")`
    let connected = () => {}
    const isConnected = new Promise<void>(resolve => {
      connected = resolve
    })
    const running = sandbox.exec({ argv: ['python3', '-c', script], timeoutMs: 20_000, onOutput: () => connected() })
    await isConnected
    parts.allowHosts()
    expect((await running).stdout).toContain('cut off')
  })

  test('is not what the sandbox says that it is', async ({ parts, sandbox, listener }) => {
    const { Gateway: gateway } = (await bridgeOf(parts.outside.getContainer(sandbox.id))) ?? {}
    const lie = `echo "${gateway} git.example.test" >>/etc/hosts; echo "nameserver ${gateway}" >>/etc/resolv.conf`
    await sandbox.exec({ argv: ['/bin/sh', '-c', lie] })
    parts.allowHosts('git.example.test')
    expect(await reach(sandbox, 'tcp', 'git.example.test', listener.port)).toBe('refused')
    expect(await reach(sandbox, 'tcp', gateway ?? '', 53)).toBe('refused')
    parts.allowHosts()
  })

  test('is told apart from one that is closed', async ({ sandbox, parts }) => {
    expect(await sandbox.refuses('localhost', 3000)).toBe('private')
    expect(await sandbox.refuses('192.168.1.1', 80)).toBe('private')
    expect(await sandbox.refuses('9.9.9.9', 80)).toBeNull()
    parts.allowHosts('localhost:3000')
    expect(await sandbox.refuses('localhost', 3000)).toBeNull()
    expect(await sandbox.refuses('localhost', 3001)).toBe('private')
    parts.allowHosts()
  })
})

test('a sandbox whose rules cannot be set is not started, and nothing of it is left', async ({ parts, listener }) => {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-resources-'))
  // An image that lacks the programs which look around and set the rules.
  const reference = await busyboxImage(parts.outside)
  writeFileSync(join(folder, 'sandbox-image.json'), JSON.stringify({ reference, sizeBytes: 1 }))
  writeFileSync(join(folder, 'sandbox-image.tar.gz'), '')
  const broken = await startParts({ resourcesDir: folder })
  await expect(startHostile(broken, parts.images.reference ?? '', listener)).rejects.toMatchObject({
    code: 'sandbox_start_failed',
    message: expect.stringMatching(/could not be set, so it has no network.*nftables.*"none"/s),
  })
  const filters = { label: [`dev.atelier.instance=${broken.instanceId}`] }
  expect(await parts.outside.listContainers({ all: true, filters })).toEqual([])
  const none = await broken.specs.create(
    sandboxSpecRequest.parse({ title: 'None', image: parts.images.reference, network: 'none' }),
  )
  const { id, status } = await broken.sandboxes.start(none.id)
  expect(status).toBe('RUNNING')
  const alone = await broken.sandboxes.open(id)
  expect([await alone.refuses('9.9.9.9', 80), await alone.refuses('localhost', 80)]).toEqual(['policy', 'policy'])
  await broken.close()
  rmSync(folder, { recursive: true })
})

/** Seen from outside: nobody of ours runs anything in the sandbox. */
async function haveRules(parts: Parts, id: string): Promise<boolean> {
  const container = await parts.outside.createContainer({
    Image: parts.images.reference ?? '',
    Cmd: ['nft', 'list', 'table', 'inet', 'atelier'],
    HostConfig: { NetworkMode: `container:${id}`, CapDrop: ['ALL'], CapAdd: ['NET_ADMIN'] },
  })
  try {
    await container.start()
    return (await container.wait()).StatusCode === 0
  } finally {
    await container.remove({ force: true })
  }
}
