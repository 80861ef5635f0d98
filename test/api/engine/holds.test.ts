import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { interruptConversation, sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import { EngineProxy } from '../../docker/proxy.ts'
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

/** Longer than anybody waits here. */
const HELD_MS = 60_000

const realEngine = process.env.DOCKER_HOST
let engine: EngineProxy
let model: ModelServer
let service: TestService
/** What happens once the model has been asked, before it answers. */
let whenAsked = () => {}

beforeAll(async () => {
  engine = new EngineProxy(realEngine ?? '')
  await engine.up()
  process.env.DOCKER_HOST = engine.host
  const command = { toolCalls: [{ name: 'terminal', arguments: { command: 'echo hello' } }] }
  model = await startModelServer({
    script: () => {
      whenAsked()
      return command
    },
  })
  service = await startTestService({
    settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-held-0123456789' },
  })
})
beforeEach(() => {
  engine.lateness = () => 0
  whenAsked = () => {}
})
afterAll(async () => {
  engine.lateness = () => 0
  await service?.close()
  process.env.DOCKER_HOST = realEngine
  await model?.close()
  await engine?.down()
})

async function started() {
  const task = await startConversation(service, {})
  const id = task.app_conversation_id ?? ''
  return { params: { conversation_id: id }, seen: await watch(service, id) }
}

describe('an engine that holds a container', { timeout: 90_000 }, () => {
  it('does not keep a person from stopping the agent, whose call has one result', async () => {
    const { params, seen } = await started()
    whenAsked = () => {
      engine.lateness = path => (/^\/exec\/\w+\/start$/.test(path) ? HELD_MS : 0)
    }
    await service.client.call(sendMessage, { params, body: said('Work') })
    await seen.until(frame => frame.kind === 'ActionEvent')
    await service.client.call(interruptConversation, { params, signal: AbortSignal.timeout(10_000) })
    const results = seen.events().filter(event => event.kind !== 'ActionEvent' && 'tool_call_id' in event)
    expect(results).toHaveLength(1)
    await seen.close()
  })

  it('does not hold back the end of the service', async () => {
    const { params, seen } = await started()
    engine.lateness = path => (/^\/(containers|exec)\//.test(path) ? HELD_MS : 0)
    await service.client.call(sendMessage, { params, body: said('Work') })
    await seen.untilStatus('running')
    const began = Date.now()
    let took = Number.POSITIVE_INFINITY
    await service.restart(() => {
      took = Date.now() - began
      engine.lateness = () => 0
    })
    expect(took).toBeLessThan(12_000)
    await seen.close()
  })
})
