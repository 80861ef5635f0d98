import { beforeEach, expect, test } from 'vitest'
import { RowKeys } from '../../../renderer/pages/conversation/timeline/row-keys.ts'
import { itemsOf } from '../../../renderer/state/conversation/items.ts'
import { EventLog, terminal } from './events.ts'

let log: EventLog
let keys: RowKeys

beforeEach(() => {
  log = new EventLog()
  keys = new RowKeys()
})

/** As the timeline does with each change of the log. @returns the keys of its rows, without that of the live one */
function update(): string[] {
  const items = itemsOf(log.events)
  keys.update(items)
  return items.map(item => keys.of(item))
}

test('an answer keeps the row in which it came, and the next one comes in another', () => {
  const asked = log.user('Tell me.')
  const first = keys.live()
  keys.shown(asked.seq)
  log.agent('All of it.')
  expect(update()).toEqual([asked.id, first])
  const second = keys.live()
  expect(second).not.toBe(first)

  const again = log.user('And more.')
  expect(update()).toEqual([asked.id, first, again.id])
  keys.shown(again.seq)
  log.agent('More.')
  expect(update()).toEqual([asked.id, first, again.id, second])
  expect(update()).toEqual([asked.id, first, again.id, second])
})

test('an answer that was not shown as it came has a row of its own, and leaves the live one as it is', () => {
  const live = keys.live()
  const earlier = log.agent('Earlier.')
  expect(update()).toEqual([earlier.id])
  keys.shown(earlier.seq)
  keys.shown(null)
  const later = log.agent('Later.')
  expect(update()).toEqual([earlier.id, later.id])
  expect(keys.live()).toBe(live)
})

test('the row goes to the answer that was shown: not to an older one, and not to what others said meanwhile', () => {
  const older = log.agent('Older.')
  const live = keys.live()
  keys.shown(older.seq)
  expect(update()).toEqual([older.id])
  const meanwhile = log.user('Wait.')
  expect(update()).toEqual([older.id, meanwhile.id])
  expect(keys.live()).toBe(live)
  log.agent('The answer.')
  expect(update()).toEqual([older.id, meanwhile.id, live])
})

test('what was said before a call takes the row, the call does not', () => {
  const asked = log.user('Look.')
  const live = keys.live()
  keys.shown(asked.seq)
  const call = log.call(terminal('ls'), { thought: [{ type: 'text', text: 'I look.' }] })
  expect(update()).toEqual([asked.id, live, call.id])
})
