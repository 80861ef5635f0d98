import { mkdtempSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, vi } from 'vitest'
import { sandboxSpecRequest } from '../../../server/api/v1/sandbox/specs.ts'
import { findEngine } from '../../../server/docker/socket.ts'
import { EngineProxy } from '../../docker/proxy.ts'
import { it as base } from '../../fixtures/sandbox.ts'
import { type Parts, startParts, until } from '../parts.ts'
import { preparedIds, SURELY_ROUND_MS, untilPrepared } from './until-prepared.ts'

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

async function output(parts: Parts, id: string, command: string): Promise<string> {
  const sandbox = await parts.sandboxes.open(id)
  return (await sandbox.exec({ argv: ['/bin/sh', '-c', command] })).stdout
}

describe('a prepared sandbox', () => {
  it('is nobody’s until it is taken', async ({ parts, prepared }) => {
    expect((await parts.sandboxes.search({ limit: 100 })).items).toEqual([])
    expect(await parts.sandboxes.batch([prepared])).toEqual([null])
    expect(await parts.sandboxes.stats([prepared])).toEqual([null])
    expect(parts.sandboxes.runningCount()).toBe(0)
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
  it('where limits or the image are others now', async ({ parts, prepared }) => {
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
    const { id } = await parts.sandboxes.start()
    expect(prepared).toContain(id)
    expect(await output(parts, id, 'cat /newer')).toBe('yes')
    await parts.close()
    await parts.outside.getImage(`${repo}:${tag}`).remove({ force: true })
  })

  it('where it does not run any more: then its place is taken by a new one', async ({ parts, prepared }) => {
    await parts.outside.getContainer(prepared).stop({ t: 0 })
    const { id, status } = await parts.sandboxes.start()
    expect({ id, status }).toEqual({ id: prepared, status: 'RUNNING' })
    expect(await output(parts, id, 'echo works')).toBe('works\n')
  })

  it('where it was removed', async ({ parts, prepared }) => {
    await parts.outside.getContainer(prepared).remove({ force: true })
    const { id, status } = await parts.sandboxes.start()
    expect({ id, status }).toEqual({ id: prepared, status: 'RUNNING' })
    expect(await output(parts, id, 'echo works')).toBe('works\n')
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
    expect(await containers(other)).toEqual([])
  })

  it('with the service, also while it is being made', async () => {
    const other = await startParts()
    other.prepare(1)
    while ((await containers(other)).length === 0) await delay(5)
    await other.stop()
    expect(await containers(other)).toEqual([])
  })
})

it('a start that is given up removes the one that it had taken', async ({ parts, prepared }) => {
  const { id } = await parts.sandboxes.create()
  expect(id).toBe(prepared)
  await parts.sandboxes.delete(id)
  expect(await parts.sandboxes.batch([id])).toEqual([null])
  // The engine lists what it is removing.
  await vi.waitFor(async () => expect(await containers(parts)).not.toContain(prepared))
})

describe('nothing is prepared', () => {
  it('from an image that the engine lacks', async () => {
    const parts = await startParts()
    parts.settings.runtime = 'atelier-test/none:none'
    parts.prepare(1)
    await delay(SURELY_ROUND_MS)
    expect(await containers(parts)).toEqual([])
    await parts.close()
  })

  it('a second time soon where it does not start', async () => {
    const parts = await startParts()
    const created = await creations(parts)
    const image = parts.images.reference ?? ''
    await parts.specs.create(sandboxSpecRequest.parse({ title: 'Ends', image, command: ['false'], is_default: true }))
    parts.prepare(1)
    await vi.waitFor(() => expect(created.names).toHaveLength(1), SURELY_ROUND_MS)
    await vi.waitFor(async () => expect(await containers(parts)).toEqual([]), SURELY_ROUND_MS)
    parts.prepare(2)
    await delay(SURELY_ROUND_MS)
    expect(created.names).toHaveLength(1)
    created.stop()
    await parts.close()
  })

  it('with folders of this machine', async () => {
    const parts = await startParts()
    const folder = mkdtempSync(join(tmpdir(), 'atelier-mounted-'))
    const mounts = [{ host_path: folder, container_path: '/mounted', mode: 'ro' }]
    const image = parts.images.reference ?? ''
    await parts.specs.create(sandboxSpecRequest.parse({ title: 'Mounts', image, mounts, is_default: true }))
    parts.prepare(1)
    await delay(SURELY_ROUND_MS)
    expect(await containers(parts)).toEqual([])
    await parts.close()
    rmSync(folder, { recursive: true })
  })
})

it('an engine that goes away takes them along, and when it is back there is a new one', async () => {
  const proxy = new EngineProxy(process.env.DOCKER_HOST ?? '')
  await proxy.up()
  const machine = { env: { DOCKER_HOST: proxy.host }, platform: process.platform, home: homedir(), uid: 0 }
  const away = await startParts({ find: signal => findEngine(machine, signal) })
  away.prepare(1)
  const [before = ''] = await untilPrepared(away, 1)
  await proxy.down()
  await until(away.bus, () => (away.connection.status().state === 'unavailable' ? true : undefined))
  await proxy.up()
  const next = await untilOther(away, before)
  expect((await away.sandboxes.start()).id).toBe(next)
  await away.close()
  await proxy.down()
})

/** The one that is there when the other is gone. */
async function untilOther(parts: Parts, gone: string): Promise<string> {
  for (;;) {
    const [id, ...others] = await preparedIds(parts)
    if (id !== undefined && id !== gone && others.length === 0) return id
    await delay(50)
  }
}

/** Names of all its containers, whatever they do, but for those that look at the network. */
async function containers({ outside, instanceId }: Parts): Promise<string[]> {
  const filters = { label: [`dev.atelier.instance=${instanceId}`] }
  const found = await outside.listContainers({ all: true, filters })
  return found.flatMap(({ Names }) => Names.map(name => name.slice(1))).filter(name => !name.includes('-once-'))
}

/** Names of the containers that are made from now on. */
async function creations({ outside, instanceId }: Parts): Promise<{ names: string[]; stop(): void }> {
  const filters = { event: ['create'], label: [`dev.atelier.instance=${instanceId}`] }
  const events = (await outside.getEvents({ filters })) as Readable
  const names: string[] = []
  events.on('data', (line: Buffer) => {
    const name = String(JSON.parse(String(line)).Actor.Attributes.name)
    if (!name.includes('-once-')) names.push(name)
  })
  return { names, stop: () => events.destroy() }
}
