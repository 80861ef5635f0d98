import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Event, EventOf } from '../../server/api/events.ts'
import { openCalls, toMessages } from '../../server/event/view.ts'

let nextSeq = 0
const base = () => ({ id: `event-${nextSeq}`, seq: nextSeq++, timestamp: '2026-01-01T00:00:00.000Z' })

const said = (text: string): Event => ({
  kind: 'MessageEvent',
  ...base(),
  source: 'user',
  llm_message: { role: 'user', content: [{ type: 'text', text }] },
  activated_skills: [],
  extended_content: [],
})

const called = (id: string, answer: string): EventOf<'ActionEvent'> => ({
  kind: 'ActionEvent',
  ...base(),
  source: 'agent',
  thought: [{ type: 'text', text: `thinking of ${id}` }],
  thinking_blocks: [],
  action: { kind: 'ThinkAction', thought: id },
  tool_name: 'think',
  tool_call_id: id,
  tool_call: { id, name: 'think', arguments: '{}', origin: 'completion' },
  llm_response_id: answer,
  security_risk: 'UNKNOWN',
})

const answered = (call: EventOf<'ActionEvent'>, text: string): Event => ({
  kind: 'ObservationEvent',
  ...base(),
  source: 'environment',
  tool_name: 'think',
  tool_call_id: call.tool_call_id,
  action_id: call.id,
  observation: { kind: 'ThinkObservation', content: [{ type: 'text', text }], is_error: false },
})

const failed = (call: EventOf<'ActionEvent'>): Event => ({
  kind: 'AgentErrorEvent',
  ...base(),
  source: 'agent',
  tool_name: 'think',
  tool_call_id: call.tool_call_id,
  error: 'It failed.',
})

const shape = (events: Event[]) =>
  toMessages(events).map(message => {
    if (message.role === 'tool') return `tool ${message.toolCallId}: ${message.text}`
    if (message.role === 'assistant') return `assistant ${message.toolCalls.map(({ id }) => id).join('+')}`
    return `user ${message.content.map(part => (part.type === 'text' ? part.text : part.url)).join()}`
  })

describe('what the model sees', () => {
  it('is one message for the calls of one answer, each with its result in the order of the calls', () => {
    const [a, b] = [called('a', 'r1'), called('b', 'r1')]
    expect(shape([said('go'), a, b, answered(b, 'B'), answered(a, 'A')])).toEqual([
      'user go',
      'assistant a+b',
      'tool a: A',
      'tool b: B',
    ])
  })

  it('has what was said meanwhile after the results', () => {
    const [a, b] = [called('a', 'r1'), called('b', 'r1')]
    expect(shape([a, said('wait'), b, answered(a, 'A'), said('more'), failed(b), said('after')])).toEqual([
      'assistant a+b',
      'tool a: A',
      'tool b: It failed.',
      'user wait',
      'user more',
      'user after',
    ])
  })

  it('tells calls with the same id apart, as some servers repeat theirs', () => {
    const [first, second] = [called('call_0', 'r1'), called('call_0', 'r2')]
    expect(shape([first, answered(first, 'one'), second, failed(second)])).toEqual([
      'assistant call_0',
      'tool call_0: one',
      'assistant call_0',
      'tool call_0: It failed.',
    ])
  })

  it('has a result for every call, whatever happened', () => {
    const open = called('a', 'r1')
    expect(openCalls([open]).map(call => call.tool_call_id)).toEqual(['a'])
    expect(shape([open])).toEqual(['assistant a', 'tool a: The call was not carried out.'])
  })

  it('always follows an assistant message with exactly its results', () => {
    const step = fc.constantFrom('say', 'call', 'batch', 'answer', 'fail')
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), steps => {
        const events: Event[] = []
        const open: EventOf<'ActionEvent'>[] = []
        let answer = 0
        for (const [index, next] of steps.entries()) {
          if (next === 'say') events.push(said(`m${index}`))
          else if (next === 'answer' || next === 'fail') {
            const call = open.shift()
            if (call) events.push(next === 'answer' ? answered(call, 'ok') : failed(call))
          } else if (open.length === 0) {
            answer += 1
            const calls = [...Array(next === 'batch' ? 3 : 1).keys()].map(n => called(`c${index}-${n}`, `r${answer}`))
            events.push(...calls)
            open.push(...calls)
          }
        }
        const messages = toMessages(events)
        let expected: string[] = []
        for (const message of messages) {
          if (message.role === 'tool') expect(message.toolCallId).toBe(expected.shift())
          else {
            expect(expected).toEqual([])
            expected = message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : []
          }
        }
        expect(expected).toEqual([])
        expect(messages.filter(({ role }) => role === 'user')).toHaveLength(steps.filter(next => next === 'say').length)
      }),
    )
  })
})
