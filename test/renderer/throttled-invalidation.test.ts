import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ThrottledInvalidation } from '../../renderer/api/query/throttled-invalidation.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function askedFor() {
  const asked: unknown[] = []
  const stale = new ThrottledInvalidation({
    invalidateQueries: async filters => void asked.push(filters?.queryKey),
  })
  return { asked, stale }
}

test('what has changed is asked for at once', () => {
  const { asked, stale } = askedFor()
  stale.invalidate(['sandboxes'])
  expect(asked).toEqual([['sandboxes']])
})

test('many changes within a moment are asked for once more, after the last of them', () => {
  const { asked, stale } = askedFor()
  for (let change = 0; change < 50; change++) stale.invalidate(['conversations', 'one'])
  expect(asked).toHaveLength(1)
  vi.advanceTimersByTime(10_000)
  expect(asked).toEqual([
    ['conversations', 'one'],
    ['conversations', 'one'],
  ])
})

test('changes without end are asked for at a bounded pace', () => {
  const { asked, stale } = askedFor()
  for (let ms = 0; ms < 4_000; ms += 10) {
    stale.invalidate(['conversations', 'list'])
    vi.advanceTimersByTime(10)
  }
  expect(asked).toHaveLength(11)
})

test('one change does not wait for another', () => {
  const { asked, stale } = askedFor()
  stale.invalidate(['sandboxes'])
  stale.invalidate(['engines'])
  expect(asked).toEqual([['sandboxes'], ['engines']])
})
