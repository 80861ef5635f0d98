import { expect, test } from 'vitest'
import { rangeOf, rowsOf, stretchesOf, unified } from '../../../renderer/pages/conversation/panel/review/rows.ts'
import { diffHunks } from '../../../renderer/pages/conversation/timeline/action/diff-lines.ts'
import { reviewMessage, withComment } from '../../../renderer/state/conversation/review-comments.ts'

const BEFORE = 'a\nb\nc\nd\n'
const AFTER = 'a\nB\nX\nc\nd\n'
const hunk = () => {
  const [only] = diffHunks(BEFORE, AFTER)
  if (!only) throw new Error('There is no hunk.')
  return only
}

test('removed lines stand beside the added ones', () => {
  const rows = rowsOf(hunk().lines).map(({ left, right }) => [left?.text ?? null, right?.text ?? null])
  expect(rows).toEqual([
    ['a', 'a'],
    ['b', 'B'],
    [null, 'X'],
    ['c', 'c'],
    ['d', 'd'],
  ])
})

test('one under the other they are in the order of the hunk', () => {
  expect(unified(rowsOf(hunk().lines)).map(({ line }) => line)).toEqual(hunk().lines)
})

test('words that differ are marked, and none where nothing is alike', () => {
  const [line] = rowsOf(diffHunks('let price = 1\n', 'let price = 2\n')[0]?.lines ?? [])
  if (!line) throw new Error('There is no line.')
  expect(stretchesOf(line, 'left')?.filter(({ changed }) => changed)).toEqual([{ text: '1', changed: true }])
  expect(
    stretchesOf(line, 'right')
      ?.map(({ text }) => text)
      .join(''),
  ).toBe('let price = 2')
  const [other] = rowsOf(diffHunks('one\n', 'two\n')[0]?.lines ?? [])
  if (!other) throw new Error('There is no line.')
  expect(stretchesOf(other, 'left')).toBeNull()
})

test('the lines of a hunk are those that a revert exchanges', () => {
  expect(rangeOf(hunk())).toEqual({ original_start: 1, original_lines: 4, modified_start: 1, modified_lines: 5 })
})

test('comments are kept in the order of their lines; an empty one is removed', () => {
  const at = { path: 'a.ts', side: 'after' as const, quoted: 'x' }
  const two = withComment(withComment([], { ...at, line: 9, text: 'late' }), { ...at, line: 2, text: ' early ' })
  expect(two.map(({ text }) => text)).toEqual(['early', 'late'])
  expect(withComment(two, { ...at, line: 2, text: ' ' })).toHaveLength(1)
})

test('the message has path, line, the quoted line and the comment, whatever the line holds', () => {
  const message = reviewMessage([{ path: 'a`b.ts', side: 'before', line: 3, quoted: '  ``x`` ', text: 'Why?' }])
  expect(message).toContain('`` a`b.ts ``, line 3 (before your change):\n> ``` ``x`` ```\n\nWhy?')
})
