import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect } from 'vitest'
import { thisMachine } from '../../server/docker/candidates.mjs'
import type { PullProgress } from '../../server/docker/engine.ts'
import { nextProgress } from '../../server/docker/image/pull.ts'
import { registryOf } from '../../server/docker/image/registry-login.ts'
import type { FollowedEngine } from '../../server/docker/life/ping.ts'
import { findEngine } from '../../server/docker/socket.ts'
import { isAppError } from '../../server/domain/errors.ts'
import { it as test } from '../fixtures/sandbox.ts'
import { type Registry, startRegistry } from './registry.ts'

let registry: Registry

describe('a pull from a registry', () => {
  beforeEach(async () => {
    registry = await startRegistry(process.arch === 'arm64' ? 'arm64' : 'amd64')
    return () => registry.close()
  })

  test('tells how many bytes have come', async ({ parts }) => {
    const seen: PullProgress[] = []
    const pulling = parts.connection.engine().pullImage(registry.reference, progress => {
      seen.push(progress)
      if (progress.doneBytes > 0) registry.release()
    })
    await pulling
    expect(seen.some(each => each.doneBytes > 0 && each.doneBytes < each.totalBytes)).toBe(true)
    expect(seen.at(-1)).toMatchObject({ doneBytes: registry.layerBytes, totalBytes: registry.layerBytes })
    expect((await parts.connection.engine().image(registry.reference))?.id).toMatch(/^sha256:/)
    await parts.outside.getImage(registry.reference).remove()
  })

  test('is cancelled in the engine too', async ({ parts }) => {
    const cancel = new AbortController()
    const pulling = parts.connection.engine().pullImage(
      registry.reference,
      progress => {
        if (progress.doneBytes > 0) cancel.abort(new Error('changed my mind'))
      },
      cancel.signal,
    )
    await expect(pulling).rejects.toThrow('changed my mind')
    await registry.dropped
    expect(await parts.connection.engine().image(registry.reference)).toBeUndefined()
  })

  test('for two who wait is one transfer, which goes on when one of them leaves', async ({ parts }) => {
    const leave = new AbortController()
    const first = parts.images.ensure(registry.reference, () => leave.abort(new Error('left')), leave.signal)
    const second = parts.images.ensure(registry.reference, progress => progress.doneBytes > 0 && registry.release())
    await expect(first).rejects.toThrow('left')
    await second
    await parts.outside.getImage(registry.reference).remove()
  })

  test('of an unknown image says so', async ({ parts }) => {
    const unknown = `${registry.reference.split('/')[0]}/test/unknown@sha256:${'0'.repeat(64)}`
    const failed = await parts.connection
      .engine()
      .pullImage(unknown, () => {})
      .catch(error => error)
    expect(isAppError(failed, 'image_pull_failed')).toBe(true)
  })
})

describe('a pull from a registry that wants a login', () => {
  let home: string
  let engine: FollowedEngine

  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'atelier-logins-'))
    registry = await startRegistry(process.arch === 'arm64' ? 'arm64' : 'amd64', 'ada:open sesame')
    registry.release()
    const machine = { ...thisMachine(), home, env: { ...process.env, DOCKER_CONFIG: home } }
    const search = await findEngine(machine, new AbortController().signal)
    if (search.kind === 'none') throw new Error(search.reason)
    engine = search.engine
    return async () => {
      await engine.close()
      await registry.close()
      rmSync(home, { recursive: true })
    }
  })

  const logIn = (login: string) => {
    const auths = { [registryOf(registry.reference)]: { auth: Buffer.from(login).toString('base64') } }
    writeFileSync(join(home, 'config.json'), JSON.stringify({ auths }))
  }
  const pulled = () => engine.pullImage(registry.reference, () => {}).catch(error => error)

  test('takes what docker login has kept, as it is at that moment', async ({ parts }) => {
    const command = `"docker login ${registryOf(registry.reference)}"`
    const refused = { code: 'image_pull_failed', details: { reason: 'denied' } }
    expect(await pulled()).toMatchObject({ ...refused, message: expect.stringContaining(`Log in with ${command}`) })
    logIn('ada:wrong')
    const wrong = await pulled()
    expect(wrong).toMatchObject({ ...refused, message: expect.stringContaining(`Log in anew with ${command}`) })
    expect(wrong.message).not.toContain('wrong')
    logIn('ada:open sesame')
    expect(await pulled()).toBeUndefined()
    expect((await engine.image(registry.reference))?.id).toMatch(/^sha256:/)
    await parts.outside.getImage(registry.reference).remove()
  })

  test('says which program has kept the login to itself', async () => {
    writeFileSync(join(home, 'config.json'), JSON.stringify({ credsStore: 'not-there' }))
    expect((await pulled()).message).toContain('docker-credential-not-there gave no login: it is not installed.')
  })
})

test('a pull without a network says that it is offline and what to do', async ({ parts }) => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as AddressInfo
  closed.close()
  const failed = await parts.connection
    .engine()
    .pullImage(`127.0.0.1:${port}/a/b:1`, () => {})
    .catch(error => error)
  expect(failed).toMatchObject({ code: 'image_pull_failed', details: { reason: 'offline' } })
  expect(failed.message).toContain('Check the network')
})

test('progress sums the layers, and a finished layer counts in full', () => {
  const layers = new Map()
  nextProgress(layers, { id: 'a', status: 'Downloading', progressDetail: { current: 10, total: 100 } })
  nextProgress(layers, { id: 'b', status: 'Downloading', progressDetail: { current: 5, total: 50 } })
  nextProgress(layers, { id: 'c', status: 'Already exists' })
  expect(nextProgress(layers, { id: 'a', status: 'Download complete' })).toMatchObject({
    doneBytes: 105,
    totalBytes: 150,
  })
  expect(nextProgress(layers, { id: 'b', status: 'Pull complete' })).toMatchObject({ doneBytes: 150, totalBytes: 150 })
})
