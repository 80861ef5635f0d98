import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { deleteAppConversation, listAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { deleteSandbox, resumeSandbox, searchSandboxes } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { createSandboxSpec, deleteSandboxSpec, searchSandboxSpecs } from '../../../server/api/v1/sandbox/specs.ts'
import { runCheck } from '../../../server/api/v1/system/diagnosis.ts'
import {
  addEngine,
  checkEngine,
  DEFAULT_ENGINE,
  type EngineEntry,
  listAvailableEngines,
  listEngines,
  removeEngine,
  renameEngine,
} from '../../../server/api/v1/system/engines.ts'
import { getSystem } from '../../../server/api/v1/system/system.ts'
import { Atelier } from '../../../server/client/atelier.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { until } from '../../../server/client/until.ts'
import { createClient } from '../../../server/docker/client.ts'
import { DockerodeEngine } from '../../../server/docker/dockerode-engine.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'
import { command } from '../../parts/command-line.ts'
import { OwnEngine } from '../../parts/engine/own-engine.ts'

const MINUTE = 60_000
const realHome = process.env.HOME

const it = base
  .extend('second', { scope: 'file' }, async ({}, { onCleanup }) => {
    const engine = new OwnEngine({ folder: mkdtempSync(join(tmpdir(), 'atelier-second-engine-')), hasOwnNetwork: true })
    onCleanup(() => engine.close())
    await engine.start()
    return engine
  })
  /** With two docker contexts: one of the second engine, and one that is another name for the default engine. */
  .extend('home', { scope: 'file' }, ({ second }, { onCleanup }) => {
    const home = mkdtempSync(join(tmpdir(), 'atelier-home-'))
    onCleanup(() => rmSync(home, { recursive: true }))
    writeContext(home, 'second', second.host)
    writeContext(home, 'again', `unix:///proc/self/root${(process.env.DOCKER_HOST ?? '').slice('unix://'.length)}`)
    return home
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model, home }) => {
    process.env.HOME = home
    return { settings: scripted(model) }
  })
  .extend(
    'atelier',
    { scope: 'file' },
    ({ service }) =>
      () =>
        new Atelier(connected(service)),
  )
  /** Waits until an engine is as it is to be. */
  .extend(
    'engineIs',
    { scope: 'file' },
    ({ service }) =>
      (id: string, is: (engine: EngineEntry) => boolean) =>
        until(connected(service), {
          concerns: ({ resource }) => resource === 'engine' || resource === 'sandbox',
          read: async () => {
            const { items } = await service.client.call(listEngines, {})
            return items.find(engine => engine.id === id && is(engine))
          },
        }),
  )
  /** The second engine as one of the service, with a spec that chooses it. */
  .extend('added', { scope: 'file' }, async ({ service, engineIs }) => {
    const body = { name: 'Second', address: { kind: 'context' as const, name: 'second' } }
    const { id, status } = await service.client.call(addEngine, { body })
    expect(status.state).toBe('unavailable')
    await engineIs(id, engine => engine.status.state === 'ready' && engine.latency_ms !== null)
    const { items } = await service.client.call(searchSandboxSpecs, { query: {} })
    const spec = { title: 'On the second', image: items[0]?.image ?? '', engine_id: id }
    return { id, specId: (await service.client.call(createSandboxSpec, { body: spec })).id }
  })
  .extend('sandboxes', { scope: 'file' }, async ({ atelier, added }) => {
    const [here, there] = await Promise.all([
      atelier().startSandbox(),
      atelier().startSandbox({ sandbox_spec_id: added.specId }),
    ])
    return { here: here.id, there: there.id }
  })
  /** An engine that was killed ends its containers when it is started again. */
  .extend('resumed', { scope: 'file' }, ({ service, atelier }) => async (id: string) => {
    await until(connected(service), {
      concerns: change => change.resource === 'sandbox' && change.id === id,
      read: async () => ((await atelier().sandbox(id).info()).unreachable ? undefined : true),
    })
    await service.client.call(resumeSandbox, { params: { sandbox_id: id } })
    expect(await atelier().sandbox(id).info()).toMatchObject({ status: 'RUNNING', unreachable: false })
  })
  /** The second engine as another program sees it. */
  .extend('beside', { scope: 'file' }, ({ second }, { onCleanup }) => {
    const host = second.host
    const engine = new DockerodeEngine(host, createClient({ host, certificates: undefined }))
    onCleanup(() => engine.close())
    return engine
  })

afterAll(() => {
  process.env.HOME = realHome
})

// Not within the time of the first test.
it.beforeAll(({ sandboxes: _ }) => {}, 2 * MINUTE)

function writeContext(home: string, name: string, host: string): void {
  const folder = join(home, '.docker', 'contexts', 'meta', createHash('sha256').update(name).digest('hex'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'meta.json'), JSON.stringify({ Name: name, Endpoints: { docker: { Host: host } } }))
}

function connected({ url, key }: { url: string; key: string }) {
  return { url, key, connect: openWebSocket }
}

it('each sandbox is on the engine of its spec, and all are in one list', async ({
  service,
  atelier,
  added,
  sandboxes,
  beside,
}) => {
  const { items } = await service.client.call(searchSandboxes, { query: {} })
  expect(items.map(({ id, engine_id }) => [id, engine_id])).toEqual(
    expect.arrayContaining([
      [sandboxes.here, DEFAULT_ENGINE],
      [sandboxes.there, added.id],
    ]),
  )
  expect(items.map(each => each.created_at)).toEqual(
    items
      .map(each => each.created_at)
      .sort()
      .reverse(),
  )
  expect(await beside.inspectContainer(sandboxes.there)).toMatchObject({ status: 'running' })
  expect(await beside.inspectContainer(sandboxes.here)).toBeUndefined()
  for (const id of [sandboxes.here, sandboxes.there]) {
    expect(await atelier().sandbox(id).run('echo "$((6 * 7))"')).toMatchObject({ exitCode: 0, stdout: '42\n' })
  }
  const engines = (await service.client.call(listEngines, {})).items
  expect(engines).toMatchObject([
    { id: DEFAULT_ENGINE, is_default: true, running_sandboxes: 1 },
    { id: added.id, name: 'Second', kind: 'context', address: 'second', sandboxes: 1, running_sandboxes: 1 },
  ])
})

it('each engine is diagnosed, also from the command line', async ({ service, added, second }) => {
  const found = await service.client.call(runCheck, { params: { check: 'engine' }, query: { engine_id: added.id } })
  expect(found).toMatchObject({ engine_id: added.id, state: 'ok' })
  expect(found.facts).toContainEqual({ name: 'endpoint', value: second.host })
  const env = { ATELIER_DATA_DIR: service.dataDir, SESSION_API_KEY: service.key }
  const { stdout } = await command(['doctor'], { env })
  expect(stdout).toContain('✓ Engine: The engine answers.')
  expect(stdout).toContain('✓ Second › Engine: The engine answers.')
  expect(stdout).not.toContain('Second › Keychain')
})

it('one engine is used under one name', async ({ service, engineIs, added }) => {
  const available = (await service.client.call(listAvailableEngines, {})).items.map(each => each.address)
  expect(available).toContainEqual({ kind: 'context', name: 'again' })
  expect(available).not.toContainEqual({ kind: 'context', name: 'second' })
  const body = { name: 'Again', address: { kind: 'context' as const, name: 'again' } }
  const { id } = await service.client.call(addEngine, { body })
  const same = await engineIs(id, ({ status }) => status.state === 'unavailable' && /same engine/.test(status.reason))
  expect(same).toMatchObject({ sandboxes: 0 })
  expect(await service.client.call(checkEngine, { params: { engine_id: id } })).toMatchObject({ status: same.status })
  const params = { engine_id: id }
  expect(await service.client.call(renameEngine, { params, body: { name: 'Twice' } })).toMatchObject({ name: 'Twice' })
  await service.client.call(removeEngine, { params })
  const { items } = await service.client.call(listEngines, {})
  expect(items.map(each => each.id)).toEqual([DEFAULT_ENGINE, added.id])
})

it(
  'an engine that is lost takes its own sandboxes along and nothing else',
  async ({ service, model, second, sandboxes, added, engineIs, resumed, beside }) => {
    model.setScript([run('until [ -e /tmp/go ]; do sleep 0.1; done; echo go""ne'), { text: 'Done.' }])
    const begun = await startConversation(service, { sandbox_id: sandboxes.here, initial_message: said('Work') })
    const seen = await watch(service, begun.app_conversation_id ?? '')
    await seen.until(frame => frame.kind === 'ActionEvent')
    const there = await startConversation(service, { sandbox_id: sandboxes.there })
    const abandoned = await startConversation(service, { sandbox_id: (await spare(service, added.specId)).id })

    await second.kill()
    await engineIs(added.id, ({ status }) => status.state === 'unavailable')
    expect((await service.client.call(getSystem, {})).engine.state).toBe('ready')
    const { items } = await service.client.call(searchSandboxes, { query: {} })
    expect(Object.fromEntries(items.map(each => [each.id, each.unreachable]))).toMatchObject({
      [sandboxes.here]: false,
      [sandboxes.there]: true,
    })
    // It goes with its conversation, when its engine is back; that another engine does not have it says nothing of it.
    await service.client.call(deleteAppConversation, {
      params: { conversation_id: abandoned.app_conversation_id ?? '' },
    })
    const other = await spare(service)
    await service.client.call(deleteSandbox, { params: { sandbox_id: other.id } })
    const ids = [there.app_conversation_id ?? '']
    expect(await service.client.call(listAppConversations, { query: { ids } })).toMatchObject([
      { sandbox_unreachable: true },
    ])
    await new Atelier(connected(service)).sandbox(sandboxes.here).run('touch /tmp/go')
    await seen.untilStatus('finished')
    await seen.close()
    expect(JSON.stringify(seen.events())).not.toContain('"away"')

    await second.start()
    await resumed(sandboxes.there)
    expect(await engineIs(added.id, engine => engine.running_sandboxes === 1)).toMatchObject({ sandboxes: 1 })
    await expect.poll(() => beside.inspectContainer(abandoned.sandbox_id ?? '')).toBeUndefined()
    expect(await beside.inspectContainer(sandboxes.there)).toBeDefined()
  },
  3 * MINUTE,
)

it(
  'without an added engine the service starts at once, with its sandboxes as they were last',
  async ({ service, second, sandboxes, added, resumed }) => {
    await service.restart(() => second.kill())
    const { items } = await service.client.call(searchSandboxes, { query: {} })
    const shown = Object.fromEntries(items.map(each => [each.id, [each.engine_id, each.status, each.unreachable]]))
    expect(shown).toMatchObject({
      [sandboxes.here]: [DEFAULT_ENGINE, 'RUNNING', false],
      [sandboxes.there]: [added.id, 'RUNNING', true],
    })
    await second.start()
    await resumed(sandboxes.there)
  },
  3 * MINUTE,
)

it('an engine goes when nothing needs it, with what else was made on it', async ({
  service,
  sandboxes,
  added,
  beside,
}) => {
  const params = { engine_id: added.id }
  const refused = { code: 'conflict', message: expect.stringContaining('specs') }
  await expect(service.client.call(removeEngine, { params })).rejects.toMatchObject(refused)
  await service.client.call(deleteSandboxSpec, { params: { spec_id: added.specId } })
  const held = { code: 'conflict', message: expect.stringContaining('sandboxes') }
  await expect(service.client.call(removeEngine, { params })).rejects.toMatchObject(held)
  const forced = { params, query: { forget_sandboxes: true } }
  await expect(service.client.call(removeEngine, forced)).rejects.toMatchObject(held)
  await service.client.call(deleteSandbox, { params: { sandbox_id: sandboxes.there } })
  await service.client.call(removeEngine, { params })
  const { items } = await service.client.call(listEngines, {})
  expect(items.map(each => each.id)).toEqual([DEFAULT_ENGINE])
  const left = await beside.listObjects({})
  expect(left.filter(({ kind }) => kind === 'container')).toEqual([])
})

const run = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command, timeout: 90 } }] })

function spare(service: Parameters<typeof connected>[0], sandbox_spec_id?: string) {
  return new Atelier(connected(service)).startSandbox({ sandbox_spec_id })
}
