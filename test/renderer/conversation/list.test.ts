import { expect, test } from 'vitest'
import { groupConversations, titleOf } from '../../../renderer/state/conversation/list.ts'
import { CONVERSATION_STATES, conversationState, STATE_WORDS, sandboxState } from '../../../renderer/state/words.ts'
import type { AppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { SANDBOX_STATUSES } from '../../../server/api/v1/sandbox/sandboxes.ts'

const NOW = new Date(2026, 10, 21, 10, 0).getTime()
const HOUR = 3_600_000

function conversation(id: string, hoursAgo: number, fields: Partial<AppConversation> = {}): AppConversation {
  const time = new Date(NOW - hoursAgo * HOUR).toISOString()
  return {
    id,
    created_by_user_id: null,
    sandbox_id: 's',
    selected_repository: null,
    selected_branch: null,
    git_provider: null,
    title: id,
    trigger: null,
    pr_number: [],
    llm_model: null,
    metrics: null,
    parent_conversation_id: null,
    sub_conversation_ids: [],
    created_at: time,
    updated_at: time,
    sandbox_status: 'RUNNING',
    sandbox_unreachable: false,
    execution_status: 'running',
    conversation_url: null,
    session_api_key: null,
    max_iterations: 500,
    max_budget_per_task: null,
    limit_reached: null,
    steps: 0,
    cost_unknown: false,
    price_known: true,
    confirmation_policy: { kind: 'NeverConfirm' },
    security_analyzer: null,
    always_allowed: [],
    agent_type: 'default',
    forked_from_conversation_id: null,
    forked_from_event_id: null,
    source_folder: null,
    folder_mode: null,
    mounted_folder: null,
    pinned_at: null,
    archived_at: null,
    ...fields,
  }
}

const ALL = { text: '', state: null } as const

test('newest activity first, by the day of the activity', () => {
  const groups = groupConversations(
    [conversation('old', 60), conversation('late', 11), conversation('early', 9), conversation('fresh', 1)],
    ALL,
    NOW,
  )
  expect(groups.map(({ title, items }) => [title, items.map(({ conversation }) => conversation.id)])).toEqual([
    ['Today', ['fresh', 'early']],
    ['Yesterday', ['late']],
    ['Earlier', ['old']],
  ])
})

test('a conversation that stands on two pages shows once', () => {
  const [group] = groupConversations([conversation('a', 1), conversation('a', 1)], ALL, NOW)
  expect(group?.items).toHaveLength(1)
})

test('what works for another stands below it, for as long as something is to be seen of it', () => {
  const helper = (id: string, hoursAgo: number, fields: Partial<AppConversation>) =>
    conversation(id, hoursAgo, { parent_conversation_id: 'asks', ...fields })
  const all = [
    helper('finds', 0, { execution_status: 'running' }),
    helper('found', 1, { execution_status: 'finished' }),
    helper('of the helper', 1, { parent_conversation_id: 'finds', execution_status: 'waiting_for_confirmation' }),
    conversation('newer', 2),
    conversation('asks', 30),
    conversation('plans', 31, { agent_type: 'plan', execution_status: 'finished' }),
    helper('builds', 3, { parent_conversation_id: 'plans', execution_status: 'finished' }),
    helper('of nobody', 4, { parent_conversation_id: 'deleted' }),
  ]
  const shown = (openId: string | null) =>
    groupConversations(all, { ...ALL, openId }, NOW).map(({ title, items }) => [
      title,
      ...items.map(({ conversation: { id }, nested }) => (nested ? `> ${id}` : id)),
    ])
  const yesterday = ['Yesterday', 'asks', '> finds', '> of the helper', 'plans', '> builds']
  expect(shown(null)).toEqual([['Today', 'newer', 'of nobody'], yesterday])
  expect(shown('found').flat()).toContain('> found')
})

test('the filter looks into title, repository and state', () => {
  const all = [
    conversation('Fix retry', 1, { selected_repository: 'https://github.com/acme/shop.git' }),
    conversation('Fix login', 2, { execution_status: 'finished' }),
  ]
  const found = (text: string, state: Parameters<typeof groupConversations>[1]['state'] = null) =>
    groupConversations(all, { text, state }, NOW).flatMap(({ items }) =>
      items.map(({ conversation }) => conversation.id),
    )
  expect(found('fix')).toEqual(['Fix retry', 'Fix login'])
  expect(found('SHOP fix')).toEqual(['Fix retry'])
  expect(found('', 'done')).toEqual(['Fix login'])
  expect(found('retry', 'done')).toEqual([])
})

test('a reached limit is said instead of "paused", but not while the agent works again', () => {
  const limited = { sandbox_status: 'RUNNING', limit_reached: 'max_iterations' } as const
  expect(conversationState({ ...limited, execution_status: 'paused' })).toBe('limit')
  expect(conversationState({ ...limited, execution_status: 'running' })).toBe('working')
})

test.each([
  ['conversations', CONVERSATION_STATES],
  ['sandboxes', SANDBOX_STATUSES.map(sandboxState)],
])('the states of %s differ in shape, never in colour alone', (_, states) => {
  expect(new Set(states.map(state => STATE_WORDS[state].shape)).size).toBe(states.length)
})

test('a title cannot turn the direction in which it is read', () => {
  expect(titleOf({ title: 'Open \u202Egnp.exe' })).toBe('Open gnp.exe')
  expect(titleOf({ title: ' \u2066\u2069 ' })).toBe('Untitled conversation')
})

test('what is pinned stands before all, and what is archived is found when it is looked for', () => {
  const archived_at = new Date(NOW).toISOString()
  const all = [
    conversation('a', 1),
    conversation('b', 2, { archived_at }),
    conversation('c', 60, { pinned_at: archived_at }),
  ]
  const shown = (filter: Partial<Parameters<typeof groupConversations>[1]>) =>
    groupConversations(all, { ...ALL, ...filter }, NOW).map(({ title, items }) => [
      title,
      items.map(each => each.conversation.id),
    ])
  expect(shown({})).toEqual([
    ['Pinned', ['c']],
    ['Today', ['a']],
  ])
  expect(shown({ text: 'b' })).toEqual([['Today', ['b']]])
  expect(shown({ openId: 'b' })).toEqual([
    ['Pinned', ['c']],
    ['Today', ['a', 'b']],
  ])
  expect(shown({ onlyArchived: true })).toEqual([['Today', ['b']]])
  const under = { parent_conversation_id: 'b', archived_at }
  const helper = conversation('helper', 1, { ...under, execution_status: 'finished' })
  all.push(helper, conversation('working', 1, under))
  expect(shown({})).toEqual([
    ['Pinned', ['c']],
    ['Today', ['a']],
  ])
  expect(shown({ onlyArchived: true })).toEqual([['Today', ['b', 'working']]])
})

test('by place: each repository and folder by its path, in the order of their activity, and what is neither', () => {
  const all = [
    conversation('a', 1, { selected_repository: 'octo/one' }),
    conversation('b', 2, { source_folder: '/home/me/one' }),
    conversation('c', 3, { source_folder: '/home/you/one' }),
    conversation('d', 4),
    conversation('e', 5, { selected_repository: 'octo/one' }),
    conversation('f', 6, { pinned_at: new Date(NOW).toISOString() }),
  ]
  const groups = groupConversations(all, { ...ALL, groupBy: 'place', leaving: new Set(['d']) }, NOW)
  expect(groups.map(({ title, items }) => [title, ...items.map(({ conversation: { id } }) => id)])).toEqual([
    ['Pinned', 'f'],
    ['octo/one', 'a', 'e'],
    ['one', 'b'],
    ['one', 'c'],
  ])
})
