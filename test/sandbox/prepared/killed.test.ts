import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { searchSandboxes, startSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { LABEL } from '../../../server/docker/container/labels.ts'
import { it } from '../../fixtures/base.ts'
import { instanceOf, removeSandboxesOfInstance, testEngine } from '../../parts/engine/containers.ts'
import { startHeadless } from '../../parts/service/headless.ts'

it('what a killed service had prepared is removed by the next one, and what was taken stays', async () => {
  const env = { ATELIER_PREPARED_SANDBOXES: '1' }
  const before = await startHeadless()
  const { dataDir } = before
  await before.end('SIGTERM')
  // While a service runs its database is its own.
  const instance = instanceOf(dataDir)
  const killed = await startHeadless({ dataDir, env })
  const engine = testEngine()
  const onNetwork = async () => {
    const containers = await engine.listContainers({ [LABEL.instance]: instance })
    return containers.filter(({ name, networks }) => !name.includes('-once-') && networks.includes('bridge'))
  }
  const until = async (names: (found: string[]) => boolean): Promise<string[]> => {
    for (;;) {
      const found = (await onNetwork()).map(({ name }) => name)
      if (names(found)) return found
      await delay(50)
    }
  }
  const [first] = await until(found => found.length === 1)
  const { id } = await killed.client.call(startSandbox, {})
  expect(id).toBe(first)
  const left = await until(found => found.length === 2)
  await killed.end('SIGKILL')

  const next = await startHeadless({ dataDir, env: { ATELIER_PREPARED_SANDBOXES: '0' } })
  await until(found => found.length === 1)
  expect((await onNetwork()).map(({ name }) => name)).toEqual([id])
  expect(left).toContain(id)
  const { items } = await next.client.call(searchSandboxes, {})
  expect(items.map(sandbox => [sandbox.id, sandbox.status])).toEqual([[id, 'RUNNING']])

  await next.end('SIGTERM')
  await engine.close()
  await removeSandboxesOfInstance(instance)
  rmSync(dataDir, { recursive: true, force: true })
})
