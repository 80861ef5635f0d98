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
}, MINUTE)
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
  MINUTE,
)
