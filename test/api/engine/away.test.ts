import { join } from 'node:path'
import { afterAll, describe, expect } from 'vitest'
import type { Event } from '../../../server/api/event/events.ts'
import {
  deleteAppConversation,
  interruptConversation,
  listAppConversations,
  pauseConversation,
} from '../../../server/api/v1/conversation/conversations.ts'
import { searchSandboxes } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { getSystem } from '../../../server/api/v1/system/system.ts'
import { parseConversationId } from '../../../server/domain/ids.ts'
import { ConversationDeletions } from '../../../server/store/conversation/deletions.ts'
import { Database } from '../../../server/store/database/database.ts'
import { EngineProxy } from '../../docker/proxy.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { openChanges, said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'
import { testEngine } from '../../parts/engine/containers.ts'

const it = base
  .extend('engine', { scope: 'file' }, ({}, { onCleanup }) => {
    const engine = new EngineProxy(realEngine ?? '')
    onCleanup(() => engine.down())
    return engine
  })
  .extend('model', { scope: 'file' }, async ({ engine }, { onCleanup }) => {
    await engine.up()
    process.env.DOCKER_HOST = engine.host
    const model = await startModelServer()
    onCleanup(() => model.close())
    return model
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-away-0123456789' }),
  }))
  /** An agent whose command goes on. */
  .extend('working', { scope: 'file' }, ({ service }) => async () => {
    const task = await startConversation(service, { initial_message: said('Work') })
    const id = task.app_conversation_id ?? ''
    const seen = await watch(service, id)
    await seen.until(frame => JSON.stringify(frame).includes('begun'))
    return { id, params: { conversation_id: id }, seen }
  })
  .extend('engineIs', { scope: 'file' }, ({ service }) => async (state: 'ready' | 'unavailable'): Promise<void> => {
    const changes = await openChanges(service)
    try {
      for (;;) {
        const changed = changes.next()
        if ((await service.client.call(getSystem, {})).engine.state === state) return
        await changed
      }
    } finally {
      changes.close()
    }
  })
  /** Not through the proxy. */
  .extend('testEngineBeside', { scope: 'file' }, ({ engine }) => () => {
    process.env.DOCKER_HOST = realEngine
    const real = testEngine()
    process.env.DOCKER_HOST = engine.host
    return real
  })

const realEngine = process.env.DOCKER_HOST
it.beforeEach(({ model }) => model.setScript([run("echo be''gun; sleep 300"), run('echo again'), { text: 'Done.' }]))
it.afterEach(async ({ engine, engineIs }) => {
  await engine.up()
  await engineIs('ready')
})
afterAll(() => {
  process.env.DOCKER_HOST = realEngine
})

const run = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })

const engineWords = (events: readonly Event[]) =>
  events.flatMap(event =>
    event.kind === 'ConversationStateUpdateEvent' && event.key === 'engine' ? [Object(event.value).state] : [],
  )

function resultsByCall(events: readonly Event[]): number[] {
  const calls = events.filter(event => event.kind === 'ActionEvent')
  return calls.map(
    call =>
      events.filter(
        event => event.kind !== 'ActionEvent' && 'tool_call_id' in event && event.tool_call_id === call.tool_call_id,
      ).length,
  )
}

describe('an agent whose engine goes away', () => {
  it('goes on by itself when it is back, says so, and knows that its command was cut off', async ({
    working,
    engine,
  }) => {
    const { seen } = await working()
    await engine.down()
    await seen.until(frame => 'key' in frame && frame.key === 'engine')
    await engine.up()
    await seen.untilStatus('finished')
    const events = seen.events()
    expect(engineWords(events)).toEqual(['away', 'back'])
    expect(resultsByCall(events)).toEqual([1, 1])
    expect(JSON.stringify(events)).toMatch(/cut off|connection to the shell broke/)
    expect(JSON.stringify(events)).toContain('again')
  })

  it('is stopped by a person while it waits, and stays so', async ({ working, engine, service, engineIs }) => {
    const { params, seen } = await working()
    await engine.down()
    await seen.until(frame => 'key' in frame && frame.key === 'engine')
    const began = Date.now()
    await service.client.call(interruptConversation, { params })
    expect(Date.now() - began).toBeLessThan(5000)
    await seen.untilStatus('paused')
    await engine.up()
    await engineIs('ready')
    expect(engineWords(seen.events())).toEqual(['away'])
    expect(seen.events().at(-1)).toMatchObject({ key: 'execution_status', value: 'paused' })
  })

  it('is paused by a person while it waits, and stays so', async ({ working, engine, service }) => {
    const { params, seen } = await working()
    await engine.down()
    await seen.until(frame => 'key' in frame && frame.key === 'engine')
    await service.client.call(pauseConversation, { params })
    await seen.untilStatus('paused')
    expect(seen.of('PauseEvent')).toHaveLength(1)
  })
})

describe('while the engine is away', () => {
  it('sandboxes keep their last known state over a restart of Atelier, marked as unreachable', async ({
    working,
    service,
    engine,
    engineIs,
  }) => {
    const { id } = await working()
    await service.restart(() => engine.down())
    const shown = () => service.client.call(listAppConversations, { query: { ids: [id] } })
    expect(await shown()).toMatchObject([
      { sandbox_status: 'RUNNING', sandbox_unreachable: true, session_api_key: null },
    ])
    await engine.up()
    await engineIs('ready')
    await expect.poll(shown).toMatchObject([{ sandbox_status: 'RUNNING', sandbox_unreachable: false }])
  })

  it('a conversation is deleted all the same, and its sandbox when the engine is back', async ({
    working,
    service,
    engine,
    engineIs,
    testEngineBeside,
  }) => {
    const { id, params } = await working()
    const [conversation] = (await service.client.call(listAppConversations, { query: { ids: [id] } })) as {
      sandbox_id: string
    }[]
    await engine.down()
    await engineIs('unavailable')
    await service.client.call(deleteAppConversation, { params })
    expect(await service.client.call(listAppConversations, { query: { ids: [id] } })).toEqual([null])
    const { items } = await service.client.call(searchSandboxes, { query: { limit: 100 } })
    expect(items.map(each => each.id)).not.toContain(conversation?.sandbox_id)
    await engine.up()
    const real = testEngineBeside()
    await expect.poll(() => real.inspectContainer(conversation?.sandbox_id ?? '')).toBeUndefined()
    await real.close()
  })
})

it('a deletion whose process was killed is told to nobody after the next start, and finished by it', async ({
  working,
  service,
  testEngineBeside,
}) => {
  const { id } = await working()
  const [conversation] = await service.client
    .call(listAppConversations, { query: { ids: [id] } })
    .then(found => [found].flat())
  const sandboxId = conversation && 'sandbox_id' in conversation ? conversation.sandbox_id : ''
  expect(sandboxId).toMatch(/^atelier-/)
  await service.restart(() => {
    const database = Database.open(join(service.dataDir, 'atelier.db'))
    new ConversationDeletions(database).begin({ id: parseConversationId(id), keepSandbox: false })
    database.close()
  })
  expect(await service.client.call(listAppConversations, { query: { ids: [id] } })).toEqual([null])
  const real = testEngineBeside()
  await expect.poll(() => real.inspectContainer(sandboxId)).toBeUndefined()
  await real.close()
})
