import { expect, test } from 'vitest'
import { itemsOf } from '../../../renderer/state/conversation/items.ts'
import { locate } from '../../../renderer/state/conversation/locate.ts'
import { EventLog, terminal, terminalOutput, view } from './events.ts'

test('a call, its result and what was said with it are found where they are shown', () => {
  const eventLog = new EventLog()
  const first = eventLog.user('Look')
  const call = eventLog.call(terminal('ls'), { thought: [{ type: 'text', text: 'I look.' }], reasoning_content: 'Hm.' })
  const answer = eventLog.answer(call, terminalOutput('ls', 'a.ts', 0))
  const items = itemsOf(eventLog.events)
  const kindAt = (place: ReturnType<typeof locate>) => place && [items[place.index]?.kind, place.unfold.length]
  expect(kindAt(locate(items, first.seq, 'message'))).toEqual(['message', 0])
  expect(kindAt(locate(items, call.seq, 'thought'))).toEqual(['thought', 1])
  expect(kindAt(locate(items, call.seq, 'message'))).toEqual(['message', 0])
  expect(kindAt(locate(items, call.seq, 'command'))).toEqual(['action', 1])
  expect(kindAt(locate(items, answer.seq, 'output'))).toEqual(['action', 1])
  expect(locate(items, 99, 'output')).toBeNull()
})

test('of reads that are folded together, the line and the one inside are unfolded', () => {
  const eventLog = new EventLog()
  eventLog.answer(eventLog.call(view('/a.ts')), terminalOutput('', 'a', 0))
  const call = eventLog.call(view('/b.ts'))
  const answer = eventLog.answer(call, terminalOutput('', 'b', 0))
  const items = itemsOf(eventLog.events)
  expect(items).toHaveLength(1)
  expect(locate(items, answer.seq, 'output')).toEqual({ index: 0, unfold: [`${items[0]?.key}-reads`, call.id] })
})
