import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { it as base } from '../fixtures/base.ts'
import { PORTABLE_CASES, sh } from '../parts/engine/portable-cases.ts'
import { IMAGE, openEngine, startClusterParts } from '../parts/kubernetes/cluster.ts'

const never = new AbortController().signal

const it = base
  .extend('parts', { scope: 'file' }, async ({}, { onCleanup }) => {
    const parts = await startClusterParts()
    onCleanup(() => parts.close())
    return parts
  })
  .extend('sandbox', { scope: 'file' }, async ({ parts }) => parts.sandboxes.open((await parts.sandboxes.start()).id))

const unstarted = {
  ...{
    image: IMAGE,
    command: ['/bin/sh'],
    workingDir: '/workspace',
    env: {},
    ports: [],
    memoryBytes: 2 ** 28,
    cpus: 1,
  },
  ...{ pids: 100, capabilities: { drop: ['ALL'], add: [] }, network: 'bridge' as const, extraHosts: [], mounts: [] },
}

it.for(PORTABLE_CASES)('%s', ([_name, run], { sandbox }) => run(sandbox))

it('stops a command with all that it has started', async ({ sandbox }) => {
  const stop = new AbortController()
  const running = sandbox.exec({
    argv: ['/bin/sh', '-c', 'sleep 1000 & echo $! >/tmp/child; echo begun; cat; wait'],
    stdin: Buffer.from('x'),
    signal: stop.signal,
    onOutput: () => stop.abort(),
  })
  await running.catch(() => {})
  await expect.poll(async () => (await sh(sandbox, 'kill -0 $(cat /tmp/child)')).exitCode).not.toBe(0)
  expect((await sh(sandbox, 'ps -eo stat,args | grep -c "^Z"')).stdout).toBe('0\n')
})

it('reaches its ports from here, through the pod and through the relay', async ({ parts, sandbox }) => {
  const served = 'cd /tmp && echo page >index.html && (python3 -m http.server "$WORKER_1" >/dev/null 2>&1 &)'
  await sh(sandbox, served)
  const port = Number((await sh(sandbox, 'echo $WORKER_1')).stdout)
  const state = await parts.connection.engine().inspectContainer(sandbox.id)
  const url = `http://127.0.0.1:${state?.ports[port]}/index.html`
  const page = () => fetch(url, { signal: AbortSignal.timeout(5000) }).then(answer => answer.text(), String)
  await expect.poll(page).toBe('page\n')
  const all = await Promise.all(Array.from({ length: 10 }, page))
  expect(new Set(all)).toEqual(new Set(['page\n']))
  const stream = await sandbox.connect({ host: null, port }, never)
  stream.end('GET /index.html HTTP/1.0\r\n\r\n')
  expect(await text(stream)).toContain('page\n')
  await expect(sandbox.connect({ host: null, port: 9 }, never)).rejects.toThrow('Nothing listens there')
})

it('pauses, goes on with its folder, and removes what it has made', async ({ parts }) => {
  const { id } = await parts.sandboxes.start()
  const sandbox = await parts.sandboxes.open(id)
  await sh(sandbox, 'echo kept >note')
  await parts.sandboxes.pause(id)
  expect((await parts.sandboxes.get(id)).status).toBe('PAUSED')
  await parts.sandboxes.resume(id)
  expect((await sh(await parts.sandboxes.open(id), 'cat note')).stdout).toBe('kept\n')
  await parts.sandboxes.delete(id)
  const engine = parts.connection.engine()
  const left = async () =>
    (await engine.listObjects({ 'dev.atelier.instance': parts.instanceId })).map(({ name }) => name)
  await expect.poll(left).not.toContain(id)
})

it('ends a command whose sandbox is removed under it', async ({ parts }) => {
  const { id } = await parts.sandboxes.start()
  const doomed = await parts.sandboxes.open(id)
  const running = doomed.exec({
    argv: ['/bin/sh', '-c', 'echo ready; sleep 1115'],
    onOutput: () => void parts.connection.engine().removeContainer(id),
  })
  const end = await running.then(
    result => result.exitCode,
    error => error.code,
  )
  expect([137, 'sandbox_not_running', 'sandbox_not_found']).toContain(end)
  await expect.poll(() => parts.sandboxes.get(id).catch(error => error.code)).toBe('sandbox_not_found')
})

it('keeps its sandboxes over an end of the service, and removes what was being made then', async () => {
  const first = await startClusterParts()
  const { id } = await first.sandboxes.start()
  const engine = first.connection.engine()
  const { labels = {} } = (await engine.inspectContainer(id)) ?? {}
  const half = { ...unstarted, name: `${id}half`, labels }
  await first.stop()
  const other = await openEngine()
  await other.createContainer(half)
  const second = await startClusterParts({ instanceId: first.instanceId })
  try {
    expect((await second.sandboxes.get(id)).status).toBe('RUNNING')
    expect((await sh(await second.sandboxes.open(id), 'echo still')).stdout).toBe('still\n')
    await expect.poll(() => other.inspectContainer(half.name)).toBeUndefined()
  } finally {
    await other.close()
    await second.close()
  }
})
