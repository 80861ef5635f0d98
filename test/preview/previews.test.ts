import { expect, test } from 'vitest'
import type { SandboxInfo } from '../../server/api/v1/sandbox/sandboxes.ts'
import { Bus } from '../../server/bus.ts'
import { Previews } from '../../server/preview/previews.ts'
import type { SandboxService } from '../../server/sandbox/service.ts'

const IDS = Array.from({ length: 150 }, (_, index) => `sandbox-${index}`)

/** Of a service that has just begun: it has given nothing out yet. */
function previews(key: () => string) {
  let served = 0
  let closed = 0
  const pageOf = (page_id: string | null | undefined) => ({
    items: (page_id ? IDS.slice(100) : IDS.slice(0, 100)).map(id => ({ id }) as SandboxInfo),
    next_page_id: page_id ? null : 'second',
  })
  const bus = new Bus()
  const gone = new Set<string>()
  const ports = new Map([['sandbox-1', [{ port: 3000, program: 'node' }]]])
  const sandboxes = {
    batch: async (ids: readonly string[]) => ids.map(id => (gone.has(id) ? null : { id })),
    /** Undefined once it is paused. */
    look: async (id: string) => {
      const listening = ports.get(id)
      ports.delete(id)
      return listening
    },
    get: async (id: string) => ({ id }),
    search: async ({ page_id }: { page_id?: string | null }) => pageOf(page_id),
  } as unknown as SandboxService
  const serve = async () => {
    served += 1
    const close = async () => {
      closed += 1
    }
    return { port: 4000 + served, close }
  }
  const remove = (id: string) => {
    gone.add(id)
    bus.publish({ resource: 'sandbox', id })
  }
  return { previews: new Previews({ bus, sandboxes, key, serve }), counts: () => ({ served, closed }), bus, remove }
}

const target = { sandboxId: 'sandbox-120', port: 5173 }
const labelOf = (address: string) => new URL(address).hostname.replace('.localhost', '')

test('addresses outlive the service that gave them out', async () => {
  const label = labelOf(await previews(() => 'key').previews.address(target))
  const { previews: next, counts } = previews(() => 'key')
  expect(await next.targetOf(label)).toEqual(target)
  expect(await next.targetOf(`5174-${label.slice(5)}`)).toBeUndefined()
  expect(await next.targetOf('anything')).toBeUndefined()
  expect(counts()).toEqual({ served: 0, closed: 0 })
})

test('one port serves them all, and another key ends it with every address', async () => {
  let key = 'key'
  const { previews: all, counts } = previews(() => key)
  const before = await all.address(target)
  await all.address({ ...target, port: 8000 })
  expect(counts()).toEqual({ served: 1, closed: 0 })
  key = 'other key'
  await all.forget()
  expect(await all.targetOf(labelOf(before))).toBeUndefined()
  expect(await all.address(target)).not.toBe(before)
  expect(counts()).toEqual({ served: 2, closed: 1 })
})

test('a proxy is of one sandbox, outlives the service that opened it, and ends with the key', async () => {
  let key = 'key'
  const { previews: all, counts } = previews(() => key)
  const proxy = await all.proxy('sandbox-1')
  expect(proxy).toMatchObject({ url: 'http://127.0.0.1:4001', username: 'sandbox-1' })
  await all.address(target)
  expect(counts()).toEqual({ served: 1, closed: 0 })
  const { previews: next } = previews(() => key)
  expect(next.proxiedBy(proxy)).toBe('sandbox-1')
  expect(next.proxiedBy({ ...proxy, username: 'sandbox-2' })).toBeUndefined()
  expect(next.proxiedBy({ ...proxy, password: 'é'.repeat(13) })).toBeUndefined()
  expect(next.proxiedBy(undefined)).toBeUndefined()
  key = 'other key'
  expect(next.proxiedBy(proxy)).toBeUndefined()
})

test('what listened in a sandbox is known while it is paused, and forgotten once it is gone', async () => {
  const { previews: all, bus, remove } = previews(() => 'key')
  const ports = () => all.ports('sandbox-1', { wake: false, signal: new AbortController().signal })
  const listening = await ports()
  expect(listening).toEqual([{ port: 3000, program: 'node' }])
  bus.publish({ resource: 'sandbox', id: 'sandbox-1' })
  await Promise.resolve()
  expect(await ports()).toEqual(listening)
  remove('sandbox-1')
  await expect(ports()).rejects.toMatchObject({ code: 'sandbox_not_running' })
})
