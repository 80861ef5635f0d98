import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Semaphore } from '../../server/async/semaphore.ts'

const never = new AbortController().signal

/** A task that ends when it is told to. */
function task() {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  return { end, run: () => ended }
}

test('so many work at the same time, the others in the order in which they came', async () => {
  const semaphore = new Semaphore(() => 2)
  const began: number[] = []
  const tasks = [0, 1, 2, 3].map(() => task())
  const done = tasks.map((each, index) =>
    semaphore.run(
      async () => {
        began.push(index)
        await each.run()
      },
      () => {},
      never,
    ),
  )
  await Promise.resolve()
  expect(began).toEqual([0, 1])
  tasks[1]?.end()
  await done[1]
  await Promise.resolve()
  expect(began).toEqual([0, 1, 2])
  for (const each of tasks) each.end()
  await Promise.all(done)
  expect(began).toEqual([0, 1, 2, 3])
})

test('who waits hears its place, and again when it moves', async () => {
  const semaphore = new Semaphore(() => 1)
  const [first, second] = [task(), task()]
  const places: number[] = []
  const one = semaphore.run(first.run, () => {}, never)
  const two = semaphore.run(second.run, () => {}, never)
  const three = semaphore.run(
    async () => {},
    ahead => places.push(ahead),
    never,
  )
  expect(places).toEqual([2])
  first.end()
  await one
  expect(places).toEqual([2, 1])
  second.end()
  await Promise.all([two, three])
  expect(places).toEqual([2, 1])
})

test('who gives up leaves the line, and those behind move up', async () => {
  const semaphore = new Semaphore(() => 1)
  const first = task()
  const giveUp = new AbortController()
  const places: number[] = []
  const one = semaphore.run(first.run, () => {}, never)
  const two = semaphore.run(
    async () => 'worked',
    () => {},
    giveUp.signal,
  )
  const three = semaphore.run(
    async () => 'worked',
    ahead => places.push(ahead),
    never,
  )
  giveUp.abort(new Error('given up'))
  await expect(two).rejects.toThrow('given up')
  expect(places).toEqual([2, 1])
  first.end()
  await one
  expect(await three).toBe('worked')
})

test('a task that fails gives its place back', async () => {
  const semaphore = new Semaphore(() => 1)
  const fail = () => Promise.reject(new Error('no'))
  await expect(semaphore.run(fail, () => {}, never)).rejects.toThrow('no')
  expect(
    await semaphore.run(
      async () => 'next',
      () => {},
      never,
    ),
  ).toBe('next')
})

test('never more than the width work, and everyone who does not give up has a turn', async () => {
  const plan = fc.array(fc.record({ milliseconds: fc.nat(3), givesUp: fc.boolean() }), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(plan, fc.integer({ min: 0, max: 4 }), async (tasks, width) => {
      const semaphore = new Semaphore(() => width)
      let working = 0
      let most = 0
      const outcomes = await Promise.allSettled(
        tasks.map(({ milliseconds, givesUp }) => {
          const abort = new AbortController()
          const turn = semaphore.run(
            async () => {
              most = Math.max(most, ++working)
              for (let left = milliseconds; left > 0; left--) await Promise.resolve()
              working--
            },
            () => {},
            abort.signal,
          )
          if (givesUp) abort.abort(new Error('given up'))
          return turn
        }),
      )
      expect(most).toBeLessThanOrEqual(Math.max(1, width))
      for (const [index, outcome] of outcomes.entries()) {
        if (!tasks[index]?.givesUp) expect(outcome.status).toBe('fulfilled')
      }
    }),
    { numRuns: 50 },
  )
})
