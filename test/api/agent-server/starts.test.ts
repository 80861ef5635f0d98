import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { it } from '../../fixtures/gateway.ts'
import { finishedConversation, START } from '../../parts/client/gateway-conversation.ts'

describe('a start', () => {
  it('is attached to by all who ask for the same id at the same time, and started once', async ({ first }) => {
    const conversation_id = randomUUID()
    const before = (await first.caller.call('GET', '/api/conversations/count')).body
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => first.caller.call('POST', '/api/conversations', { ...START, conversation_id })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    expect(replies.map(({ body }) => body.id)).toEqual(Array(4).fill(conversation_id))
    expect((await first.caller.call('GET', '/api/conversations/count')).body).toBe(before + 1)
  })

  it('of another sandbox is not attached to, also while both start', async ({ first, second }) => {
    const conversation_id = randomUUID()
    const replies = await Promise.all(
      [first, second].map(({ caller }) => caller.call('POST', '/api/conversations', { ...START, conversation_id })),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('is refused with 422 when its analyzer or its message is malformed', async ({ first, model }) => {
    for (const [extra, field] of [
      [{ security_analyzer: { kind: 'NobodyKnowsAnalyzer' } }, 'security_analyzer'],
      [{ security_analyzer: { kind: 7 } }, 'security_analyzer'],
      [{ security_analyzer: {} }, 'security_analyzer'],
      [{ initial_message: { role: 'user', content: 'Hello' } }, 'initial_message'],
    ] as const) {
      const reply = await first.caller.call('POST', '/api/conversations', { ...START, ...extra })
      expect([reply.status, reply.body.detail?.[0]?.loc.slice(0, 2)]).toEqual([422, ['body', field]])
    }
    const id = await finishedConversation(model, first.caller)
    const text = await first.caller.call('POST', `/api/conversations/${id}/events`, { content: 'Hello' })
    expect([text.status, text.body.detail[0].loc]).toEqual([422, ['body', 'content']])
    const kind = await first.caller.call('POST', `/api/conversations/${id}/security_analyzer`, {
      security_analyzer: { kind: 'NobodyKnowsAnalyzer' },
    })
    expect([kind.status, kind.body.detail[0].loc]).toEqual([422, ['body', 'security_analyzer', 'kind']])
  })
})
