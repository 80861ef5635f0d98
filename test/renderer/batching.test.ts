import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batchInOneTask } from '../../renderer/api/query/batching.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test('callbacks of one batch run in one task, in their order', async () => {
  const schedule = batchInOneTask()
  const done: string[] = []
  for (const name of ['a', 'b', 'c']) schedule(() => done.push(name))
  expect(done).toEqual([])
  expect(vi.getTimerCount()).toBe(1)
  await vi.runAllTimersAsync()
  expect(done).toEqual(['a', 'b', 'c'])
})

test('what they ask for in a microtask comes after all of them', async () => {
  const schedule = batchInOneTask()
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

test('what is scheduled meanwhile is the next batch', async () => {
  const schedule = batchInOneTask()
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
