import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { branchOf, stepAround } from '../../../renderer/state/conversation/branch.ts'
import { advance, EMPTY_CONVERSATION } from '../../../renderer/state/conversation/conversation.ts'
import type { Item } from '../../../renderer/state/conversation/item.ts'
import { itemsOf } from '../../../renderer/state/conversation/items.ts'
import { activeBranch } from '../../../server/api/event/branch.ts'
import type { Event } from '../../../server/api/event/events.ts'
import { anyLog, grow } from '../../event/random-log.ts'
import { EventLog } from './events.ts'

/** What is seen, in short: texts of messages, and for what is set aside the same within brackets. */
function seen(items: readonly Item[]): string[] {
  return items.map(item => {
    if (item.kind === 'message') return item.text
    if (item.kind === 'aside') return `[${seen(item.items).join(' ')}]`
    return item.kind === 'navigation' ? item.direction : item.kind
  })
}

/** Messages one to four, then back to after the second. */
function turnedBack() {
  const eventLog = new EventLog()
  const [, two, , four] = ['one', 'two', 'three', 'four'].map(text => eventLog.user(text))
  eventLog.state('leaf_event_id', two?.id)
  return { log: eventLog, four }
}

describe('after going back', () => {
  test('later messages are set aside, and what is said then follows the earlier one', () => {
    const { log: eventLog } = turnedBack()
    eventLog.user('other')
    expect(seen(itemsOf(eventLog.events))).toEqual(['one', 'two', '[three four]', 'back', 'other'])
  })

  test('undoing it brings everything back and leaves two quiet lines at most', () => {
    const { log: eventLog, four } = turnedBack()
    eventLog.state('leaf_event_id', four?.id)
    eventLog.user('five')
    expect(seen(itemsOf(eventLog.events))).toEqual(['one', 'two', 'three', 'four', 'forward', 'five'])
  })

  test('its undo names the event that was the last one, not an update of the state', () => {
    const eventLog = new EventLog()
    const one = eventLog.user('one')
    const two = eventLog.user('two')
    eventLog.state('execution_status', 'idle')
    eventLog.state('leaf_event_id', one.id)
    expect(itemsOf(eventLog.events).at(-1)).toMatchObject({ kind: 'navigation', from: two.id })
  })

  test('to the beginning, all is set aside', () => {
    const eventLog = new EventLog()
    eventLog.user('one')
    eventLog.state('leaf_event_id', null)
    expect(seen(itemsOf(eventLog.events))).toEqual(['[one]', 'back'])
  })

  test('to where the conversation stands already, nothing is shown', () => {
    const eventLog = new EventLog()
    const one = eventLog.user('one')
    eventLog.state('execution_status', 'idle')
    eventLog.state('leaf_event_id', one.id)
    expect(seen(itemsOf(eventLog.events))).toEqual(['one'])
  })

  test('to an event that is not loaded, what is loaded is set aside without a gap', () => {
    const { log: eventLog } = turnedBack()
    expect(seen(itemsOf(eventLog.events.slice(2)))).toEqual(['[three four]', 'back'])
  })

  test('event by event the same is seen as at once', () => {
    const { log: eventLog } = turnedBack()
    eventLog.user('other')
    eventLog.run('true', 'ok')
    const oneByOne = eventLog.events.reduce(
      (state, frame) => advance(state, [{ kind: 'frame', frame }]),
      EMPTY_CONVERSATION,
    )
    expect(oneByOne.items).toEqual(itemsOf(eventLog.events))
  })

  test('the window goes on from the same events as the agent, whatever happened to the log', () => {
    fc.assert(
      fc.property(anyLog({ navigation: true }), steps => {
        const events = grow(steps).events
        const isState = ({ kind }: Event) => kind === 'ConversationStateUpdateEvent'
        const aside = branchOf(events)?.aside ?? new Set()
        const shown = events.filter(event => !isState(event) && !aside.has(event.seq))
        expect(shown.map(({ id }) => id)).toEqual(activeBranch(events).map(({ id }) => id))
      }),
    )
  })
})

test('an event of a kind that this window does not know keeps its place as one line', () => {
  const eventLog = new EventLog()
  eventLog.user('one')
  // As a later version of the service would write it.
  eventLog.events.push({ ...eventLog.pause(), id: 'later', seq: 2, kind: 'FromTheFuture' } as unknown as Event)
  eventLog.events.splice(1, 1)
  expect(itemsOf(eventLog.events.map((event, seq) => ({ ...event, seq })))).toMatchObject([
    { kind: 'message' },
    { kind: 'unknown', name: 'FromTheFuture' },
  ])
})

describe('the ends of a step', () => {
  const ran = { kind: 'TerminalAction', command: 'ls', is_input: false, reset: false } as const
  const printed = {
    kind: 'TerminalObservation',
    content: [],
    command: 'ls',
    exit_code: 0,
    timeout: false,
    metadata: { exit_code: 0, working_dir: '/' },
    is_error: false,
  } as never

  test('are the event before its first call and the last result of all its calls', () => {
    const eventLog = new EventLog()
    const asked = eventLog.user('one')
    eventLog.state('execution_status', 'running')
    const first = eventLog.call(ran, { llm_response_id: 'a' })
    const second = eventLog.call(ran, { llm_response_id: 'a' })
    eventLog.answer(first, printed)
    expect(stepAround(eventLog.events, first.id)).toBeUndefined()
    const last = eventLog.fail(second, 'It failed.')
    const next = eventLog.call(ran, { llm_response_id: 'b' })
    const end = eventLog.answer(next, printed)
    eventLog.agent('Done.')
    for (const { id } of [first, second]) {
      expect(stepAround(eventLog.events, id)).toEqual({ before: asked.id, after: last.id })
    }
    expect(stepAround(eventLog.events, next.id)).toEqual({ before: last.id, after: end.id })
  })

  test('are not known of one that is set aside, or with nothing before it', () => {
    const eventLog = new EventLog()
    const early = eventLog.call(ran)
    eventLog.answer(early, printed)
    expect(stepAround(eventLog.events, early.id)).toBeUndefined()
    const said = eventLog.user('one')
    const call = eventLog.call(ran, { llm_response_id: 'b' })
    eventLog.answer(call, printed)
    expect(stepAround(eventLog.events, call.id)).toBeDefined()
    eventLog.state('leaf_event_id', said.id)
    expect(stepAround(eventLog.events, call.id)).toBeUndefined()
  })
})
