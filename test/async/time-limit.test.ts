import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { timeLimit } from '../../server/async/time-limit.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const COUNT = 50

it('a time limit that is one of several signals ends what nothing else refers to', async () => {
  const { signal } = new AbortController()
  const ended: unknown[] = []
  for (let one = 0; one < COUNT; one++) {
    const limited = AbortSignal.any([signal, timeLimit(200)])
    limited.addEventListener('abort', () => ended.push(limited.reason.name))
  }
  await delay(20)
  collect()
  await expect.poll(() => ended).toEqual(Array(COUNT).fill('TimeoutError'))
})

it('a limit that is longer than a timer can be set for does not end at once', async () => {
  const limit = timeLimit(2 ** 40)
  await delay(20)
  expect(limit.aborted).toBe(false)
})
