import { expect, test } from 'vitest'
import type { Event } from '../../../server/api/event/events.ts'
import { documentsIn, documentsOf } from '../../../server/store/search/documents.ts'
import { newEvent } from '../../parts/value/agent-event.ts'

function logged(event: object): Event {
  // The log is what gives an event its missing fields.
  return { ...event, id: 'event', seq: 0, timestamp: '2026-01-01T00:00:00.000Z' } as Event
}

test('a command is what the agent said, and the command', () => {
  expect(documentsOf(logged(newEvent(0))).filter(({ text }) => text !== '')).toEqual([
    { kind: 'message', text: 'The failing test names this function, so I look at who calls it.' },
    { kind: 'command', text: 'grep -rn "something 0" src' },
  ])
})

test('an edit is found by its path and by both texts', () => {
  const action = {
    kind: 'FileEditorAction',
    command: 'str_replace',
    path: '/w/a.ts',
    old_str: 'before',
    new_str: 'after',
  }
  const [change] = documentsOf(logged({ ...newEvent(0), thought: [], action })).filter(({ text }) => text !== '')
  expect(change).toEqual({ kind: 'change', text: '/w/a.ts\nafter\nbefore' })
})

test('of a long output the beginning and the end are found', () => {
  const event = newEvent(1)
  const content = [{ type: 'text', text: `first ${'x '.repeat(50_000)}last` }]
  const observation = event.kind === 'ObservationEvent' ? { ...event.observation, content } : {}
  const [output] = documentsOf(logged({ ...event, observation }))
  expect(output?.text).toMatch(/^first /)
  expect(output?.text).toMatch(/last$/)
  expect(output?.text.length).toBeLessThanOrEqual(4096)
})

test.each(['', '{', 'null', '[]', '{"kind":"MessageEvent"}'])('what is no event has nothing to be found: %s', body =>
  expect(documentsIn(body)).toEqual([]),
)
