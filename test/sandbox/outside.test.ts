import { homedir } from 'node:os'
import { describe, expect } from 'vitest'
import type { SandboxInfo } from '../../server/api/v1/sandbox/sandboxes.ts'
import { findEngine } from '../../server/docker/socket.ts'
import { EngineProxy } from '../docker/proxy.ts'
import { it as base } from '../fixtures/sandbox.ts'
import { startParts, until } from './parts.ts'

const test = base
  /** How long after `act` the service shows it, in milliseconds. */
  .extend(
    'delayOf',
    { scope: 'file' },
    ({ parts }) =>
      async (
        act: () => Promise<unknown>,
        shown: (info: SandboxInfo | null) => boolean,
        id: string,
      ): Promise<number> => {
        const seen = until(parts.bus, async () => {
          const [info] = await parts.sandboxes.batch([id])
          return shown(info ?? null) ? Date.now() : undefined
        })
        await act()
        const done = Date.now()
        return (await seen) - done
      },
  )

describe('what is done with the docker command shows by itself, within seconds:', () => {
  test('pause, unpause, stop, start, restart, removal', async ({ parts, delayOf }) => {
    const { id } = await parts.sandboxes.start()
    const container = parts.outside.getContainer(id)
    const status = (wanted: string) => (info: SandboxInfo | null) => info?.status === wanted
    expect(await delayOf(() => container.pause(), status('PAUSED'), id)).toBeLessThan(5000)
    expect(await delayOf(() => container.unpause(), status('RUNNING'), id)).toBeLessThan(5000)
    expect(await delayOf(() => container.stop({ t: 2 }), status('PAUSED'), id)).toBeLessThan(5000)
    expect((await parts.sandboxes.get(id)).status_detail).toBe('Stopped.')
    expect(await delayOf(() => container.start(), status('RUNNING'), id)).toBeLessThan(5000)
    expect(await delayOf(() => container.restart({ t: 1 }), status('RUNNING'), id)).toBeLessThan(5000)
    expect(
      await delayOf(
        () => container.remove({ force: true }),
        info => info === null,
        id,
      ),
    ).toBeLessThan(5000)
  })

  test('a stop is quick, and a resume gives new addresses', async ({ parts }) => {
    const { id } = await parts.sandboxes.start()
    const began = Date.now()
    await parts.outside.getContainer(id).stop({ t: 60 })
    expect(Date.now() - began).toBeLessThan(30_000)
    await until(parts.bus, async () => ((await parts.sandboxes.get(id)).status === 'PAUSED' ? true : undefined))
    await parts.sandboxes.resume(id)
    const info = await parts.sandboxes.get(id)
    expect(info.status).toBe('RUNNING')
    expect(info.exposed_urls).toHaveLength(2)
    await parts.sandboxes.delete(id)
  })
})

describe('while the engine is away', () => {
  test('its sandboxes keep their last known state, marked as unreachable; when it is back they are what they became', async ({
    parts,
  }) => {
    const proxy = new EngineProxy(process.env.DOCKER_HOST ?? '')
    await proxy.up()
    const machine = { env: { DOCKER_HOST: proxy.host }, platform: process.platform, home: homedir(), uid: 0 }
    const away = await startParts({ find: signal => findEngine(machine, signal) })
    const [kept, stopped, removed] = await Promise.all([1, 2, 3].map(() => away.sandboxes.start()))
    if (!kept || !stopped || !removed) throw new Error('no sandboxes')
    const sandbox = await away.sandboxes.open(kept.id)

    await proxy.down()
    await until(away.bus, async () => ((await away.sandboxes.get(kept.id)).unreachable ? true : undefined))
    expect(await away.sandboxes.get(kept.id)).toMatchObject({
      status: 'RUNNING',
      status_detail: expect.stringContaining('engine does not answer'),
      session_api_key: null,
    })
    for (const act of ['pause', 'resume', 'open'] as const) {
      await expect(away.sandboxes[act](kept.id)).rejects.toMatchObject({ code: 'engine_unavailable' })
    }
    await expect(away.sandboxes.create()).rejects.toMatchObject({ code: 'engine_unavailable' })
    await expect(away.sandboxes.delete(kept.id)).rejects.toMatchObject({ code: 'engine_unavailable' })
    await expect(sandbox.exec({ argv: ['true'] })).rejects.toMatchObject({ code: 'engine_unavailable' })
    await parts.outside.getContainer(stopped.id).stop({ t: 1 })
    await parts.outside.getContainer(removed.id).remove({ force: true })

    const back = Date.now()
    await proxy.up()
    await until(away.bus, async () => ((await away.sandboxes.get(kept.id)).unreachable ? undefined : true))
    expect(Date.now() - back).toBeLessThan(5000)
    expect((await away.sandboxes.get(stopped.id)).status).toBe('PAUSED')
    expect(await away.sandboxes.batch([removed.id])).toEqual([null])
    expect((await sandbox.exec({ argv: ['echo', 'same handle'] })).stdout).toBe('same handle\n')
    await away.close()
    await proxy.down()
  })

  test('who asks for one in the moment in which the engine is back waits for its list', async () => {
    const proxy = new EngineProxy(process.env.DOCKER_HOST ?? '')
    await proxy.up()
    const machine = { env: { DOCKER_HOST: proxy.host }, platform: process.platform, home: homedir(), uid: 0 }
    const away = await startParts({ find: signal => findEngine(machine, signal) })
    const { id } = await away.sandboxes.start()
    await proxy.down()
    await until(away.bus, async () => ((await away.sandboxes.get(id)).unreachable ? true : undefined))
    proxy.lateness = path => (path === '/containers/json' ? 1500 : 0)
    await proxy.up()
    await until(away.bus, () => (away.connection.status().state === 'ready' ? true : undefined))
    await away.sandboxes.resume(id)
    expect(await away.sandboxes.get(id)).toMatchObject({ status: 'RUNNING', session_api_key: expect.any(String) })
    await away.close()
    await proxy.down()
  })
})
