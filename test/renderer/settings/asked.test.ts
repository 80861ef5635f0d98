import { describe, expect, it } from 'vitest'
import { askedCommand } from '../../../renderer/state/notice/asked.ts'
import { HIDDEN } from '../../../server/api/contract/hidden-values.ts'
import type { Event, EventOf } from '../../../server/api/event/events.ts'
import { newEvent } from '../../parts/value/agent-event.ts'

/** Call number `index`, and its result as the next one, as a log has them. */
const event = (index: number, action: object = {}): Event => {
  const made = newEvent(index)
  const stored = { ...made, id: `event_${index}`, seq: index, timestamp: '2026-01-01T00:00:00.000Z' } as Event
  return stored.kind === 'ActionEvent'
    ? ({ ...stored, action: { ...stored.action, ...action } } as EventOf<'ActionEvent'>)
    : ({ ...stored, action_id: `event_${index - 1}` } as Event)
}

it('a provider that gives ids again answers nothing with an old result', () => {
  const again = { ...event(2), tool_call_id: 'call_0' } as Event
  expect(askedCommand([event(0), event(1), again, event(4)])).toBeNull()
  expect(askedCommand([event(0), event(1), again])).toMatchObject({ call: 'event_2' })
})

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
    ['it begins with a new shell', [event(0, { reset: true })]],
    ['it has a secret in it', [event(0, { command: `echo ${HIDDEN}` })]],
    ['spaces push its end out of sight', [event(0, { command: `ls${' '.repeat(40)}; rm -rf /` })]],
    ['it is not in plain letters', [event(0, { command: 'ls \u3164' })]],
    ['it is rated as risky', [{ ...event(0), security_risk: 'HIGH' } as Event]],
    ['it is long', [event(0, { command: `echo ${'a'.repeat(200)}` })]],
    ['it has more lines', [event(0, { command: 'ls\nrm -rf /' })]],
    ['it hides its end', [event(0, { command: 'ls \u202Egpj.txt' })]],
    ['it has what is not seen', [event(0, { command: 'ls\u200B' })]],
  ] as const)('but not where %s', (_why, events) => expect(askedCommand(events)).toBeNull())
})
