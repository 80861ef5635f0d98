import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activeBranch } from '../../server/api/event/branch.ts'
import { resultsByCall } from '../../server/api/event/calls.ts'
import type { Event } from '../../server/api/event/events.ts'
import { viewOf } from '../../server/event/condensed.ts'
import { IncrementalView, openCalls, toMessages } from '../../server/event/model-messages.ts'
import type { ModelMessage } from '../../server/llm/completion.ts'
import { anyLog, grow } from './random-log.ts'

/** What providers insist on. */
function assertRules(messages: readonly ModelMessage[]) {
  const ids = messages.flatMap(message => (message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : []))
  expect(new Set(ids).size).toBe(ids.length)
  expect(messages[0]?.role ?? 'user').toBe('user')
  let expected: string[] = []
  for (const message of messages) {
    if (message.role === 'tool') expect(message.toolCallId).toBe(expected.shift())
    else {
      expect(expected).toEqual([])
      expected = message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : []
    }
  }
  expect(expected).toEqual([])
}

describe('of any log', () => {
  it('every part from its beginning follows the rules of the providers', () => {
    fc.assert(
      fc.property(anyLog({ navigation: true, condensation: true }), fc.nat(60), (steps, end) => {
        const { events } = grow(steps)
        const part = events.slice(0, end)
        assertRules(toMessages(activeBranch(part)))
        assertRules(toMessages(part))
      }),
      { numRuns: 500 },
    )
  })

  it('no message of a person is lost and none is told twice', () => {
    fc.assert(
      fc.property(anyLog(), steps => {
        const { events } = grow(steps)
        const told = events.filter(event => event.kind === 'MessageEvent' && event.source !== 'agent')
        const seen = toMessages(events).filter(
          message => message.role === 'user' && !JSON.stringify(message).includes('begins here'),
        )
        expect(seen).toHaveLength(told.length)
      }),
    )
  })

  it('what was told once is told in the same words later, for the caches', () => {
    fc.assert(
      fc.property(anyLog(), steps => {
        const log = grow(steps)
        for (const call of openCalls(log.events)) log.fail(call)
        const before = toMessages(log.events)
        const longer = grow([{ kind: 'say' }, { kind: 'calls', count: 2, sameIds: true, thinking: true }], log)
        expect(toMessages(longer.events).slice(0, before.length)).toEqual(before)
      }),
    )
  })

  it('is the same for a branch that grows, however often it was looked at', () => {
    fc.assert(
      fc.property(anyLog({ condensation: true }), fc.infiniteStream(fc.boolean()), (steps, looks) => {
        const all = activeBranch(grow(steps).events)
        const events: Event[] = []
        const view = new IncrementalView(events)
        for (const event of all) {
          events.push(event)
          if (looks.next().value) expect(view.messages()).toEqual(toMessages(events))
          expect(view.openCalls()).toEqual(openCalls(events))
        }
        expect(view.messages()).toEqual(toMessages(events))
      }),
    )
  })

  it('calls are open until their first result, in order', () => {
    fc.assert(
      fc.property(anyLog({ navigation: true }), steps => {
        const { events } = grow(steps)
        const results = resultsByCall(events)
        const open = events.filter(event => event.kind === 'ActionEvent' && !results.has(event.id))
        expect(openCalls(events)).toEqual(open)
      }),
    )
  })

  it('nothing of what was forgotten is seen', () => {
    fc.assert(
      fc.property(anyLog({ condensation: true }), steps => {
        const { events } = grow(steps)
        const forgotten = events.flatMap(event => (event.kind === 'Condensation' ? event.forgotten_event_ids : []))
        const seen = new Set(viewOf(events).map(({ id }) => id))
        for (const id of forgotten) expect(seen).not.toContain(id)
      }),
    )
  })
})
