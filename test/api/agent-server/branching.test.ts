import { describe, expect } from 'vitest'
import { deleteAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { it } from '../../fixtures/gateway.ts'
import { START } from '../../parts/client/gateway-conversation.ts'

describe('a conversation among others', () => {
  it('is found page by page, each named by its first one, also when it has changed since', async ({
    finished,
    first,
  }) => {
    const ids = [await finished(first.caller), await finished(first.caller), await finished(first.caller)]
    const page = async (query: string) =>
      (await first.caller.call('GET', `/api/conversations/search?limit=1${query}`)).body
    const newest = await page('')
    expect([newest.items[0].id, newest.next_page_id]).toEqual([ids[2], ids[1]?.replaceAll('-', '')])
    await finished(first.caller)
    const next = await page(`&page_id=${ids[1]}`)
    expect([next.items[0].id, next.next_page_id]).toEqual([ids[1], ids[0]?.replaceAll('-', '')])
    const oldest = (await page('&sort_order=CREATED_AT')).items[0].id
    expect((await page(`&sort_order=CREATED_AT&page_id=${'f'.repeat(32)}`)).items[0].id).toBe(oldest)
  })

  it('leaves those under it without a parent when it is deleted', async ({ first }) => {
    const parent = (await first.caller.call('POST', '/api/conversations', START)).body.id
    const child = await first.caller.call('POST', '/api/conversations', { ...START, parent_conversation_id: parent })
    expect(child.body.parent_conversation_id).toBe(parent)
    await first.caller.call('DELETE', `/api/conversations/${parent}`)
    const { body } = await first.caller.call('GET', `/api/conversations/${child.body.id}`)
    expect(body).toMatchObject({ id: child.body.id, parent_conversation_id: null })
  })

  it('takes those under it along when it is deleted in the app', async ({ first, service }) => {
    const parent = (await first.caller.call('POST', '/api/conversations', START)).body.id
    const child = await first.caller.call('POST', '/api/conversations', { ...START, parent_conversation_id: parent })
    await service.client.call(deleteAppConversation, { params: { conversation_id: parent } })
    expect((await first.caller.call('GET', `/api/conversations/${child.body.id}`)).status).toBe(404)
  })

  it('forks, goes back and answers side questions for its own key only', async ({ finished, first, model }) => {
    const id = await finished(first.caller)
    const path = (action: string) => `/api/conversations/${id}${action && `/${action}`}`
    const fork = await first.caller.call('POST', path('fork'), { title: 'Another way', tags: { kind: 'fork' } })
    expect([fork.status, fork.body]).toMatchObject([
      201,
      { title: 'Another way', tags: { kind: 'fork' }, forked_from_conversation_id: id },
    ])
    const again = await first.caller.call('POST', path('fork'), { id: fork.body.id })
    expect(again.status).toBe(409)
    const spent = (await first.caller.call('GET', path(''))).body.stats
    expect(fork.body.stats).toEqual({ usage_to_metrics: {} })
    const sums = await first.caller.call('POST', path('fork'), { reset_metrics: false })
    // Its log does not have the answers themselves.
    const { costs, response_latencies, token_usages, ...sum } = spent.usage_to_metrics.default
    expect([costs.length, response_latencies.length, token_usages.length]).toEqual([2, 2, 2])
    const none = { costs: [], response_latencies: [], token_usages: [] }
    expect(sums.body.stats.usage_to_metrics.default).toEqual({ ...sum, ...none })
    const events = async () => (await first.caller.call('GET', path('events/search'))).body.items
    const [begun] = await events()
    const there = await first.caller.call('POST', path('navigate'), { event_id: begun.id })
    expect(there.body).toMatchObject({ leaf_event_id: begun.id })
    expect(await events()).toContainEqual(expect.objectContaining({ key: 'leaf_event_id', parent_id: begun.id }))
    const back = await first.caller.call('POST', path('navigate'), {})
    expect(back.body).toMatchObject({ execution_status: 'idle', leaf_event_id: null })
    expect(await events()).toContainEqual(expect.objectContaining({ value: null, parent_id: '__root__' }))
    expect((await first.caller.call('POST', path('navigate'), { event_id: 'nothing' })).status).toBe(404)
    model.setScript([{ text: 'Forty-two.' }])
    const asked = await first.caller.call('POST', path('ask_agent'), { question: 'How many?' })
    expect(asked.body).toEqual({ response: 'Forty-two.' })
    expect((await first.caller.call('POST', path('condense'))).body).toEqual({ success: true })
  })
})
