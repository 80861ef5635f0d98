import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Paced } from '../../server/async/paced.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('shows the first at once, then the newest of what came meanwhile', () => {
  const shown: number[] = []
  const pace = new Paced(100)
  for (const value of [1, 2, 3]) pace.show(() => shown.push(value))
  expect(shown).toEqual([1])
  vi.advanceTimersByTime(100)
  expect(shown).toEqual([1, 3])
  pace.show(() => shown.push(4))
  expect(shown).toEqual([1, 3])
  vi.advanceTimersByTime(100)
  expect(shown).toEqual([1, 3, 4])
})

it('shows what comes after a while at once, and nothing once it is stopped', () => {
  const shown: number[] = []
  const pace = new Paced(100)
  pace.show(() => shown.push(1))
  vi.advanceTimersByTime(150)
  pace.show(() => shown.push(2))
  expect(shown).toEqual([1, 2])
  pace.show(() => shown.push(3))
  pace.stop()
  vi.advanceTimersByTime(1000)
  expect(shown).toEqual([1, 2])
})

it('is not held up by a clock that is set back', () => {
  const shown: number[] = []
  const pace = new Paced(100)
  pace.show(() => shown.push(1))
  vi.setSystemTime(Date.now() - 3_600_000)
  pace.show(() => shown.push(2))
  expect(shown).toEqual([1, 2])
})
