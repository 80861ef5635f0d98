import { createReadStream, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient } from '../../../server/docker/client.ts'
import { DockerodeEngine } from '../../../server/docker/dockerode-engine.ts'
import { containerRequest, sandboxSpecs } from '../../../server/sandbox/spec.ts'
import { OwnEngine } from '../../parts/engine/own-engine.ts'
import { defaultImage } from '../../parts/engine/sandbox.ts'
import { EngineProxy } from '../proxy.ts'

const MINUTE = 60_000
const ARCHIVE = join(import.meta.dirname, '../../../out/resources/sandbox-image.tar.gz')

// An engine that holds a container for ever is of no use to other tests.
const own = new OwnEngine({ folder: mkdtempSync(join(tmpdir(), 'atelier-own-engine-')), hasOwnNetwork: true })
let engine: DockerodeEngine
let container: string

beforeAll(async () => {
  await own.start()
  engine = new DockerodeEngine(own.host, createClient({ host: own.host, certificates: undefined }))
  await engine.loadImage(createReadStream(ARCHIVE))
  const [spec] = sandboxSpecs(defaultImage(), { base: null, runtime: null })
  if (!spec) throw new Error('There is no sandbox spec.')
  const identity = { id: 'atelier-test-paused', instanceId: 'test', createdAt: new Date().toISOString() }
  container = await engine.createContainer(containerRequest(spec, identity, await engine.info(), null))
  await engine.startContainer(container)
}, 3 * MINUTE)
afterAll(async () => {
  await engine?.close()
  await own.close()
}, MINUTE)

async function run(): Promise<number> {
  const stream = await engine.exec(container, { argv: ['true'] })
  stream.stdout.resume()
  stream.stderr.resume()
  return stream.exitCode
}

test(
  'a sandbox that is paused while commands are started in it is looked at, and resumed',
  async () => {
    for (let attempt = 1; attempt <= 12; attempt++) {
      const commands = Promise.allSettled([run(), run(), run(), run()])
      await delay(20 * attempt)
      const paused = engine.pauseContainer(container)
      const look = engine.inspectContainer(container)
      await paused
      expect(await look).toMatchObject({ name: 'atelier-test-paused' })
      expect(await engine.listContainers({})).toMatchObject([{ id: container, status: 'paused' }])
      await engine.unpauseContainer(container)
      await commands
    }
    expect(await run()).toBe(0)
  },
  3 * MINUTE,
)

test(
  'so is one in which commands were given up before they had begun',
  async () => {
    for (let attempt = 1; attempt <= 4; attempt++) {
      const giveUp = new AbortController()
      // The engine starts them one after the other, and answers all of them at once.
      const streams = await Promise.all(
        Array.from({ length: 12 }, () => engine.exec(container, { argv: ['true'], signal: giveUp.signal })),
      )
      giveUp.abort()
      await engine.pauseContainer(container)
      expect(await engine.inspectContainer(container)).toMatchObject({ status: 'paused' })
      await engine.unpauseContainer(container)
      await Promise.all(streams.map(({ exitCode }) => exitCode))
    }
    expect(await run()).toBe(0)
  },
  3 * MINUTE,
)

test('one with a command that prints nothing is looked at and paused while that runs', async () => {
  const silent = await engine.exec(container, { argv: ['sleep', '600'] })
  const began = performance.now()
  expect(await engine.inspectContainer(container)).toMatchObject({ pid: expect.any(Number) })
  await engine.pauseContainer(container)
  expect(performance.now() - began).toBeLessThan(4_000)
  await engine.unpauseContainer(container)
  silent.close()
})

test('one is not paused while the engine does not say whether a command in it has begun, and is as soon as it does', async ({
  onTestFinished,
}) => {
  const proxy = new EngineProxy(own.host)
  await proxy.up()
  const behind = new DockerodeEngine(proxy.host, createClient({ host: proxy.host, certificates: undefined }))
  onTestFinished(async () => {
    await behind.close()
    await proxy.down()
  })
  const silent = await behind.exec(container, { argv: ['sleep', '600'] })
  onTestFinished(() => silent.close())
  const begun = proxy.asked.find(path => /^\/exec\/\w+\/start$/.test(path)) ?? ''
  const asked = begun.replace(/start$/, 'json')
  const release = proxy.hold(asked)
  await expect(behind.pauseContainer(container)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('Pause the sandbox again'),
  })
  expect(proxy.asked).toContain(asked)
  expect(proxy.asked).not.toContain(`/containers/${container}/pause`)
  expect(await engine.inspectContainer(container)).toMatchObject({ status: 'running' })

  release()
  await behind.pauseContainer(container)
  expect(await engine.inspectContainer(container)).toMatchObject({ status: 'paused' })
  await behind.unpauseContainer(container)
  expect(await run()).toBe(0)
})
