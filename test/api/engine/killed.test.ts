import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Event } from '../../../server/api/event/events.ts'
import { deleteAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import { LABEL } from '../../../server/docker/container/labels.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, settled, startConversation } from '../../parts/client/conversation.ts'
import { type Watch, watch } from '../../parts/client/watch.ts'
import { testEngine, withoutCommon } from '../../parts/engine/containers.ts'
import { OwnEngine } from '../../parts/engine/own-engine.ts'

const it = base
  .extend('engine', { scope: 'file' }, async ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'atelier-own-engine-'))
    const engine = new OwnEngine({ folder, hasOwnNetwork: true })
    onCleanup(() => engine.close())
    await engine.start()
    return engine
  })
  .extend('serviceOptions', { scope: 'file' }, ({ engine, model }, { onCleanup }) => {
    process.env.DOCKER_HOST = engine.host
    onCleanup(() => {
      process.env.DOCKER_HOST = realEngine
    })
    return {
      settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-own-0123456789' },
    }
  })
  .extend('working', { scope: 'file' }, ({ service }) => async () => {
    const task = await startConversation(service, { initial_message: said('Work') })
    expect(task).toMatchObject({ status: 'READY' })
    const id = task.app_conversation_id ?? ''
    const seen = await watch(service, id)
    await seen.until(frame => JSON.stringify(frame).includes('begun'))
    return { id, params: { conversation_id: id }, seen }
  })

const MINUTES = 60_000
/** Long enough for two pings to be missed. */
const SILENCE_MS = 36_000

const realEngine = process.env.DOCKER_HOST

// Not within the time of the first test.
it.beforeAll(({ service: _ }) => {}, 2 * MINUTES)
it.beforeEach(({ model }) =>
  model.setScript([run("echo be''gun; sleep 60; echo en''ded"), run('echo again'), { text: 'Done.' }]),
)
it.afterEach(({ engine }) => engine.thaw())

const run = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command, timeout: 90 } }] })

function resultsByCall(events: readonly Event[]): number[] {
  const results = events.filter(event => event.kind !== 'ActionEvent' && 'tool_call_id' in event)
  return events
    .filter(event => event.kind === 'ActionEvent')
    .map(call => results.filter(result => 'tool_call_id' in result && result.tool_call_id === call.tool_call_id).length)
}

async function containers(): Promise<string[]> {
  const beside = testEngine()
  const found = (await beside.listObjects({})).filter(({ labels }) => LABEL.instance in labels)
  await beside.close()
  return withoutCommon(found.map(({ name }) => name))
}

const ending = (seen: Watch) =>
  seen.until(frame => 'key' in frame && frame.value === 'finished', 'its end', 2 * MINUTES)

it(
  'an engine that is killed under a command and comes back: the agent goes on, each call has one result',
  async ({ working, engine, service }) => {
    const { params, seen } = await working()
    await engine.kill()
    await seen.until(frame => 'key' in frame && frame.key === 'engine')
    await engine.start()
    await ending(seen)
    expect(resultsByCall(seen.events())).toEqual([1, 1])
    await service.client.call(deleteAppConversation, { params })
    await expect.poll(containers).toEqual([])
  },
  3 * MINUTES,
)

it(
  'an engine that is stopped under a command: nothing is cut off',
  async ({ working, engine, service }) => {
    const { params, seen } = await working()
    engine.freeze()
    await new Promise(resolve => setTimeout(resolve, SILENCE_MS))
    engine.thaw()
    await ending(seen)
    expect(resultsByCall(seen.events())).toEqual([1, 1])
    expect(JSON.stringify(seen.events())).toContain('ended')
    await service.client.call(deleteAppConversation, { params })
    await expect.poll(containers).toEqual([])
  },
  3 * MINUTES,
)

it(
  'an engine that is killed in the middle of starts leaves none of them lost, and nothing behind',
  async ({ model, service, engine }) => {
    model.setScript(() => ({ text: 'Done.' }))
    const body = { initial_message: said('Hello') }
    const tasks = await Promise.all([1, 2, 3, 4].map(() => service.client.call(createAppConversation, { body })))
    await expect.poll(containers).not.toEqual([])
    await engine.kill()
    await engine.start()
    const ended = await Promise.all(tasks.map(task => settled(service, task)))
    const ready = ended.flatMap(({ status, sandbox_id }) => (status === 'READY' && sandbox_id ? [sandbox_id] : []))
    await expect.poll(async () => (await containers()).sort()).toEqual(ready.sort())
    for (const { app_conversation_id, detail } of ended) {
      // A clone or a set-up that was cut off is not done twice: its start says so, and leaves nothing.
      if (!app_conversation_id) expect(detail).toMatch(/engine|sandbox/i)
      else await service.client.call(deleteAppConversation, { params: { conversation_id: app_conversation_id } })
    }
    await expect.poll(containers).toEqual([])
  },
  3 * MINUTES,
)
