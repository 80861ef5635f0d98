import { describe, expect, test } from 'vitest'
import type { Event } from '../../server/api/event/events.ts'
import { effectProblems, logProblems, lossProblems } from './invariants.ts'

const LINE = /line-\d+/g

function call(seq: number, id: string, command: string): Event {
  const action = { kind: 'TerminalAction', command }
  return { seq, id: `event-${seq}`, kind: 'ActionEvent', tool_name: 'terminal', tool_call_id: id, action } as Event
}

function result(seq: number, id: string, exit_code = 0): Event {
  const observation = { kind: 'TerminalObservation', exit_code }
  return { seq, id: `event-${seq}`, kind: 'ObservationEvent', tool_call_id: id, observation } as Event
}

const WHOLE = [call(0, 'a', 'echo line-1'), result(1, 'a'), call(2, 'b', 'echo line-2'), result(3, 'b', 1)]

test('nothing is found in a log that is whole', () => {
  expect(logProblems(WHOLE)).toEqual([])
  expect(lossProblems(WHOLE, WHOLE)).toEqual([])
  expect(effectProblems(WHOLE, ['line-1'], LINE)).toEqual([])
  expect(effectProblems(WHOLE, ['line-1', 'line-2'], LINE)).toEqual([])
})

describe('noticed is', () => {
  test('a call without a result, and one with two', () => {
    expect(logProblems(WHOLE.slice(0, 3))).toEqual(['The call terminal at 2 has 0 results.'])
    expect(logProblems([...WHOLE, result(4, 'a')])).toEqual(['The call terminal at 0 has 2 results.'])
  })

  test('a gap in the log', () => {
    expect(logProblems([...WHOLE, call(5, 'c', ''), result(6, 'c')])).toEqual([
      'The log has a gap or a repetition at 5.',
    ])
  })

  test('a published event that is not stored', () => {
    expect(lossProblems(WHOLE.slice(0, 3), WHOLE)).toEqual([
      '1 published events are lost, the first is ObservationEvent at 3.',
    ])
  })

  test('a command that was carried out twice, without being asked for, or only in words', () => {
    expect(effectProblems(WHOLE, ['line-1', 'line-1'], LINE)).toEqual(['line-1 was carried out twice.'])
    expect(effectProblems(WHOLE, ['line-1', 'line-9'], LINE)).toEqual([
      'line-9 was carried out and does not stand in the log.',
    ])
    expect(effectProblems(WHOLE, [], LINE)).toEqual(['line-1 is said to have been carried out, and was not.'])
  })
})
