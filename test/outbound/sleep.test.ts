import { expect, test, vi } from 'vitest'
import { LIMITS, outbound, serverThat } from './parts.ts'

test('after a sleep no call goes over a connection from before', async () => {
  const server = await serverThat((_request, reply) => reply.end('Here.'))
  const calls = outbound()
  const fetch = calls.fetch({ namedBy: 'person', limits: LIMITS })
  const ask = async () => (await fetch(server.origin)).text()
  await ask()
  await ask()
  expect(server.connections).toBe(1)
  calls.suspend()
  calls.resume()
  await ask()
  expect(server.connections).toBe(2)
})

test('a sleep that is never said to end is over once the computer works for a minute', async ({ onTestFinished }) => {
  const calls = outbound()
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  calls.suspend()
  let isAwake = false
  const awake = calls.sleep.awake(new AbortController().signal).then(() => {
    isAwake = true
  })
  await vi.advanceTimersByTimeAsync(59_000)
  expect(isAwake).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  await awake
})

test('an end that is reported twice leaves the calls in between to the next sleep', async () => {
  const calls = outbound()
  calls.suspend()
  calls.resume()
  const next = await calls.sleep.awake(new AbortController().signal)
  calls.resume()
  calls.suspend()
  expect(next.aborted).toBe(true)
  calls.resume()
})
