import { expect, test } from 'vitest'
import { type Order, sortedAttempts } from '../../../renderer/pages/conversation/panel/attempts/sorting.ts'
import { isConflict, takenAtFirst } from '../../../renderer/pages/conversation/panel/comparison/takeable.ts'
import { attemptLabel } from '../../../renderer/pages/conversation/panel/comparison/use-sides.ts'
import type { Attempt } from '../../../server/api/v1/conversation/attempts.ts'
import type { ComparedFile, SideChange } from '../../../server/api/v1/conversation/comparisons.ts'
import { comparedFiles } from '../../../server/conversation/review/comparisons.ts'

const CHANGE: SideChange = { status: 'UPDATED', additions: 1, deletions: 1 }

function file(path: string, given: Partial<ComparedFile> = {}): ComparedFile {
  const modes = { here_mode: null, there_mode: null }
  return { path, state: 'differs', other_path: null, here: null, there: null, ...modes, version: '..-.-', ...given }
}

const FILES = [
  file('theirs', { there: CHANGE }),
  file('mine', { here: CHANGE }),
  file('both', { here: CHANGE, there: CHANGE }),
  file('same', { state: 'same', here: CHANGE, there: CHANGE }),
  file('moved', { state: 'moved', other_path: 'there', there: CHANGE }),
]

test('what only the other one has changed is taken at first: conflicts and own work stay', () => {
  expect(takenAtFirst(FILES, true)).toEqual(['theirs', 'moved'])
  expect(FILES.filter(isConflict).map(({ path }) => path)).toEqual(['both'])
})

test('where nobody knows who changed a file, all that differs is', () => {
  expect(takenAtFirst(FILES, false)).toEqual(['theirs', 'mine', 'both', 'moved'])
})

test('attempts with the same number are told apart by their models, and by when they were begun', () => {
  const first = { number: 1, profile: null, llm_model: null }
  expect(attemptLabel(first, null)).toBe('Attempt 1')
  expect(attemptLabel({ ...first, profile: 'spare', llm_model: 'openai/x' }, null)).toBe('Attempt 1, spare · openai/x')
  const labels = ['2026-01-15T09:30:00.000Z', '2026-01-15T09:30:01.000Z'].map(begun => attemptLabel(first, begun))
  expect(new Set(labels).size).toBe(2)
})

test('a file that lies elsewhere is shown once, and an empty one is no move', () => {
  const at = (object: string) => ({ mode: '100644', object: object.repeat(40) })
  const empty = { mode: '100644', object: 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391' }
  const files = comparedFiles(
    [
      { path: 'a', here: at('1'), there: null },
      { path: 'b', here: null, there: at('1') },
      { path: 'c', here: null, there: at('1') },
      { path: 'empty', here: empty, there: null },
      { path: 'hollow', here: null, there: empty },
    ],
    { mine: new Map(), theirs: new Map() },
  )
  expect(files.map(({ path, state, other_path }) => [path, state, other_path])).toEqual([
    ['a', 'moved', 'b'],
    ['c', 'only_there', null],
    ['empty', 'only_here', null],
    ['hollow', 'only_there', null],
  ])
})

test.each<[Order, number[]]>([
  ['number', [1, 2, 3, 4]],
  ['check', [2, 3, 1, 4]],
  ['changes', [3, 1, 2, 4]],
  ['cost', [2, 1, 3, 4]],
  ['time', [3, 2, 1, 4]],
])('attempts in the order of %s begin with the best, and what is not known comes last', (order, numbers) => {
  const attempt = (
    number: number,
    exit_code: number | null,
    lines: number | null,
    cost: number | null,
    seconds: number | null,
  ) =>
    ({
      number,
      check: exit_code === null ? null : { exit_code, output: '' },
      changes: lines === null ? null : { files: 1, additions: lines, deletions: 1 },
      cost,
      seconds,
    }) as Attempt
  const attempts = [
    attempt(1, 1, 5, 0.2, 30),
    attempt(2, 0, 9, 0.1, 20),
    attempt(3, 0, 2, 0.3, 10),
    attempt(4, null, null, null, null),
  ]
  expect(sortedAttempts(attempts.toReversed(), order).map(({ number }) => number)).toEqual(numbers)
})
