import { afterEach, beforeEach, expect, test } from 'vitest'
import { aConversation, openStore } from '../parts/service/store.ts'

let store: ReturnType<typeof openStore>
beforeEach(() => {
  store = openStore()
})
afterEach(() => store.remove())

test('a conversation comes back as it was stored', () => {
  const usage = { model: 'm', prompt_tokens: 1, completion_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4 }
  const metrics = {
    model_name: 'provider/m',
    accumulated_cost: 0.1 + 0.2,
    max_budget_per_task: null,
    accumulated_token_usage: { ...usage, reasoning_tokens: 5, context_window: 6, per_turn_token: 7, response_id: 'r' },
  }
  const stored = aConversation({
    title: 'Quotes " \' and \\ lines\n and 字 and 🙂',
    title_is_default: true,
    pr_number: [3, 12],
    max_budget_per_task: 12.345678901,
    limit_reached: 'max_budget_per_task',
    git_provider: 'gitlab',
    instructions: '{"not": "parsed"}',
    replay: '[{"also": "text"}]',
    stats: { usage_to_metrics: { default: metrics }, steps: 4, cost_unknown: true, last_step: null },
  })
  store.conversations.insert(stored)
  expect(store.conversations.get(stored.id)).toEqual(stored)
  store.conversations.update(stored.id, { title_is_default: false })
  const [listed] = store.conversations.list({ includeSubConversations: false }, 'created_at', 0, 10)
  expect(listed).toEqual({ ...stored, title_is_default: false })
})

test('what is known of a conversation elsewhere is forgotten with it', () => {
  const [one, other] = [aConversation(), aConversation()]
  for (const conversation of [one, other]) store.conversations.insert(conversation)
  const known = new Set([one.id, other.id])
  store.conversations.onDeleted(id => known.delete(id))
  store.conversations.delete(one.id)
  expect([...known]).toEqual([other.id])
})

test('children are found for many parents at once, oldest first', () => {
  const [first, second, alone] = [aConversation(), aConversation(), aConversation()]
  const at = (minute: number) => new Date(Date.UTC(2025, 0, 1, 0, minute)).toISOString()
  const younger = aConversation({ parent_conversation_id: first.id, created_at: at(2) })
  const older = aConversation({ parent_conversation_id: first.id, created_at: at(1) })
  const other = aConversation({ parent_conversation_id: second.id, created_at: at(3) })
  for (const each of [first, second, alone, younger, older, other]) store.conversations.insert(each)
  expect(store.conversations.childrenOf([])).toEqual([])
  expect(store.conversations.childrenOf([first.id, second.id, alone.id])).toEqual([
    { id: older.id, parent: first.id },
    { id: younger.id, parent: first.id },
    { id: other.id, parent: second.id },
  ])
})

test('how it was started goes with it; a start that failed stays', () => {
  const [gone, kept] = [aConversation(), aConversation()]
  for (const each of [gone, kept]) store.conversations.insert(each)
  const add = (id: string, conversationId: string, status: string) =>
    store.database.run(`INSERT INTO start_task VALUES (?, ?, '', '', ?)`, [
      id,
      conversationId,
      JSON.stringify({ status }),
    ])
  add('of gone', gone.id, 'READY')
  add('of kept', kept.id, 'READY')
  add('failed', 'never came to be', 'ERROR')
  store.conversations.delete(gone.id)
  const left = store.database.all('SELECT id FROM start_task ORDER BY id').map(row => row.id)
  expect(left).toEqual(['failed', 'of kept'])
})
