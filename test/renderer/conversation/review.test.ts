import { expect, test } from 'vitest'
import { linesOf, placeComments } from '../../../renderer/pages/conversation/panel/review/placed-comments.ts'
import { rangeOf, rowsOf, stretchesOf, unified } from '../../../renderer/pages/conversation/panel/review/rows.ts'
import { diffHunks } from '../../../renderer/pages/conversation/timeline/action/diff-lines.ts'
import { commentOn, findLine, withComment } from '../../../renderer/state/conversation/review-comments.ts'
import { reviewComment } from '../../../server/api/event/review-comments.ts'

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

const PRICES = ['[', 'price = 1', ',', 'total = 2', ',', 'rest = 3', ']']
const on = (line: number) => commentOn({ path: 'a.ts', side: 'after', line }, PRICES, 'Why?')

test('a comment has its line and the neighbours of it, cut where they are long', () => {
  expect(on(1)).toMatchObject({ quoted: '[', above: null, below: 'price = 1' })
  expect(on(7)).toMatchObject({ quoted: ']', above: 'rest = 3', below: null })
  const long = commentOn({ path: 'a.ts', side: 'after', line: 1 }, ['x'.repeat(9_999)], 'Why?')
  expect(reviewComment.safeParse(long).success).toBe(true)
  expect(findLine(long, ['y', 'x'.repeat(9_999)])).toEqual({ line: 2, isChanged: false })
})

test.each([
  ['where it was', 4, PRICES, { line: 4, isChanged: false }],
  ['further down', 4, ['new', ...PRICES], { line: 5, isChanged: false }],
  ['by its neighbours among lines that are alike', 5, ['new', ...PRICES], { line: 6, isChanged: false }],
  ['as another line between its neighbours', 4, PRICES.with(3, 'total = 20'), { line: 4, isChanged: true }],
  ['between them, further down', 2, ['x', 'y', ...PRICES.with(1, 'price = 10')], { line: 4, isChanged: true }],
  ['beside the neighbour that is left', 5, ['new', 'total = 2', ';', 'other'], { line: 3, isChanged: true }],
  ['alone, when all around it is new', 4, ['x', 'total = 2', 'y'], { line: 2, isChanged: false }],
  ['nowhere, when only a bracket is alike', 7, ['a', 'b', ']', 'c'], null],
  ['nowhere in an empty file', 4, [], null],
])('the line of a comment is found %s', (_name, line, lines, found) => {
  expect(findLine(on(line), lines)).toEqual(found)
})

test('comments stand at the rows that are shown, and the others apart', () => {
  const lines = { before: linesOf(BEFORE), after: linesOf(AFTER) }
  const sent = (number: number, side: 'before' | 'after', line: number) => {
    const comment = commentOn({ path: 'a.ts', side, line }, lines[side], 'Why?')
    return { ...comment, number, sent_at: '2026-01-01T00:00:00Z', answer: null }
  }
  const gone = { ...sent(4, 'after', 2), quoted: 'gone for good', above: null, below: null }
  const comments = [sent(1, 'after', 3), sent(2, 'before', 2), sent(3, 'before', 4), gone]
  const placed = placeComments(comments, lines, diffHunks(BEFORE, AFTER))
  const at = (side: 'before' | 'after', line: number) => placed.at({ side, line }).map(({ comment }) => comment.number)
  expect([at('after', 3), at('before', 2), at('after', 5)]).toEqual([[1], [2], [3]])
  expect(placed.elsewhere.map(({ comment, found }) => [comment.number, found])).toEqual([[4, null]])
  expect(placeComments(comments, lines, []).elsewhere).toHaveLength(4)
})
