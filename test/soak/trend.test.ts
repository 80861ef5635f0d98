import { expect, test } from 'vitest'
import { picture } from './picture.ts'
import { regression } from './regression.ts'
import { type Series, trendOf } from './series.ts'

const series = (value: (minute: number) => number): Series => ({
  name: 'Heap',
  unit: 'MB',
  points: Array.from({ length: 100 }, (_, minute) => [minute, value(minute)]),
})

test('the line of regression goes through points of a line', () => {
  expect(
    regression([
      [0, 1],
      [1, 3],
      [2, 5],
    ]),
  ).toEqual({ slope: 2, intercept: 1, fit: 1 })
  expect(regression([[1, 7]])).toEqual({ slope: 0, intercept: 7, fit: 0 })
})

test('growth is told from noise, and warming up is left out', () => {
  expect(trendOf(series(minute => 100 + minute)).verdict).toBe('grows')
  expect(trendOf(series(minute => 100 - minute / 2)).verdict).toBe('shrinks')
  expect(trendOf(series(minute => 100 + (minute % 7) * 5)).verdict).toBe('flat')
  expect(trendOf(series(minute => Math.min(100, minute * 10))).verdict).toBe('flat')
})

test('the picture is one SVG with a panel for each series, for light and dark pages', () => {
  const drawn = picture([trendOf(series(minute => minute)), trendOf(series(() => 0))])
  expect(drawn).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/)
  expect(drawn.match(/<polyline/g)).toHaveLength(2)
  expect(drawn).toContain('prefers-color-scheme: dark')
  expect(drawn).not.toContain('NaN')
})
