import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WINDOW_BACKGROUND } from '../../electron/window/background.ts'
import { fitToDisplays, parseBounds, readBounds } from '../../electron/window/bounds.ts'

const laptop = { x: 0, y: 25, width: 1440, height: 875 }
const second = { x: 1440, y: 0, width: 1920, height: 1080 }

test('the window comes back to where it was', () => {
  const bounds = { x: 1500, y: 100, width: 1000, height: 700 }
  expect(fitToDisplays([laptop, second], bounds)).toEqual(bounds)
})

test('a place on a display that is gone keeps the size only', () => {
  expect(fitToDisplays([laptop], { x: 1500, y: 100, width: 1000, height: 700 })).toEqual({ width: 1000, height: 700 })
  expect(fitToDisplays([laptop], { x: 0, y: -400, width: 1000, height: 700 })).toEqual({ width: 1000, height: 700 })
})

test('nothing remembered, or something too small to use, is the default size', () => {
  expect(fitToDisplays([laptop], undefined)).toEqual({ width: 1280, height: 840 })
  expect(fitToDisplays([laptop], { x: 0, y: 0, width: 10, height: 10 })).toEqual({ width: 1280, height: 840 })
})

test('no window is larger than its display, however few pixels that has at its scale', () => {
  const scaled = { x: 0, y: 14, width: 823, height: 500 }
  expect(fitToDisplays([scaled], undefined)).toEqual({ width: 823, height: 500 })
  expect(fitToDisplays([scaled], { x: 20, y: 20, width: 1280, height: 840 })).toEqual({
    ...{ x: 20, y: 20 },
    ...{ width: 823, height: 500 },
  })
  expect(fitToDisplays([scaled, second], { x: 1500, y: 20, width: 1280, height: 840 })).toMatchObject({ width: 1280 })
  expect(fitToDisplays([{ ...scaled, width: 400, height: 300 }], undefined)).toEqual({ width: 640, height: 480 })
})

test('a file that makes no sense is as good as none', () => {
  const nothing = { bounds: undefined, maximized: false }
  for (const value of [null, 3, [], {}, { bounds: 'x' }, { bounds: { x: 1, y: 2, width: '3', height: 4 } }]) {
    expect(parseBounds(value)).toEqual(nothing)
  }
  expect(parseBounds({ bounds: { x: 1.5, y: 0, width: 900, height: 700 }, maximized: true })).toEqual({
    ...nothing,
    maximized: true,
  })
  expect(readBounds('/nonexistent/place.json')).toEqual(nothing)
})

test('the ground before the first paint is the ground of the theme, so that nothing flashes', () => {
  const theme = readFileSync(join(import.meta.dirname, '../../renderer/theme.css'), 'utf8')
  expect(theme).toContain(`--color-canvas: light-dark(${WINDOW_BACKGROUND.light}, ${WINDOW_BACKGROUND.dark});`)
})
