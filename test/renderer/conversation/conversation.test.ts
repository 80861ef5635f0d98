import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  advance,
  EMPTY_CONVERSATION,
  hasOlder,
  type Input,
  statusOf,
} from '../../../renderer/state/conversation/conversation.ts'
import type { Event } from '../../../server/api/event/events.ts'
import type { EventFrame, FullStateEvent } from '../../../server/api/event/frames.ts'
import { processorTime } from '../../parts/value/growth-of-time.ts'
import { EventLog, edited, terminal, terminalOutput, view } from './events.ts'

const at = '2026-01-05T10:00:00.000Z'

function delta(content: string): EventFrame {
  return { kind: 'StreamingDeltaEvent', id: 'delta', timestamp: at, source: 'agent', content }
}

function tail(tool_call_id: string, text: string): EventFrame {
  return { kind: 'OutputDeltaEvent', id: 'tail', timestamp: at, source: 'environment', tool_call_id, tail: text }
}

function fullState(value: Partial<FullStateEvent['value']>): EventFrame {
  return {
    kind: 'ConversationStateUpdateEvent',
    id: 'full',
    timestamp: at,
    source: 'environment',
    key: 'full_state',
    value: {
      id: 'c',
      title: null,
      execution_status: 'idle',
      stats: { usage_to_metrics: {}, steps: 0, cost_unknown: false, last_step: null },
      max_iterations: 500,
      max_budget_per_task: null,
      last_seq: -1,
      ...value,
    },
  }
}

const page = (items: readonly Event[], nextPage: string | null = null): Input => ({ kind: 'page', items, nextPage })
const frames = (...list: EventFrame[]): Input[] => list.map(frame => ({ kind: 'frame', frame }))
const after = (...inputs: Input[]) => advance(EMPTY_CONVERSATION, inputs)

/** A log with every kind of step, some of them open at the end. */
const anyLog = fc
  .array(
    fc.constantFrom(
      'user',
      'agent',
      'run',
      'fail',
      'read',
      'edit',
      'error',
      'open',
      'pause',
      'state',
      'fallback',
      'batch',
    ),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map(steps => {
    const eventLog = new EventLog()
    for (const step of steps) addStep(eventLog, step)
    return eventLog.events
  })

function addStep(eventLog: EventLog, step: string): void {
  if (step === 'fallback') eventLog.state('llm_fallback', { from: 'a/b', to: 'c/d', reason: 'Down.' })
  else if (step === 'user') eventLog.user('Do it.')
  else if (step === 'agent') eventLog.agent('Done.')
  else if (step === 'run') eventLog.run('npm test', 'ok')
  else if (step === 'fail') eventLog.run('npm test', 'no', 1)
  else if (step === 'read') eventLog.read('/workspace/a.ts')
  else if (step === 'edit') eventLog.answer(eventLog.call(view('/workspace/a.ts')), edited('/workspace/a.ts', {}))
  else if (step === 'error') eventLog.fail(eventLog.call(terminal('x')), 'It failed.')
  else if (step === 'open') eventLog.call(terminal('sleep 100'))
  else if (step === 'pause') eventLog.pause()
  else if (step === 'batch') addBatch(eventLog)
  else eventLog.state('execution_status', 'running')
}

/** Several calls of one answer, with what the model thought; the first fails and one is a thought of its own. */
function addBatch(eventLog: EventLog): void {
  const [first, thought, last] = [
    eventLog.call(terminal('x'), { reasoning_content: 'Hm.', thought: [{ type: 'text', text: 'Look.' }] }),
    eventLog.call({ kind: 'ThinkAction', thought: 'So.' }),
    eventLog.call(view('/workspace/b.ts')),
  ]
  eventLog.fail(first, 'It failed.')
  eventLog.fail(thought, 'It failed, too.')
  eventLog.answer(last, edited('/workspace/b.ts', { command: 'view' }))
}

/** The log as live frames from some point on, with deltas between them, and as pages that cover all of it. */
const anyDelivery = fc
  .tuple(anyLog, fc.nat(), fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 6 }), fc.infiniteStream(fc.nat()))
  .map(([events, start, spans, random]) => {
    const from = start % events.length
    const live: Input[] = [{ kind: 'resumed', afterSeq: from - 1 }]
    for (const event of events.slice(from)) live.push(...frames(delta('word '), event))
    const some = spans.map(([a, b]) => page(events.slice(a % events.length, (b % events.length) + 1), 'older'))
    const pages = [...some, page(events.slice(0, from)), page(events)]
    return { events, inputs: interleave(live, pages, random), live, pages }
  })

function interleave(live: Input[], pages: Input[], random: Iterator<number>): Input[] {
  const left = [...live]
  const mixed = [...pages]
  let position = 0
  while (left.length > 0) {
    position += Number(random.next().value) % (mixed.length - position + 1)
    mixed.splice(position, 0, ...left.splice(0, 1))
    position += 1
  }
  return mixed
}

test('every interleaving of pages and live frames gives the same view, without a duplicate', () => {
  fc.assert(
    fc.property(anyDelivery, fc.boolean(), ({ events, inputs, live, pages }, batched) => {
      const reached = batched
        ? advance(EMPTY_CONVERSATION, inputs)
        : inputs.reduce((state, input) => advance(state, [input]), EMPTY_CONVERSATION)
      const straight = after(...live, ...pages)
      expect(reached.events.map(event => event.seq)).toEqual(events.map(event => event.seq))
      expect({ ...reached, olderPage: null }).toEqual({ ...straight, olderPage: null })
      expect(new Set(reached.items.map(item => item.key)).size).toBe(reached.items.length)
      expect(hasOlder(reached)).toBe(false)
    }),
  )
})

test('every answered call is one item, also when its answer came first', () => {
  fc.assert(
    fc.property(anyLog, events => {
      const reversed = [...events].reverse().flatMap(event => frames(event))
      const { items } = after(...reversed)
      expect(items).toEqual(after(page(events)).items)
      const calls = items.flatMap(item =>
        item.kind === 'action' ? [item] : item.kind === 'reads' ? [...item.actions] : [],
      )
      expect(calls.length).toBe(events.filter(event => event.kind === 'ActionEvent').length)
    }),
  )
})

test('consecutive reads fold into one item and a failed read stays outside', () => {
  const eventLog = new EventLog()
  eventLog.read('/a')
  eventLog.read('/b')
  eventLog.fail(eventLog.call(view('/missing')), 'No such file.')
  eventLog.read('/c')
  const { items } = after(page(eventLog.events))
  expect(items.map(item => item.kind)).toEqual(['reads', 'action', 'action'])
})

test('a command that exits with an error is told apart from one that succeeds and one that goes on', () => {
  const eventLog = new EventLog()
  eventLog.run('true', '', 0)
  eventLog.run('false', '', 1)
  eventLog.answer(eventLog.call(terminal('sleep 99')), terminalOutput('sleep 99', '', -1))
  const states = after(page(eventLog.events)).items.map(item => item.kind === 'action' && item.outcome.state)
  expect(states).toEqual(['ok', 'error', 'ok'])
})

test('of several open calls the first runs and the others wait', () => {
  const eventLog = new EventLog()
  eventLog.call(terminal('one'))
  eventLog.call(terminal('two'))
  const states = after(page(eventLog.events)).items.map(item => item.kind === 'action' && item.outcome.state)
  expect(states).toEqual(['running', 'queued'])
})

test('streamed text grows until the stored event replaces it', () => {
  const eventLog = new EventLog()
  eventLog.user('Hello')
  const streaming = after(page(eventLog.events), { kind: 'resumed', afterSeq: 0 }, ...frames(delta('Hel'), delta('lo')))
  expect(streaming.stream).toMatchObject({ text: 'Hello', cut: false })
  expect(advance(streaming, frames(eventLog.agent('Hello'))).stream).toBeNull()
})

test("a user's message in the middle of an answer does not end the stream", () => {
  const eventLog = new EventLog()
  const state = after(
    { kind: 'resumed', afterSeq: -1 },
    ...frames(delta('Work'), eventLog.user('Also this'), delta('ing')),
  )
  expect(state.stream?.text).toBe('Working')
})

test('what has come of an answer is void when it is asked for again', () => {
  const eventLog = new EventLog()
  eventLog.user('Hello')
  const broken = after(page(eventLog.events), { kind: 'resumed', afterSeq: 0 }, ...frames(delta('Hel')))
  const nothing = { kind: 'AnswerSoFarEvent', id: 'x', timestamp: at, source: 'agent' } as const
  const asked = advance(broken, frames({ ...nothing, content: '', reasoning_content: '' }))
  expect(asked.stream).toMatchObject({ text: '', reasoning: '' })
  expect(advance(asked, frames(delta('Hello'))).stream?.text).toBe('Hello')
})

test('who joins in the middle of an answer has all of it, once', () => {
  const so_far = { content: 'Work', reasoning_content: 'Hm.' }
  const soFar = { kind: 'AnswerSoFarEvent', id: 'x', timestamp: at, source: 'agent', ...so_far } as const
  const joined = after({ kind: 'resumed', afterSeq: -1 }, ...frames(soFar, delta('ing')))
  expect(joined.stream).toEqual({ afterSeq: -1, text: 'Working', reasoning: 'Hm.', cut: false })
  const again = advance(joined, [{ kind: 'resumed', afterSeq: -1 }, ...frames(soFar, delta('ing'))])
  expect(again.stream).toEqual(joined.stream)
})

test('a stream that was open across a reconnect says that its middle is missing', () => {
  const state = after({ kind: 'resumed', afterSeq: -1 }, ...frames(delta('Work')), { kind: 'resumed', afterSeq: -1 })
  expect(state.stream?.cut).toBe(true)
})

test('output of a running command is shown until its answer comes', () => {
  const eventLog = new EventLog()
  const call = eventLog.call(terminal('npm test'))
  const running = after(...frames(call, tail(call.tool_call_id, '1 passed')))
  expect(running.tails).toEqual({ [call.tool_call_id]: '1 passed' })
  expect(advance(running, frames(eventLog.answer(call, terminalOutput('npm test', '2 passed', 0)))).tails).toEqual({})
})

test('the newest of full state and stored updates decides the status', () => {
  const eventLog = new EventLog()
  const [running, finished] = [
    eventLog.state('execution_status', 'running'),
    eventLog.state('execution_status', 'finished'),
  ]
  const full = fullState({ execution_status: 'paused', last_seq: 0 })
  expect(statusOf(after(...frames(running)))).toBe('running')
  expect(statusOf(after(...frames(full, running)))).toBe('paused')
  expect(statusOf(after(...frames(full, running, finished)))).toBe('finished')
})

test('the cursor of the oldest page is kept when a newer page comes late', () => {
  const eventLog = new EventLog()
  for (let index = 0; index < 6; index += 1) eventLog.user(`${index}`)
  const state = after(page(eventLog.events.slice(2, 4), 'from-2'), page(eventLog.events.slice(4, 6), 'from-4'))
  expect(state.olderPage).toBe('from-2')
  expect(hasOlder(state)).toBe(true)
})

test('an older page leaves what is shown as the same objects, so that no row of it is rendered again', () => {
  const eventLog = new EventLog()
  for (let index = 0; index < 3; index += 1) {
    eventLog.user(`${index}`)
    eventLog.run('npm test', 'ok')
    eventLog.agent('Done.')
  }
  const events = eventLog.events
  const shown = after(page(events.slice(-6), 'older'))
  const { items } = advance(shown, [page(events)])
  expect(items.length).toBeGreaterThan(shown.items.length)
  for (const [index, item] of shown.items.entries()) expect(items[items.length - shown.items.length + index]).toBe(item)
})

test('events that are not loaded between two that are show as a gap', () => {
  const eventLog = new EventLog()
  for (let index = 0; index < 5; index += 1) eventLog.user(`${index}`)
  const { items } = after(page(eventLog.events.slice(0, 1)), page(eventLog.events.slice(4)))
  expect(items.map(item => (item.kind === 'gap' ? item.count : item.kind))).toEqual(['message', 3, 'message'])
})

test('an event at the end of ten thousand costs a small part of a frame', () => {
  const eventLog = new EventLog()
  while (eventLog.events.length < 10_000) eventLog.run('npm test', 'ok')
  let state = after(page(eventLog.events))
  // The quickest of many: what others do on the machine is not what the event costs.
  let quickest = Number.POSITIVE_INFINITY
  for (let round = 0; round < 50; round += 1) {
    const event = frames(eventLog.agent('x'))
    const took = processorTime(() => {
      state = advance(state, event)
    })
    quickest = Math.min(quickest, took)
  }
  expect(quickest).toBeLessThan(8)
  expect(state.items).toEqual(after(page(eventLog.events)).items)
})
