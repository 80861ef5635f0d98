import { describe, expect } from 'vitest'
import type { Change } from '../../server/bus.ts'
import { it as base } from '../fixtures/sandbox.ts'
import { type Parts, startParts, until } from './parts.ts'

const test = base
  .extend('statusOf', { scope: 'file' }, ({ parts }) => async (id: string, where = parts) => {
    return (await where.sandboxes.batch([id]))[0]?.status
  })
  .extend('expectNothingLeft', { scope: 'file' }, ({ parts }) => async (): Promise<void> => {
    await expect.poll(() => containersOf(parts)).toEqual([])
    expect((await parts.sandboxes.search({ limit: 100 })).items).toEqual([])
  })

test('a new sandbox is STARTING at once, then RUNNING with its key and addresses', async ({ parts }) => {
  const created = await parts.sandboxes.create()
  expect(created).toMatchObject({ status: 'STARTING', session_api_key: null, exposed_urls: null })
  const running = await parts.sandboxes.waitUntilRunning(created.id)
  expect(running).toMatchObject({ id: created.id, status: 'RUNNING', session_api_key: `key-of-${created.id}` })
  expect(running.exposed_urls?.map(each => each.name)).toEqual(['WORKER_1', 'WORKER_2'])
  await parts.sandboxes.delete(created.id)
})

test('every step of a sandbox’s life is published', async ({ parts }) => {
  const changes: Change[] = []
  const off = parts.bus.subscribe(change => changes.push(change))
  const { id } = await parts.sandboxes.start()
  const afterStart = changes.filter(change => change.resource === 'sandbox' && change.id === id).length
  await parts.sandboxes.delete(id)
  off()
  expect(afterStart).toBeGreaterThanOrEqual(2)
  expect(changes.at(-1)).toEqual({ resource: 'sandbox', id })
})

test('a sandbox is paused and resumed, twice as well as once', async ({ parts, statusOf }) => {
  const { id } = await parts.sandboxes.start()
  const sandbox = await parts.sandboxes.open(id)
  await sandbox.writeFile('/workspace/project/kept', Buffer.from('yes'))
  await parts.sandboxes.pause(id)
  await parts.sandboxes.pause(id)
  expect(await parts.sandboxes.get(id)).toMatchObject({ status: 'PAUSED', session_api_key: null, exposed_urls: null })
  await expect(parts.sandboxes.open(id)).rejects.toMatchObject({ code: 'sandbox_not_running' })
  await expect(sandbox.exec({ argv: ['true'] })).rejects.toMatchObject({ code: 'sandbox_not_running' })
  await parts.sandboxes.resume(id)
  await parts.sandboxes.resume(id)
  expect(await statusOf(id)).toBe('RUNNING')
  expect((await sandbox.readFile('/workspace/project/kept')).toString()).toBe('yes')
  await parts.sandboxes.delete(id)
  expect(await statusOf(id)).toBeUndefined()
})

test('an unknown sandbox is null in a batch, and not found everywhere else', async ({ parts }) => {
  expect(await parts.sandboxes.batch(['atelier-no'])).toEqual([null])
  for (const act of ['get', 'pause', 'resume', 'delete', 'open'] as const) {
    await expect(parts.sandboxes[act]('atelier-no')).rejects.toMatchObject({ code: 'sandbox_not_found' })
  }
})

test('an unknown spec is refused and leaves nothing behind', async ({ parts }) => {
  const before = await parts.sandboxes.search({ limit: 100 })
  await expect(parts.sandboxes.create('no/such:spec')).rejects.toMatchObject({ code: 'not_found' })
  expect(await parts.sandboxes.search({ limit: 100 })).toEqual(before)
})

test('CPU and memory are measured while it runs', async ({ parts }) => {
  const { id } = await parts.sandboxes.start()
  const sandbox = await parts.sandboxes.open(id)
  const stop = new AbortController()
  const busy = sandbox.exec({ argv: ['sh', '-c', 'while :; do :; done'], signal: stop.signal }).catch(() => {})
  const [stats, unknown] = await parts.sandboxes.stats([id, 'atelier-no'])
  expect(stats?.cpu_percent).toBeGreaterThan(5)
  expect(stats?.memory_bytes).toBeGreaterThan(100_000)
  expect(stats?.memory_limit_bytes).toBeGreaterThan(2 ** 28)
  expect(stats?.processes).toBeGreaterThan(1)
  expect(unknown).toBeNull()
  stop.abort()
  await busy
  await parts.sandboxes.delete(id)
})

describe('lists', () => {
  test('are newest first, page by page', async ({ parts }) => {
    const ids: string[] = []
    for (let count = 0; count < 3; count++) ids.unshift((await parts.sandboxes.start()).id)
    const first = await parts.sandboxes.search({ limit: 2 })
    expect(first.items.map(each => each.id)).toEqual(ids.slice(0, 2))
    expect(first.next_page_id).toBe('2')
    const second = await parts.sandboxes.search({ limit: 2, page_id: first.next_page_id })
    expect(second.items.map(each => each.id)).toEqual(ids.slice(2))
    expect(second.next_page_id).toBeNull()
    expect((await parts.sandboxes.search({ limit: 1, page_id: 'x' })).items[0]?.id).toBe(ids[0])
    await Promise.all(ids.map(id => parts.sandboxes.delete(id)))
  })
})

describe('a start that is given up', () => {
  test('by its caller leaves no container', async ({ parts, expectNothingLeft }) => {
    const stop = new AbortController()
    const starting = parts.sandboxes.start(null, {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('changed')),
    })
    await expect(starting).rejects.toThrow('changed')
    await expectNothingLeft()
  })

  test('by deleting the sandbox leaves no container', async ({ parts, statusOf, expectNothingLeft }) => {
    const { id } = await parts.sandboxes.create()
    await parts.sandboxes.delete(id)
    expect(await statusOf(id)).toBeUndefined()
    await expectNothingLeft()
  })

  test('by the end of the service leaves no container', async () => {
    const other = await startParts()
    await other.sandboxes.create()
    await other.stop()
    await expect.poll(() => containersOf(other)).toEqual([])
  })
})

describe('a start that fails', () => {
  test('shows as ERROR with the reason, and can be deleted', async ({ parts, statusOf }) => {
    parts.settings.runtime = '127.0.0.1:9/no/such:image'
    const { id } = await parts.sandboxes.create()
    const failed = await until(parts.bus, async () => {
      const info = await parts.sandboxes.get(id)
      return info.status === 'STARTING' ? undefined : info
    })
    parts.settings.runtime = null
    expect(failed.status).toBe('ERROR')
    expect(failed.status_detail).toContain('could not be pulled')
    await parts.sandboxes.delete(id)
    expect(await statusOf(id)).toBeUndefined()
  })
})

describe('another service', () => {
  test('with the same data finds the sandboxes again', async ({ parts }) => {
    const { id } = await parts.sandboxes.start()
    const again = await startParts({ instanceId: parts.instanceId })
    expect(await again.sandboxes.get(id)).toEqual(await parts.sandboxes.get(id))
    const sandbox = await again.sandboxes.open(id)
    expect((await sandbox.exec({ argv: ['echo', 'still here'] })).stdout).toBe('still here\n')
    await again.stop()
    await parts.sandboxes.delete(id)
  })

  test('with other data sees none of them and cannot touch them', async ({ parts, statusOf }) => {
    const { id } = await parts.sandboxes.start()
    const other = await startParts()
    expect((await other.sandboxes.search({ limit: 100 })).items).toEqual([])
    await expect(other.sandboxes.delete(id)).rejects.toMatchObject({ code: 'sandbox_not_found' })
    await other.close()
    expect(await statusOf(id)).toBe('RUNNING')
    await parts.sandboxes.delete(id)
  })
})

async function containersOf(of: Parts): Promise<string[]> {
  const label = [`dev.atelier.instance=${of.instanceId}`]
  const found = await of.outside.listContainers({ all: true, filters: { label } })
  // What looks at the network for a moment is not a sandbox.
  return found.flatMap(({ Id, Names }) => (Names.some(name => name.includes('-once-')) ? [] : [Id]))
}
