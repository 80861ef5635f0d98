import { afterAll, expect, onTestFinished, vi } from 'vitest'
import { createSandboxSpec, makeSandboxSpecDefault } from '../../../server/api/v1/sandbox/specs.ts'
import { KeptShells } from '../../../server/sandbox/command/kept-shells.ts'
import { CommonContainer } from '../../../server/sandbox/network/common-container.ts'
import { EngineProxy } from '../../docker/proxy.ts'
import { it as base } from '../../fixtures/service.ts'
import { type GatewayCaller, gatewayCaller, startGatewaySandbox } from '../../parts/client/gateway.ts'
import { testEngine } from '../../parts/engine/containers.ts'

const it = base
  .extend('beside', { scope: 'file' }, ({}, { onCleanup }) => {
    const beside = testEngine()
    onCleanup(() => beside.close())
    return beside
  })
  .extend('proxy', { scope: 'file' }, ({}, { onCleanup }) => {
    const proxy = new EngineProxy(realEngine ?? '')
    onCleanup(() => proxy.down())
    return proxy
  })
  .extend('serviceOptions', { scope: 'file' }, async ({ proxy }) => {
    await proxy.up()
    process.env.DOCKER_HOST = proxy.host
    return {}
  })
  /** Resolves when a request for such a path is on its way to the engine, where it arrives late. */
  .extend('late', { scope: 'file' }, ({ proxy }) => async (path: RegExp): Promise<void> => {
    const asked = () => proxy.asked.filter(one => path.test(one)).length
    const before = asked()
    proxy.lateness = one => (path.test(one) ? LATE_MS : 0)
    await expect.poll(asked, { timeout: 10_000 }).toBeGreaterThan(before)
  })

const LATE_MS = 1500
const realEngine = process.env.DOCKER_HOST
let id: string
let caller: GatewayCaller
it.beforeEach(async ({ service }) => {
  // The first command starts its shell itself.
  const prepare = vi.spyOn(KeptShells.prototype, 'prepare').mockImplementation(() => {})
  onTestFinished(() => prepare.mockRestore())
  ;({ id, caller } = await startGatewaySandbox(service))
})
it.afterEach(({ proxy }) => {
  proxy.lateness = () => 0
})
afterAll(() => {
  process.env.DOCKER_HOST = realEngine
})

const changes = () => caller.call('GET', '/api/git/changes?path=/workspace/project')

it('a sandbox that is removed while a command begins does not run any more', async ({ late, beside }) => {
  const begins = late(/\/exec$/)
  const reply = changes()
  await begins
  await beside.removeContainer(id)
  expect(await reply).toMatchObject({ status: 409, body: { code: 'sandbox_not_running' } })
})

it('a sandbox that ends while its network is set up does not run any more', async ({ late, beside }) => {
  // As on an engine that does not allow the common container: there the rules take a container of their own.
  const common = vi.spyOn(CommonContainer.prototype, 'setRules').mockResolvedValue(false)
  onTestFinished(() => common.mockRestore())
  const begins = late(/^\/containers\/create$/)
  await beside.stopContainer(id, 0)
  await beside.startContainer(id)
  await begins
  const reply = changes()
  await beside.stopContainer(id, 0)
  expect(await reply).toMatchObject({ status: 409, body: { code: 'sandbox_not_running' } })
})

it("a sandbox of the app's own key that cannot be started does not run, and says why", async ({ service }) => {
  const spec = await service.client.call(createSandboxSpec, { body: { title: 'None', image: 'localhost:1/none:1' } })
  await service.client.call(makeSandboxSpecDefault, { params: { spec_id: spec.id } })
  caller = gatewayCaller(service, service.key)
  const reply = await changes()
  expect(reply).toMatchObject({ status: 409, body: { code: 'sandbox_not_running' } })
  expect(reply.body.detail).toContain('localhost:1/none:1')
})
