import { expect, test } from 'vitest'
import { isUnread, parseMarks, seenAt } from '../../../renderer/state/conversation/list-marks.ts'

const NOW = '2026-11-21T10:00:00.000Z'
const LATER = '2026-11-21T11:00:00.000Z'
const none = parseMarks(null, NOW)

test('what came to rest since it was looked at is unread', () => {
  const conversation = { id: 'a', updated_at: LATER, execution_status: 'finished' as const }
  expect(isUnread(conversation, none)).toBe(true)
  expect(isUnread({ ...conversation, execution_status: 'running' }, none)).toBe(false)
  expect(isUnread(conversation, seenAt(none, 'a', LATER))).toBe(false)
  expect(isUnread(conversation, seenAt(none, 'b', LATER))).toBe(true)
  expect(isUnread({ ...conversation, updated_at: '2026-11-20T10:00:00.000Z' }, none)).toBe(false)
  expect(isUnread(conversation, seenAt(seenAt(none, 'a', LATER), 'a', ''))).toBe(true)
})

test('what was seen is bounded in number', () => {
  let many = none
  for (let index = 0; index < 2_100; index++) many = seenAt(many, String(index), NOW)
  expect(Object.keys(many.seen)).toHaveLength(2_000)
  expect(many.seen['2099']).toBe(NOW)
})

test('what is stored is read back, and nothing else breaks the list', () => {
  const marks = seenAt(none, 'c', LATER)
  expect(parseMarks(JSON.stringify(marks), LATER)).toEqual(marks)
  for (const text of ['', 'x', '[]', 'null', '1', '{"seen":[2],"since":"x"}']) {
    expect(parseMarks(text, NOW)).toMatchObject({ since: NOW })
  }
})
