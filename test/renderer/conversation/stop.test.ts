import { expect, test } from 'vitest'
import { outcomeWords } from '../../../renderer/pages/conversation/timeline/action/outcome-words.ts'
import { isError } from '../../../renderer/pages/conversation/timeline/jumps.ts'
import type { Item } from '../../../renderer/state/conversation/item.ts'
import { extendItems, itemsOf } from '../../../renderer/state/conversation/items.ts'
import type { Event } from '../../../server/api/event/events.ts'
import { EventLog, terminal } from './events.ts'

const outcomes = (items: readonly Item[]) => items.flatMap(item => (item.kind === 'action' ? [item.outcome.state] : []))

/** As the window takes a log in: one event after the other. */
const oneByOne = (events: readonly Event[]) =>
  events.reduce<readonly Item[]>((items, _event, index) => extendItems(items, events.slice(0, index + 1)), [])

test('calls that a stop ends are stopped, not failed', () => {
  const eventLog = new EventLog()
  const [first, second] = [eventLog.call(terminal('npm test')), eventLog.call(terminal('npm start'))]
  eventLog.stop(first, second)
  const items = itemsOf(eventLog.events)
  expect(outcomes(items)).toEqual(['stopped', 'stopped'])
  expect(items.filter(isError)).toEqual([])
  const [item] = items
  if (item?.kind !== 'action') throw new Error('The call is an item.')
  expect(outcomeWords(item.outcome)).toEqual(['stopped', '4.0 s'])
})

test('a stop is taken in also when it comes after the errors of its calls, and a message', () => {
  const eventLog = new EventLog()
  const call = eventLog.call(terminal('npm test'))
  eventLog.user('one')
  eventLog.user('two')
  eventLog.stop(call)
  eventLog.user('Go on.')
  const items = oneByOne(eventLog.events)
  expect(outcomes(items)).toEqual(['stopped'])
  expect(items).toEqual(itemsOf(eventLog.events))
})

test('a tool that failed before the stop has failed', () => {
  const eventLog = new EventLog()
  const [first, second] = [eventLog.call(terminal('npm test')), eventLog.call(terminal('npm start'))]
  eventLog.fail(first, 'Error executing tool.')
  eventLog.user('Never mind.')
  eventLog.stop(second)
  expect(outcomes(oneByOne(eventLog.events))).toEqual(['failed', 'stopped'])

  const early = new EventLog()
  const failed = early.fail(early.call(terminal('npm test')), 'Error executing tool.')
  early.stop()
  failed.timestamp = new Date(Date.parse(failed.timestamp) - 1000).toISOString()
  expect(outcomes(itemsOf(early.events))).toEqual(['failed'])
})
