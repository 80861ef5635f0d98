import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inMoments } from '../../renderer/api/moments.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('what comes within a moment is done in one task, in its order', async () => {
  const schedule = inMoments()
  const done: string[] = []
  const timers = vi.spyOn(globalThis, 'setTimeout')
  for (const name of ['a', 'b', 'c']) schedule(() => done.push(name))
  expect(done).toEqual([])
  await vi.runAllTimersAsync()
  expect(done).toEqual(['a', 'b', 'c'])
  expect(timers).toHaveBeenCalledTimes(1)
})

test('what is asked for meanwhile in a microtask comes after all of them', async () => {
  const schedule = inMoments()
  const done: string[] = []
  for (const name of ['a', 'b']) {
    schedule(() => {
      done.push(name)
      queueMicrotask(() => done.push(`rendered after ${name}`))
    })
  }
  await vi.runAllTimersAsync()
  expect(done).toEqual(['a', 'b', 'rendered after a', 'rendered after b'])
})

test('what comes while that is done has a moment of its own', async () => {
  const schedule = inMoments()
  const done: string[] = []
  schedule(() => {
    done.push('first')
    schedule(() => done.push('second'))
  })
  vi.runOnlyPendingTimers()
  await Promise.resolve()
  expect(done).toEqual(['first'])
  await vi.runAllTimersAsync()
  expect(done).toEqual(['first', 'second'])
})
