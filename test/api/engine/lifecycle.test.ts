import { describe, expect } from 'vitest'
import {
  interruptConversation,
  listAppConversations,
  pauseConversation,
  runConversation,
} from '../../../server/api/v1/conversation/conversations.ts'
import { cancelStartTask } from '../../../server/api/v1/conversation/start-tasks.ts'
import { createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import {
  batchGetSandboxes,
  deleteSandbox,
  pauseSandbox,
  startSandbox,
} from '../../../server/api/v1/sandbox/sandboxes.ts'
import { getSystem } from '../../../server/api/v1/system/system.ts'
import { textOf } from '../../../server/event/model-messages.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, settled, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'
import { runScript, testEngine } from '../../parts/engine/containers.ts'

const it = base.extend('start', { scope: 'file' }, ({ service }) => async (text = 'Go') => {
  const task = await startConversation(service, { initial_message: said(text) })
  const id = task.app_conversation_id ?? ''
  return { id, sandboxId: task.sandbox_id ?? '', params: { conversation_id: id }, seen: await watch(service, id) }
})

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const finish = call('finish', { message: 'Done.' })
/** Goes on when `release` says so. */
const held = call('terminal', { command: 'until [ -e /tmp/go ]; do sleep 0.05; done; echo slept', timeout: 100 })
const release = (sandboxId: string) => runScript(sandboxId, { cwd: '/tmp', script: 'touch /tmp/go' })

describe('a conversation that works', () => {
  it('pauses after the step that goes on, and continues', async ({ model, start, service }) => {
    model.setScript([held, finish])
    const { params, sandboxId, seen } = await start()
    await seen.until(frame => frame.kind === 'ActionEvent')
    await service.client.call(pauseConversation, { params })
    await release(sandboxId)
    const paused = await seen.untilStatus('paused')
    expect(seen.of('PauseEvent')).toHaveLength(1)
    expect(textOf(seen.of('ObservationEvent')[0]?.observation.content ?? [])).toContain('slept')
    await service.client.call(runConversation, { params })
    await seen.untilStatus('finished', 'seq' in paused ? paused.seq : 0)
    await seen.close()
  })

  it('stops now: the running command ends, its call is answered, and the shell is usable again', async ({
    model,
    start,
    service,
  }) => {
    model.setScript([
      call('terminal', { command: 'sleep 600' }),
      call('terminal', { command: "pgrep -fx 'sleep 600'; echo after" }),
      finish,
    ])
    const { params, seen } = await start()
    await seen.until(frame => frame.kind === 'ActionEvent')
    await service.client.call(interruptConversation, { params })
    await seen.untilStatus('paused')
    expect(seen.of('AgentErrorEvent')[0]?.error).toContain('stopped')
    expect(seen.of('InterruptEvent')).toHaveLength(1)
    await service.client.call(runConversation, { params })
    await seen.untilStatus('finished')
    const output = textOf(seen.of('ObservationEvent')[0]?.observation.content ?? [])
    expect(output).toMatch(/^after/)
    await seen.close()
  })

  it('stops while the model thinks, and gives up the request', async ({ model, start, service }) => {
    model.setScript([{ text: 'Too late.', delayMs: 60_000 }])
    const asked = model.request(model.requests.length)
    const { params, seen } = await start()
    const request = await asked
    await service.client.call(interruptConversation, { params })
    await seen.untilStatus('paused')
    await request.closed
    await seen.close()
  })

  it('is not disturbed by being run twice', async ({ model, start, service }) => {
    model.setScript([held, finish])
    const { params, sandboxId, seen } = await start()
    await expect(service.client.call(runConversation, { params })).rejects.toMatchObject({ status: 409 })
    await release(sandboxId)
    await seen.untilStatus('finished')
    expect(seen.of('ActionEvent')).toHaveLength(2)
    await seen.close()
  })

  it('shows the output of a long command while it runs', async ({ model, start }) => {
    model.setScript([call('terminal', { command: 'for i in 1 2 3 4; do echo tick $i; sleep 0.4; done' }), finish])
    const { seen } = await start()
    await seen.until(frame => frame.kind === 'OutputDeltaEvent' && frame.tail.includes('tick 1'))
    await seen.untilStatus('finished')
    await seen.close()
  })

  it('is paused when the app is closed, with every call answered, and goes on when it is opened again', async ({
    model,
    start,
    service,
  }) => {
    model.setScript([call('terminal', { command: 'sleep 600' }), finish])
    const { id, params, seen } = await start()
    await seen.until(frame => frame.kind === 'ActionEvent')
    await service.restart()
    const again = await watch(service, id)
    await again.untilStatus('paused')
    expect(again.of('AgentErrorEvent')[0]?.error).toContain('closed')
    await service.client.call(runConversation, { params })
    await again.untilStatus('finished')
    await again.close()
  })
})

describe('a sandbox', () => {
  it('that is paused is resumed when its agent goes on', async ({ model, start, service }) => {
    model.setScript([finish, call('terminal', { command: 'echo awake' }), finish])
    const { sandboxId, seen } = await start()
    const first = await seen.untilStatus('finished')
    await service.client.call(pauseSandbox, { params: { sandbox_id: sandboxId } })
    expect(await service.client.call(batchGetSandboxes, { query: { id: [sandboxId] } })).toMatchObject([
      { status: 'PAUSED', session_api_key: null, exposed_urls: null },
    ])
    seen.send(said('Wake up'))
    await seen.untilStatus('finished', 'seq' in first ? first.seq + 1 : 0)
    expect(
      textOf(seen.of('ObservationEvent').find(event => event.tool_name === 'terminal')?.observation.content ?? []),
    ).toContain('awake')
    await seen.close()
  })

  it('that was removed outside is missing, and the conversation says so', async ({ model, start, service }) => {
    model.setScript([finish, call('terminal', { command: 'echo lost' })])
    const { id, sandboxId, seen } = await start()
    await seen.untilStatus('finished')
    const engine = testEngine()
    await engine.removeContainer(sandboxId)
    await engine.close()
    await expect
      .poll(async () => (await service.client.call(listAppConversations, { query: { ids: [id] } })) as unknown[])
      .toMatchObject([{ sandbox_status: 'MISSING' }])
    seen.send(said('Are you there?'))
    await seen.untilStatus('error')
    expect(seen.of('ConversationErrorEvent')[0]).toMatchObject({ code: 'sandbox_not_found' })
    await seen.close()
  })

  it('can be started, used by a conversation and deleted by itself', async ({ service, model }) => {
    const info = await service.client.call(startSandbox, {})
    expect(info.status).toMatch(/STARTING|RUNNING/)
    model.setScript([finish])
    const task = await startConversation(service, { sandbox_id: info.id, initial_message: said('Use it') })
    expect(task).toMatchObject({ status: 'READY', sandbox_id: info.id })
    await service.client.call(deleteSandbox, { params: { sandbox_id: info.id } })
    expect(await service.client.call(batchGetSandboxes, { query: { id: [info.id] } })).toEqual([null])
  })
})

describe('a start', () => {
  it('that is cancelled removes its sandbox and says so', async ({ service }) => {
    const task = await service.client.call(createAppConversation, {
      body: { selected_repository: 'http://127.0.0.1:9/slow.git', initial_message: said('x') },
    })
    await service.client.call(cancelStartTask, { params: { task_id: task.id } })
    const ended = await settled(service, task)
    expect(ended).toMatchObject({ status: 'ERROR', detail: 'Cancelled.' })
    if (ended.sandbox_id) {
      expect(await service.client.call(batchGetSandboxes, { query: { id: [ended.sandbox_id] } })).toEqual([null])
    }
    await expect(service.client.call(cancelStartTask, { params: { task_id: task.id } })).rejects.toMatchObject({
      status: 409,
    })
  })
})

describe('the system', () => {
  it('tells what the service stands on', async ({ service }) => {
    expect(await service.client.call(getSystem)).toMatchObject({
      engine: { state: 'ready' },
      sandbox_image: { state: 'ready' },
      keychain: { state: 'missing', storage: 'session-only' },
      url: service.url,
    })
  })
})
