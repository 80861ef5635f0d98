import { describe, expect } from 'vitest'
import { interruptConversation, sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import { EngineProxy } from '../../docker/proxy.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('engine', { scope: 'file' }, ({}, { onCleanup }) => {
    const engine = new EngineProxy(realEngine ?? '')
    onCleanup(() => engine.down())
    return engine
  })
  .extend('command', { scope: 'file' }, async ({ engine }) => {
    await engine.up()
    process.env.DOCKER_HOST = engine.host
    return { toolCalls: [{ name: 'terminal', arguments: { command: 'echo hello' } }] }
  })
  .extend('model', { scope: 'file' }, async ({ command }, { onCleanup }) => {
    const model = await startModelServer({
      script: () => {
        whenAsked()
        return command
      },
    })
    onCleanup(() => model.close())
    return model
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-held-0123456789' }),
  }))
  .extend('started', { scope: 'file' }, ({ service }) => async () => {
    const task = await startConversation(service, {})
    const id = task.app_conversation_id ?? ''
    return { params: { conversation_id: id }, seen: await watch(service, id) }
  })

/** Longer than anybody waits here. */
const HELD_MS = 60_000

const realEngine = process.env.DOCKER_HOST
/** What happens once the model has been asked, before it answers. */
let whenAsked = () => {}
it.beforeEach(({ engine }) => {
  engine.lateness = () => 0
  whenAsked = () => {}
})
it.afterAll(({ engine }) => {
  engine.lateness = () => 0
  process.env.DOCKER_HOST = realEngine
})

describe('an engine that holds a container', { timeout: 90_000 }, () => {
  it('does not keep a person from stopping the agent, whose call has one result', async ({
    started,
    engine,
    service,
  }) => {
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

  it('does not hold back the end of the service', async ({ started, engine, service }) => {
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
