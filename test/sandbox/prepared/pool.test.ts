import { describe, expect, vi } from 'vitest'
import { it as base } from '../../fixtures/sandbox.ts'
import { type Parts, startParts } from '../parts.ts'
import { containers, creations, output, PATIENCE, preparedIds, untilOther, untilPrepared } from './parts.ts'

/** With one sandbox prepared, and none taken. */
const it = base.extend('prepared', async ({ parts }, { onCleanup }) => {
  onCleanup(() => removeAll(parts))
  parts.prepare(1)
  const [id = ''] = await untilPrepared(parts, 1)
  return id
})

async function removeAll({ sandboxes }: Parts): Promise<void> {
  const { items } = await sandboxes.search({ limit: 100 })
  await Promise.all(items.map(({ id }) => sandboxes.delete(id)))
}

describe('a prepared sandbox', () => {
  it('is nobody’s until it is taken', async ({ parts, prepared }) => {
    expect((await parts.sandboxes.search({ limit: 100 })).items).toEqual([])
    expect(await parts.sandboxes.batch([prepared])).toEqual([null])
    expect(await parts.sandboxes.stats([prepared])).toEqual([null])
    expect(parts.sandboxes.count().running).toBe(0)
    for (const act of ['get', 'pause', 'delete', 'open'] as const) {
      await expect(parts.sandboxes[act](prepared)).rejects.toMatchObject({ code: 'sandbox_not_found' })
    }
  })

  it('is the next one that is started, as of then, and another is prepared', async ({ parts, prepared }) => {
    const asked = new Date().toISOString()
    const info = await parts.sandboxes.start()
    expect(info).toMatchObject({ id: prepared, status: 'RUNNING', session_api_key: `key-of-${prepared}` })
    expect(info.exposed_urls?.map(({ name }) => name)).toEqual(['WORKER_1', 'WORKER_2'])
    expect(info.created_at >= asked).toBe(true)
    expect(await output(parts, info.id, 'pwd; cat /sys/class/net/eth0/operstate')).toBe('/workspace/project\nup\n')
    const [next] = await untilPrepared(parts, 1)
    expect(next).not.toBe(prepared)
    // What the engine says of it later leaves the time as it is.
    await parts.sandboxes.pause(info.id)
    expect((await parts.sandboxes.get(info.id)).created_at).toBe(info.created_at)
  })

  it('is given to one of many, and the others start all the same', async ({ parts, prepared }) => {
    const infos = await Promise.all([1, 2, 3].map(() => parts.sandboxes.start()))
    expect(new Set(infos.map(({ id }) => id)).size).toBe(3)
    expect(infos.map(({ id }) => id)).toContain(prepared)
    expect(infos.map(({ status }) => status)).toEqual(['RUNNING', 'RUNNING', 'RUNNING'])
  })
})

describe('it is not taken', () => {
  it('where its limits are others now', async ({ parts, prepared }) => {
    parts.settings.resourceFactor = 2
    const { id } = await parts.sandboxes.start()
    parts.settings.resourceFactor = null
    expect(id).not.toBe(prepared)
  })

  it('where its image has another meaning now', async () => {
    const parts = await startParts()
    const { id: first } = await parts.sandboxes.start()
    const sandbox = await parts.sandboxes.open(first)
    const [repo = '', tag = ''] = ['atelier-test-moved', parts.instanceId]
    const commit = () => parts.outside.getContainer(first).commit({ repo, tag })
    await commit()
    parts.settings.runtime = `${repo}:${tag}`
    // Of the spec that was used last, and of the default.
    parts.prepare(2)
    const prepared = await untilPrepared(parts, 2)
    await sandbox.writeFile('/newer', Buffer.from('yes'))
    await commit()
    // The start finds out, whose id it has by then.
    const { id } = await parts.sandboxes.start()
    expect(prepared).toContain(id)
    expect(await output(parts, id, 'cat /newer')).toBe('yes')
    await commit()
    parts.prepare(2)
    const others = await untilPrepared(parts, 2)
    await commit()
    // A round finds out, too.
    parts.prepare(2)
    await vi.waitFor(
      async () => expect((await preparedIds(parts)).some(each => !others.includes(each))).toBe(true),
      PATIENCE,
    )
    await parts.close()
    await parts.outside.getImage(`${repo}:${tag}`).remove({ force: true })
  })

  it.for(['stop', 'pause', 'restart', 'remove'] as const)(
    'where somebody else did something with it (%s): another is prepared',
    async (act, { parts, prepared }) => {
      const container = parts.outside.getContainer(prepared)
      // It is removed while it is started again.
      await (act === 'remove' ? container.remove({ force: true }) : container[act]({ t: 0 })).catch(() => {})
      const next = await untilOther(parts, prepared)
      expect((await parts.sandboxes.start()).id).toBe(next)
    },
  )

  it('where a host was closed since', async ({ parts, prepared }) => {
    parts.allowHosts('host.docker.internal:9')
    expect((await parts.sandboxes.start()).id).not.toBe(prepared)
    parts.allowHosts()
  })
})

describe('it goes', () => {
  it('when sandboxes are not to be prepared any more', async ({ parts, prepared }) => {
    parts.prepare(0)
    await untilPrepared(parts, 0)
    expect((await parts.sandboxes.start()).id).not.toBe(prepared)
  })

  it('when another image is wanted', async ({ parts, prepared }) => {
    parts.settings.resourceFactor = 2
    parts.prepare(1)
    const next = await untilOther(parts, prepared)
    expect((await parts.sandboxes.start()).id).toBe(next)
    parts.settings.resourceFactor = null
  })

  it('with the service', async () => {
    const other = await startParts()
    other.prepare(1)
    await untilPrepared(other, 1)
    await other.stop()
    await expect.poll(() => containers(other)).toEqual([])
  })

  it('with the service, also while it is being made', async () => {
    const other = await startParts()
    other.prepare(1)
    await vi.waitFor(async () => expect(await containers(other)).toHaveLength(1), { ...PATIENCE, interval: 5 })
    await other.stop()
    await expect.poll(() => containers(other)).toEqual([])
  })
})

it('a start that is given up removes the one that it had taken, also while that is being made', async () => {
  const parts = await startParts()
  const created = await creations(parts)
  parts.prepare(1)
  await vi.waitFor(() => expect(created.names).toHaveLength(1), { ...PATIENCE, interval: 5 })
  const { id } = await parts.sandboxes.create()
  expect([id]).toEqual(created.names)
  await parts.sandboxes.delete(id)
  await vi.waitFor(async () => expect(await containers(parts)).toEqual([]), PATIENCE)
  created.stop()
  await parts.close()
})

it('a start that is given up removes the one that it had taken', async ({ parts, prepared }) => {
  const { id } = await parts.sandboxes.create()
  expect(id).toBe(prepared)
  await parts.sandboxes.delete(id)
  expect(await parts.sandboxes.batch([id])).toEqual([null])
  // The engine lists what it is removing.
  await expect.poll(() => containers(parts)).not.toContain(prepared)
})
