import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Event } from '../../../server/api/event/events.ts'
import { deleteAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import { LABEL } from '../../../server/docker/container/labels.ts'
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts'
import { said, settled, startConversation } from '../../parts/client/conversation.ts'
import { type Watch, watch } from '../../parts/client/watch.ts'
import { testEngine, withoutCommon } from '../../parts/engine/containers.ts'
import { OwnEngine } from '../../parts/engine/own-engine.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

const MINUTES = 60_000
/** Long enough for two pings to be missed. */
const SILENCE_MS = 36_000

const realEngine = process.env.DOCKER_HOST
let engine: OwnEngine
let model: ModelServer
let service: TestService

beforeAll(async () => {
  engine = new OwnEngine({ folder: mkdtempSync(join(tmpdir(), 'atelier-own-engine-')), hasOwnNetwork: true })
  await engine.start()
  process.env.DOCKER_HOST = engine.host
  model = await startModelServer()
  service = await startTestService({
    settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-own-0123456789' },
  })
}, 2 * MINUTES)
beforeEach(() => model.setScript([run("echo be''gun; sleep 60; echo en''ded"), run('echo again'), { text: 'Done.' }]))
afterEach(() => engine.thaw())
afterAll(async () => {
  await service?.close()
  process.env.DOCKER_HOST = realEngine
  await model?.close()
  await engine?.close()
}, MINUTES)

const run = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command, timeout: 90 } }] })

async function working() {
  const task = await startConversation(service, { initial_message: said('Work') })
  expect(task).toMatchObject({ status: 'READY' })
  const id = task.app_conversation_id ?? ''
  const seen = await watch(service, id)
  await seen.until(frame => JSON.stringify(frame).includes('begun'))
  return { id, params: { conversation_id: id }, seen }
}

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
  async () => {
    const { params, seen } = await working()
    await engine.kill()
    await seen.until(frame => 'key' in frame && frame.key === 'engine')
    await engine.start()
    await ending(seen)
    expect(resultsByCall(seen.events())).toEqual([1, 1])
    await service.client.call(deleteAppConversation, { params })
    expect(await containers()).toEqual([])
  },
  3 * MINUTES,
)

it(
  'an engine that is stopped under a command: nothing is cut off',
  async () => {
    const { params, seen } = await working()
    engine.freeze()
    await new Promise(resolve => setTimeout(resolve, SILENCE_MS))
    engine.thaw()
    await ending(seen)
    expect(resultsByCall(seen.events())).toEqual([1, 1])
    expect(JSON.stringify(seen.events())).toContain('ended')
    await service.client.call(deleteAppConversation, { params })
    expect(await containers()).toEqual([])
  },
  3 * MINUTES,
)

it(
  'an engine that is killed in the middle of starts leaves none of them lost, and nothing behind',
  async () => {
    model.setScript(() => ({ text: 'Done.' }))
    const body = { initial_message: said('Hello') }
    const tasks = await Promise.all([1, 2, 3, 4].map(() => service.client.call(createAppConversation, { body })))
    await expect.poll(containers).not.toEqual([])
    await engine.kill()
    await engine.start()
    const ended = await Promise.all(tasks.map(task => settled(service, task)))
    expect(new Set((await containers()).sort())).toEqual(
      new Set(ended.flatMap(({ status, sandbox_id }) => (status === 'READY' && sandbox_id ? [sandbox_id] : [])).sort()),
    )
    for (const { app_conversation_id, detail } of ended) {
      // A clone or a set-up that was cut off is not done twice: its start says so, and leaves nothing.
      if (!app_conversation_id) expect(detail).toMatch(/engine|sandbox/i)
      else await service.client.call(deleteAppConversation, { params: { conversation_id: app_conversation_id } })
    }
    expect(await containers()).toEqual([])
  },
  3 * MINUTES,
)
