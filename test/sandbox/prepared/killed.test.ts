import { rmSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { searchSandboxes, startSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { LABEL } from '../../../server/docker/container/labels.ts'
import { it } from '../../fixtures/base.ts'
import { instanceOf, removeSandboxesOfInstance, testEngine } from '../../parts/engine/containers.ts'
import { startHeadless } from '../../parts/service/headless.ts'
import { PATIENCE } from './parts.ts'

it('what a killed service had prepared is removed by the next one, and what was taken stays', async ({
  onTestFinished,
}) => {
  const env = { ATELIER_PREPARED_SANDBOXES: '1' }
  const before = await startHeadless()
  const { dataDir } = before
  await before.end('SIGTERM')
  // While a service runs its database is its own.
  const instance = instanceOf(dataDir)
  const services = [await startHeadless({ dataDir, env })]
  onTestFinished(async () => {
    await Promise.all(services.map(service => service.end('SIGKILL')))
    await removeSandboxesOfInstance(instance)
    rmSync(dataDir, { recursive: true, force: true })
  })
  const [killed = before] = services
  const engine = testEngine()
  const onNetwork = async () => {
    const containers = await engine.listContainers({ [LABEL.instance]: instance })
    return containers.filter(({ name, networks }) => !name.includes('-once-') && networks.includes('bridge'))
  }
  const untilThere = (count: number) =>
    vi.waitFor(async () => {
      const names = (await onNetwork()).map(({ name }) => name)
      expect(names).toHaveLength(count)
      return names
    }, PATIENCE)
  const [first] = await untilThere(1)
  const { id } = await killed.client.call(startSandbox, {})
  expect(id).toBe(first)
  const left = await untilThere(2)
  await killed.end('SIGKILL')

  const next = await startHeadless({ dataDir })
  services.push(next)
  expect(await untilThere(1)).toEqual([id])
  expect(left).toContain(id)
  const { items } = await next.client.call(searchSandboxes, {})
  expect(items.map(sandbox => [sandbox.id, sandbox.status])).toEqual([[id, 'RUNNING']])
})
