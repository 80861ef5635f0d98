import { expect, test } from 'vitest'
import { addedMark, type Mark, markAfterKey, markBetween } from '../../../../renderer/state/preview/marks.ts'

test('a mark is the rectangle between two places, whichever was first, inside of the picture', () => {
  const mark = { x: 0.25, y: 0.5, width: 0.5, height: 0.25 }
  expect(markBetween({ x: 0.25, y: 0.5 }, { x: 0.75, y: 0.75 })).toEqual(mark)
  expect(markBetween({ x: 0.75, y: 0.75 }, { x: 0.25, y: 0.5 })).toEqual(mark)
  expect(markBetween({ x: -1, y: 0.5 }, { x: 2, y: 3 })).toEqual({ x: 0, y: 0.5, width: 1, height: 0.5 })
})

test('a click is no mark, a line is', () => {
  expect(markBetween({ x: 0.5, y: 0.5 }, { x: 0.505, y: 0.5 })).toBeNull()
  expect(markBetween({ x: 0.1, y: 0.5 }, { x: 0.9, y: 0.5 })).not.toBeNull()
})

test('arrow keys move a mark and, with Shift, change its size, inside of the picture', () => {
  const pressed = (mark: Mark, key: string, times: number, shiftKey = false) =>
    Array.from({ length: times }).reduce<Mark>(before => markAfterKey(before, { key, shiftKey }) ?? before, mark)
  const mark = { x: 0.5, y: 0.5, width: 0.25, height: 0.25 }
  expect(pressed(mark, 'ArrowRight', 1)).toEqual({ ...mark, x: 0.52 })
  expect(pressed(mark, 'ArrowRight', 99)).toEqual({ ...mark, x: 0.75 })
  expect(pressed(mark, 'ArrowUp', 99)).toEqual({ ...mark, y: 0 })
  expect(pressed(mark, 'ArrowDown', 99, true)).toEqual({ ...mark, height: 0.5 })
  expect(pressed(mark, 'ArrowLeft', 99, true)).toEqual({ ...mark, width: 0.02 })
  expect(markAfterKey(mark, { key: 'x', shiftKey: false })).toBeNull()
})

test('marks that are added lie beside each other', () => {
  const first = addedMark([])
  expect(addedMark([first])).not.toEqual(first)
})
