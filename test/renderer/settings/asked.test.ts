import { describe, expect, it } from 'vitest'
import { askedCommand } from '../../../renderer/state/notice/asked.ts'
import type { Event, EventOf } from '../../../server/api/event/events.ts'
import { newEvent } from '../../parts/value/agent-event.ts'

/** Call number `index`, and its result as the next one, as a log has them. */
const event = (index: number, action: object = {}): Event => {
  const made = newEvent(index)
  const stored = { ...made, id: `event_${index}`, seq: index, timestamp: '2026-01-01T00:00:00.000Z' } as Event
  return stored.kind === 'ActionEvent'
    ? ({ ...stored, action: { ...stored.action, ...action } } as EventOf<'ActionEvent'>)
    : stored
}

describe('a command can be accepted in a notification', () => {
  it('that alone waits, and is short and plain', () => {
    const asked = askedCommand([event(0), event(1), event(2)])
    expect(asked).toEqual({ call: 'event_2', body: expect.stringContaining('grep -rn "something 1" src') })
  })

  it.each([
    ['nothing waits', [event(0), event(1)]],
    ['two wait', [event(0), event(2)]],
    ['it is no command', [event(0, { kind: 'ThinkAction', thought: 'Hm' })]],
    ['it is input of a program', [event(0, { is_input: true })]],
    ['it is long', [event(0, { command: `echo ${'a'.repeat(200)}` })]],
    ['it has more lines', [event(0, { command: 'ls\nrm -rf /' })]],
    ['it hides its end', [event(0, { command: 'ls \u202Egpj.txt' })]],
    ['it has what is not seen', [event(0, { command: 'ls\u200B' })]],
  ] as const)('but not where %s', (_why, events) => expect(askedCommand(events)).toBeNull())
})
