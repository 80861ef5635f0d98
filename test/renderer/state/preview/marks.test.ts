import { expect, test } from 'vitest'
import { markBetween } from '../../../../renderer/state/preview/marks.ts'

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
