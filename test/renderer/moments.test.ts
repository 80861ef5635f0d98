import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inMoments } from '../../renderer/api/moments.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('what comes within a moment is done in one task, in its order', () => {
  const schedule = inMoments()
  const done: string[] = []
  const timers = vi.spyOn(globalThis, 'setTimeout')
  for (const name of ['a', 'b', 'c']) schedule(() => done.push(name))
  expect(done).toEqual([])
  vi.runAllTimers()
  expect(done).toEqual(['a', 'b', 'c'])
  expect(timers).toHaveBeenCalledTimes(1)
})

test('what comes while that is done has a moment of its own', () => {
  const schedule = inMoments()
  const done: string[] = []
  schedule(() => {
    done.push('first')
    schedule(() => done.push('second'))
  })
  vi.runOnlyPendingTimers()
  expect(done).toEqual(['first'])
  vi.runOnlyPendingTimers()
  expect(done).toEqual(['first', 'second'])
})
