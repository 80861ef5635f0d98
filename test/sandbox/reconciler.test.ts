import { homedir } from 'node:os'
import { expect } from 'vitest'
import { partLabels } from '../../server/docker/container/labels.ts'
import { findEngine } from '../../server/docker/socket.ts'
import { EngineProxy } from '../docker/proxy.ts'
import { it as base } from '../fixtures/base.ts'
import { withoutCommon } from '../parts/engine/containers.ts'
import { startParts, until } from './parts.ts'

const test = base
  .extend('engine', { scope: 'file' }, async ({}, { onCleanup }) => {
    const engine = new EngineProxy(process.env.DOCKER_HOST ?? '')
    await engine.up()
    onCleanup(() => engine.down())
    return engine
  })
  .extend('parts', { scope: 'file' }, async ({ engine }, { onCleanup }) => {
    const machine = { env: { DOCKER_HOST: engine.host }, platform: process.platform, home: homedir(), uid: 0 }
    const parts = await startParts({ find: signal => findEngine(machine, signal) })
    onCleanup(() => parts.close())
    return parts
  })
  .extend('containers', { scope: 'file' }, ({ parts }) => async () => {
    const filters = { label: [`dev.atelier.instance=${parts.instanceId}`] }
    const found = await parts.outside.listContainers({ all: true, filters })
    return withoutCommon(found.map(({ Names }) => Names[0]?.slice(1) ?? ''))
  })
  /** The engine tells of no network and volume: it is asked until it has none of them. */
  .extend('nothingLeft', { scope: 'file' }, ({ containers }) => () => {
    return expect.poll(containers).toEqual([])
  })

test.afterEach(async ({ engine, parts }) => {
  engine.lateness = () => 0
  if (parts.connection.status().state !== 'ready') await engine.up()
})

test('a sandbox is removed with its networks and volumes', async ({ parts, containers }) => {
  const { id } = await parts.sandboxes.start()
  const Labels = partLabels(parts.instanceId, id)
  await parts.outside.createVolume({ Name: `volume-${id}`, Labels })
  await parts.outside.createNetwork({ Name: `network-${id}`, Internal: true, Labels })
  await parts.sandboxes.delete(id)
  await expect.poll(containers).toEqual([])
  await expect(parts.outside.getVolume(`volume-${id}`).inspect()).rejects.toMatchObject({ statusCode: 404 })
  await expect(parts.outside.getNetwork(`network-${id}`).inspect()).rejects.toMatchObject({ statusCode: 404 })
})

test('an abandoned sandbox whose engine is away is shown no more, and removed when it is back', async ({
  parts,
  engine,
  containers,
  nothingLeft,
}) => {
  const { id } = await parts.sandboxes.start()
  await engine.down()
  await until(parts.bus, () => (parts.connection.status().state === 'unavailable' ? true : undefined))
  await parts.sandboxes.abandon(id)
  expect(await parts.sandboxes.batch([id])).toEqual([null])
  await expect.poll(containers).toEqual([id])
  await engine.up()
  await nothingLeft()
})

test('a deletion whose engine goes away in the middle is finished when it is back', async ({
  parts,
  engine,
  nothingLeft,
}) => {
  const { id } = await parts.sandboxes.start()
  engine.lateness = path => (path === `/networks` ? 60_000 : 0)
  const deleted = parts.sandboxes.delete(id)
  await expect.poll(() => engine.asked.includes('/networks')).toBe(true)
  await engine.down()
  await deleted
  engine.lateness = () => 0
  expect(await parts.sandboxes.batch([id])).toEqual([null])
  await engine.up()
  await nothingLeft()
})

test('a start that is given up while the engine makes its container leaves none', async ({
  engine,
  parts,
  nothingLeft,
}) => {
  engine.lateness = path => (path === '/containers/create' ? 20_000 : 0)
  const { id } = await parts.sandboxes.create()
  const asked = engine.asked.length
  await expect.poll(() => engine.asked.slice(asked - 1)).toContain('/containers/create')
  const began = Date.now()
  await parts.sandboxes.delete(id)
  expect(Date.now() - began).toBeLessThan(15_000)
  await expect.poll(() => engine.asked.filter(path => path === `/containers/${id}`).length).toBeGreaterThan(0)
  await nothingLeft()
})

test('a service that is killed after it made a container, and before that ran, leaves none to the next', async ({
  parts,
  nothingLeft,
}) => {
  await parts.outside.createContainer({
    name: 'atelier-never-ran',
    Image: parts.images.reference ?? '',
    Labels: { 'dev.atelier.instance': parts.instanceId },
  })
  const next = await startParts({ instanceId: parts.instanceId })
  await nothingLeft()
  await next.stop()
})
