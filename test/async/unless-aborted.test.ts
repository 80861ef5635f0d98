import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { unlessAborted } from '../../server/async/unless-aborted.ts'

const unhandled: unknown[] = []
const note = (error: unknown) => unhandled.push(error)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(() => {
  process.off('unhandledRejection', note)
})

test('gives what the promise gives, or why it was given up', async () => {
  expect(await unlessAborted(Promise.resolve(7), new AbortController().signal)).toBe(7)
  const stop = new AbortController()
  const waiting = unlessAborted(new Promise(() => {}), stop.signal)
  stop.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
})

test.each(['before', 'after'])(
  'what fails once it was given up %s it began to be waited for disturbs nobody',
  async when => {
    const stop = new AbortController()
    let fail = (_: Error) => {}
    const failing = new Promise((_, reject) => {
      fail = reject
    })
    if (when === 'before') stop.abort(new Error('enough'))
    const waiting = unlessAborted(failing, stop.signal)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    fail(new Error('late'))
    await nextTurn()
    await nextTurn()
    expect(unhandled).toEqual([])
  },
)
