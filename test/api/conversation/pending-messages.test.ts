import { describe, expect } from 'vitest'
import type { RouteBodyInput } from '../../../server/api/contract/route.ts'
import type { EventFrame } from '../../../server/api/event/frames.ts'
import { deleteAppConversation, interruptConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { searchConversationEvents } from '../../../server/api/v1/conversation/event-routes.ts'
import {
  changePendingMessage,
  listPendingMessages,
  queuePendingMessage,
  withdrawPendingMessage,
} from '../../../server/api/v1/conversation/pending-messages.ts'
import { cancelStartTask } from '../../../server/api/v1/conversation/start-tasks.ts'
import { createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import { storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, settled, startConversation } from '../../parts/client/conversation.ts'
import { tool } from '../../parts/client/gateway-conversation.ts'
import { watch } from '../../parts/client/watch.ts'
import { startGate } from '../../parts/gate.ts'

type Params = { conversation_id: string }

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({
    settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' },
  }))
  .extend('start', { scope: 'file' }, ({ service }) => () => {
    return service.client.call(createAppConversation, { body: {} })
  })
  .extend('say', { scope: 'file' }, ({ service }) => (id: string, words: string) => {
    return service.client.call(queuePendingMessage, { params: { conversation_id: id }, body: text(words) })
  })
  .extend('waiting', { scope: 'file' }, ({ service }) => (id: string) => {
    return service.client.call(listPendingMessages, { params: { conversation_id: id } })
  })
  .extend('saidIn', { scope: 'file' }, ({ service }) => async (id: string): Promise<string[]> => {
    const query = { kind__eq: 'MessageEvent' }
    const { items } = await service.client.call(searchConversationEvents, { params: { conversation_id: id }, query })
    return items.flatMap(event =>
      event.kind === 'MessageEvent' && event.source === 'user'
        ? event.llm_message.content.map(part => (part.type === 'text' ? part.text : ''))
        : [],
    )
  })
  .extend('queue', { scope: 'file' }, ({ service }) => (params: Params, words: string) => {
    return service.client.call(queuePendingMessage, { params, body: { ...text(words), waits_for: 'agent' } })
  })
  .extend(
    'change',
    { scope: 'file' },
    ({ service }) =>
      (params: Params, message_id: string, body: RouteBodyInput<typeof changePendingMessage>) => {
        return service.client.call(changePendingMessage, { params: { ...params, message_id }, body })
      },
  )
  .extend('work', { scope: 'file' }, ({ service }) => async () => {
    const task = await startConversation(service, { initial_message: said('Go') })
    const params = { conversation_id: task.app_conversation_id ?? '' }
    return { params, seen: await watch(service, params.conversation_id) }
  })

const isSaid = (words: string) => (frame: EventFrame) =>
  frame.kind === 'MessageEvent' && JSON.stringify(frame.llm_message.content).includes(`"${words}"`)
const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })

describe('what is said to a conversation that starts', () => {
  it('is delivered once and in order when it is ready, and nothing waits any more', async ({
    start,
    say,
    waiting,
    service,
    saidIn,
  }) => {
    const task = await start()
    expect(await say(`task-${task.id}`, 'first')).toMatchObject({ queued: true, position: 1 })
    expect(await say(task.id, 'second')).toMatchObject({ queued: true, position: 2 })
    expect((await waiting(task.id)).map(one => one.content)).toEqual([text('first').content, text('second').content])
    const { app_conversation_id: id } = await settled(service, task)
    expect(await saidIn(id ?? '')).toEqual(['first', 'second'])
    expect(await waiting(id ?? '')).toEqual([])
    expect(await say(task.id, 'third')).toMatchObject({ queued: false, position: 0 })
    expect(await saidIn(id ?? '')).toEqual(['first', 'second', 'third'])
  })

  it('is refused after ten messages', async ({ start, say, service }) => {
    const task = await start()
    for (let count = 1; count <= 10; count++) expect((await say(task.id, `${count}`)).position).toBe(count)
    await expect(say(task.id, 'one more')).rejects.toMatchObject({ status: 429, code: 'too_many_requests' })
    await settled(service, task)
  })

  it('is dropped with a start that is cancelled', async ({ start, say, service }) => {
    const task = await start()
    await say(task.id, 'never')
    await service.client.call(cancelStartTask, { params: { task_id: task.id } })
    await expect(say(task.id, 'too late')).rejects.toMatchObject({ code: 'conversation_not_found' })
  })

  it('is refused when nothing is said, or nothing like it starts', async ({ say, service }) => {
    await expect(say('0123456789abcdef0123456789abcdef', 'x')).rejects.toMatchObject({ code: 'conversation_not_found' })
    await expect(say('no-id', 'x')).rejects.toMatchObject({ code: 'invalid_id' })
    const reply = await fetch(`${service.url}/api/v1/conversations/x/pending-messages`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ content: [] }),
    })
    expect(reply.status).toBe(422)
  })
})

describe('what is said for when the agent has finished', () => {
  it.beforeAll(async ({ service, model }) => {
    await service.client.call(storeSettingsV1, { body: scripted(model, { allowed_hosts: ['host.docker.internal'] }) })
  })

  const words = (messages: { content: unknown }[]) => messages.map(one => JSON.stringify(one.content))

  it('waits while it works, can be changed, moved and withdrawn, and is delivered one by one', async ({
    model,
    work,
    queue,
    change,
    service,
    saidIn,
    waiting,
  }) => {
    const gate = await startGate()
    model.setScript([tool('terminal', { command: `curl -s ${gate.url}` }), { text: 'A' }, { text: 'B' }, { text: 'C' }])
    const { params, seen } = await work()
    await gate.reached
    const first = await queue(params, 'first')
    const second = await queue(params, 'second')
    const third = await queue(params, 'third')
    expect([first, second, third].map(({ queued, position }) => [queued, position])).toEqual([
      [true, 1],
      [true, 2],
      [true, 3],
    ])
    expect(words(await change(params, third.id, { position: 1 }))).toEqual(
      words([text('third'), text('first'), text('second')]),
    )
    expect(words(await change(params, first.id, { content: text('changed').content }))).toEqual(
      words([text('third'), text('changed'), text('second')]),
    )
    await service.client.call(withdrawPendingMessage, { params: { ...params, message_id: second.id } })
    await expect(change(params, second.id, { position: 1 })).rejects.toMatchObject({ code: 'not_found' })
    expect(await saidIn(params.conversation_id)).toEqual(['Go'])
    gate.open()
    await seen.until(isSaid('C'), 'The last answer')
    const talk = seen.of('MessageEvent').map(({ llm_message }) => JSON.stringify(llm_message.content))
    expect(talk).toEqual(words(['Go', 'A', 'third', 'B', 'changed', 'C'].map(text)))
    expect(await waiting(params.conversation_id)).toEqual([])
    await seen.close()
    await gate.close()
  })

  it('stays while the agent is stopped, also over a restart, and is sent at once when it is told to', async ({
    model,
    work,
    queue,
    service,
    waiting,
    saidIn,
    change,
  }) => {
    model.setScript([tool('terminal', { command: 'sleep 600' }), { text: 'A' }, { text: 'B' }])
    const { params, seen } = await work()
    await seen.until(frame => frame.kind === 'ActionEvent', 'The call')
    const kept = await queue(params, 'kept')
    await queue(params, 'later')
    await service.client.call(interruptConversation, { params })
    await seen.untilStatus('paused')
    await seen.close()
    await service.restart()
    expect(words(await waiting(params.conversation_id))).toEqual(words([text('kept'), text('later')]))
    expect(await saidIn(params.conversation_id)).toEqual(['Go'])
    const again = await watch(service, params.conversation_id)
    expect(words(await change(params, kept.id, { send_now: true }))).toEqual(words([text('later')]))
    await again.until(isSaid('B'), 'The last answer')
    expect(await saidIn(params.conversation_id)).toEqual(['Go', 'kept', 'later'])
    await again.close()
  })

  it('is sent at once where nothing is to be waited for, and goes with its conversation', async ({
    model,
    work,
    queue,
    service,
  }) => {
    model.setScript([{ text: 'A' }, { text: 'B' }])
    const { params, seen } = await work()
    await seen.untilStatus('finished')
    expect(await queue(params, 'now')).toMatchObject({ queued: false, position: 0 })
    await seen.until(isSaid('B'), 'The answer')
    await expect(queue(params, ' ')).rejects.toMatchObject({ code: 'bad_request' })
    await seen.close()
    await service.client.call(deleteAppConversation, { params })
    await expect(queue(params, 'late')).rejects.toMatchObject({ code: 'conversation_not_found' })
  })
})
