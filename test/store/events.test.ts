import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Event } from '../../server/api/event/events.ts'
import type { ConversationId } from '../../server/domain/ids.ts'
import type { EventFilter } from '../../server/store/events.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { growthOfTime } from '../parts/value/growth-of-time.ts'

const EVENTS = 16_000
let store: ReturnType<typeof openStore>
const logs = new Map<number, ConversationId>()

beforeAll(() => {
  store = openStore()
  for (const length of [EVENTS, EVENTS / 16]) logs.set(length, filled(length))
})
afterAll(() => store.remove())

/** @returns the id of a conversation with a log in which a person said something at the beginning alone */
function filled(length: number): ConversationId {
  const { id } = aConversation()
  store.conversations.insert(aConversation({ id }))
  const events = Array.from({ length }, (_, index) => ({
    ...(index === 0 ? said('user', 'Begin.') : index === 8 ? said('agent', 'Going on.') : newEvent(index)),
    id: `${id}-${index}`,
    timestamp: new Date(0).toISOString(),
    seq: 0,
  }))
  store.eventLog.copyAll(id, events as Event[], () => {})
  return id
}

function said(source: string, text: string) {
  return {
    kind: 'MessageEvent',
    source,
    llm_message: { role: source === 'user' ? 'user' : 'assistant', content: [{ type: 'text', text }] },
    activated_skills: [],
    extended_content: [],
  }
}

describe('what is rare is found in the same time in a log of any length', () => {
  const SEARCHES: Record<string, { filter: EventFilter; found: number }> = {
    'an event of a kind that is not there': { filter: { kind: 'PauseEvent' }, found: 0 },
    'a message of a person': { filter: { kind: 'MessageEvent', source: 'user' }, found: 1 },
    'a text of anybody': { filter: { text: 'begin' }, found: 1 },
    'a text of a person': { filter: { kind: 'MessageEvent', source: 'user', text: 'begin' }, found: 1 },
  }
  test.each(Object.entries(SEARCHES))('%s', (_, { filter, found }) => {
    const growth = growthOfTime(length => {
      const id = logs.get(length) as ConversationId
      return () => {
        for (const order of ['ASC', 'DESC'] as const) {
          expect(store.eventLog.search(id, filter, { order, pageId: null, limit: 1 }).items).toHaveLength(found)
        }
        expect(store.eventLog.count(id, filter)).toBe(found)
      }
    }, EVENTS)
    expect(growth).toBeLessThan(0.5)
  })
})

test('sources are told apart with and without a kind', () => {
  const id = logs.get(EVENTS) as ConversationId
  const sources = (filter: EventFilter) =>
    store.eventLog.search(id, filter, { order: 'ASC', pageId: null, limit: 3 }).items.map(each => each.source)
  expect(sources({ kind: 'MessageEvent', source: 'agent' })).toEqual(['agent'])
  expect(sources({ kind: 'MessageEvent' })).toEqual(['user', 'agent'])
  expect(sources({ source: 'user' })).toEqual(['user'])
})
