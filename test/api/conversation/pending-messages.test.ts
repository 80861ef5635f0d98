import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { searchConversationEvents } from '../../../server/api/v1/conversation/event-routes.ts'
import { listPendingMessages, queuePendingMessage } from '../../../server/api/v1/conversation/pending-messages.ts'
import { cancelStartTask } from '../../../server/api/v1/conversation/start-tasks.ts'
import { createAppConversation } from '../../../server/api/v1/conversation/starts.ts'
import { settled } from '../../parts/client/conversation.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ settings: { llm_model: 'ollama/none', llm_base_url: 'http://127.0.0.1:1' } })
})

afterAll(() => service?.close())

const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })
const start = () => service.client.call(createAppConversation, { body: {} })
const say = (id: string, words: string) =>
  service.client.call(queuePendingMessage, { params: { conversation_id: id }, body: text(words) })
const waiting = (id: string) => service.client.call(listPendingMessages, { params: { conversation_id: id } })

async function saidIn(id: string): Promise<string[]> {
  const query = { kind__eq: 'MessageEvent' }
  const { items } = await service.client.call(searchConversationEvents, { params: { conversation_id: id }, query })
  return items.flatMap(event =>
    event.kind === 'MessageEvent' && event.source === 'user'
      ? event.llm_message.content.map(part => (part.type === 'text' ? part.text : ''))
      : [],
  )
}

describe('what is said to a conversation that starts', () => {
  it('is delivered once and in order when it is ready, and nothing waits any more', async () => {
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

  it('is refused after ten messages', async () => {
    const task = await start()
    for (let count = 1; count <= 10; count++) expect((await say(task.id, `${count}`)).position).toBe(count)
    await expect(say(task.id, 'one more')).rejects.toMatchObject({ status: 429, code: 'too_many_requests' })
    await settled(service, task)
  })

  it('is dropped with a start that is cancelled', async () => {
    const task = await start()
    await say(task.id, 'never')
    await service.client.call(cancelStartTask, { params: { task_id: task.id } })
    await expect(say(task.id, 'too late')).rejects.toMatchObject({ code: 'conversation_not_found' })
  })

  it('is refused when nothing is said, or nothing like it starts', async () => {
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
