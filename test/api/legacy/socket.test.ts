import { describe, expect } from 'vitest'
import { WebSocket } from 'ws'
import { listAppConversations, updateAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { call, refusal, watchLegacy } from '../../parts/client/legacy.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('started', { scope: 'file' }, async ({ model, service }) => {
    model.setScript([{ text: 'Here I am.' }])
    return startConversation(service, { initial_message: said('Hello') })
  })
  .extend('id', { scope: 'file' }, ({ started }) => started.app_conversation_id ?? '')

it.beforeAll(async ({ service, id }) => {
  const seen = watchLegacy(service, id)
  await seen.untilState('finished')
  seen.close()
})

describe('a connection to the legacy socket', () => {
  it('needs the key and the name of a conversation, and says what is missing', async ({ service, id }) => {
    expect(await refusal(watchLegacy(service, id, { session_api_key: 'wrong' }))).toBe('invalid_session_api_key')
    expect(await refusal(watchLegacy(service, id, { session_api_key: 'null' }))).toBe('invalid_session_api_key')
    expect(await refusal(watchLegacy(service, ''))).toBe('No conversation_id in query params')
  })

  it('is refused to pages of other sites and for other names of this machine', async ({ service, id }) => {
    const url = `${service.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket&conversation_id=${id}`
    for (const headers of [{ Origin: 'https://evil.example' }, { Host: 'evil.example' }]) {
      const status = await new Promise(resolve => {
        const socket = new WebSocket(`${url}&session_api_key=${service.key}`, { headers })
        socket.on('unexpected-response', (_request, response) => resolve(response.statusCode))
        socket.on('error', () => {})
      })
      expect(status).toBe(403)
    }
    const polling = await fetch(`${service.url}/socket.io/?EIO=4&transport=polling`, {
      headers: { Origin: 'https://evil.example' },
    })
    expect(polling.status).toBe(403)
  })

  it('makes no conversation, however it is named', async ({ service }) => {
    for (const name of ['0'.repeat(32), 'nobody', '../..']) {
      const seen = watchLegacy(service, name)
      await seen.until(frame => 'error' in frame, 'An error')
      if (seen.socket.connected) await new Promise(resolve => seen.socket.on('disconnect', resolve))
    }
    const { items } = (await service.client.call(listAppConversations, { query: {} })) as { items: unknown[] }
    expect(items).toHaveLength(1)
  })

  it('is counted while it lasts', async ({ service, id }) => {
    const seen = watchLegacy(service, id)
    await seen.untilState('finished')
    const { body } = await call(service, 'GET', `/api/conversations/${id}`)
    expect(body).toMatchObject({ num_connections: 1 })
    seen.close()
  })

  it('lives beside the newer sockets on the same port', async ({ service, id }) => {
    const [older, newer] = [watchLegacy(service, id), await watch(service, id)]
    await older.untilState('finished')
    await newer.untilStatus('finished')
    older.close()
    await newer.close()
  })
})

describe('what it sends', () => {
  it('is what happened, with one last state at the end, and nothing that is nothing', async ({ service, id }) => {
    const seen = watchLegacy(service, id)
    await seen.untilState('finished')
    const words = seen.events().map(event => ('action' in event ? event.action : event.observation))
    expect(words).toEqual(['message', 'system', 'message', 'agent_state_changed'])
    expect(seen.events()[0]).toMatchObject({ source: 'user', args: { content: 'Hello' } })
    expect(seen.events()[2]).toMatchObject({ source: 'agent', llm_metrics: { accumulated_cost: expect.any(Number) } })
    seen.close()
  })

  it('resumes without a gap and without a repeat, however often the client goes and comes', async ({
    model,
    service,
    id,
  }) => {
    const thoughts = Array.from({ length: 6 }, (_, index) => `Thought ${index}`)
    model.setScript([
      ...thoughts.map(thought => ({ toolCalls: [{ name: 'think', arguments: { thought } }] })),
      { text: 'Thought enough.' },
    ])
    const received: number[] = []
    const thought: string[] = []
    let ended = false
    const sent = await call(service, 'POST', `/api/conversations/${id}/message`, { message: 'Think.' })
    expect(sent.body).toEqual({ success: true })
    while (!ended) {
      const seen = watchLegacy(service, id, { latest_event_id: String(Math.max(-1, ...received)) })
      const enough = received.length + 3
      const isEnd = (frame: unknown) => JSON.stringify(frame).includes('Thought enough.')
      await seen.until(() => seen.events().some(isEnd) || received.length + seen.events().length >= enough, 'More')
      ended = seen.events().some(isEnd)
      for (const event of seen.events()) {
        received.push(event.id)
        if ('action' in event && event.action === 'think') thought.push(String(event.args.thought))
      }
      seen.close()
    }
    expect(thought).toEqual(thoughts)
    const states = new Set(received)
    expect(states.size).toBe(received.length)
  })

  it('rewrites what the environment says and tells a new title', async ({ model, service, id }) => {
    model.setScript([{ text: 'Again.' }])
    const seen = watchLegacy(service, id)
    await seen.until(frame => 'observation' in frame, 'The last state')
    await service.client.call(updateAppConversation, { params: { conversation_id: id }, body: { title: 'Named' } })
    const title = await seen.until(frame => 'status_update' in frame, 'The title')
    expect(title).toEqual({ status_update: true, type: 'info', message: id, conversation_title: 'Named' })
    const before = seen.frames.length
    seen.socket.emit('oh_action', { action: 'message', args: { content: 'Once more' } })
    await seen.until(
      frame => seen.frames.indexOf(frame) > before && 'observation' in frame && frame.extras.agent_state === 'finished',
      'The end',
    )
    expect(
      seen
        .events()
        .slice(-4)
        .every(event => event.source !== 'environment'),
    ).toBe(true)
    seen.close()
  })

  it('answers an action that makes no sense, and goes on', async ({ service, id }) => {
    const seen = watchLegacy(service, id)
    await seen.until(frame => 'observation' in frame, 'The last state')
    for (const nonsense of [null, 'text', { action: 'fly' }, { action: 'message', args: { content: '' } }]) {
      const errors = () => seen.frames.filter(frame => 'error' in frame).length
      const before = errors()
      seen.socket.emit('oh_user_action', nonsense)
      await seen.until(() => errors() > before, 'An error')
    }
    expect(seen.socket.connected).toBe(true)
    seen.close()
  })

  it('tells how far a start is, then joins without a gap', async ({ model, service }) => {
    model.setScript([{ text: 'Started.' }])
    const made = await call(service, 'POST', '/api/conversations', { initial_user_msg: 'Begin.' })
    const seen = watchLegacy(service, (made.body as { conversation_id: string }).conversation_id)
    await seen.untilState('finished')
    const told = seen.frames.flatMap(frame => ('status_update' in frame && frame.id ? [frame.id] : []))
    expect(told[0]).toBe('STATUS$STARTING_RUNTIME')
    expect(told.at(-1)).toBe('STATUS$READY')
    expect(JSON.stringify(seen.events())).toContain('Started.')
    const ids = seen.events().map(event => event.id)
    expect(new Set(ids).size).toBe(ids.length)
    seen.close()
  })

  it('ends when the conversation is deleted', async ({ service }) => {
    const task = await startConversation(service, {})
    const seen = watchLegacy(service, task.app_conversation_id ?? '')
    await new Promise<void>(resolve => seen.socket.on('connect', resolve))
    const gone = new Promise(resolve => seen.socket.on('disconnect', resolve))
    await call(service, 'DELETE', `/api/conversations/${task.app_conversation_id}`)
    await gone
  })
})
