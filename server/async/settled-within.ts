import { setTimeout as delay } from 'node:timers/promises'

/** Resolves when the promise has ended in either way, at the latest after so many milliseconds. What it stands for goes on. */
export async function settledWithin(milliseconds: number, promise: Promise<unknown>): Promise<void> {
  const timer = new AbortController()
  const late = delay(milliseconds, undefined, { signal: timer.signal }).catch(() => {})
  await Promise.race([promise.catch(() => {}), late])
  timer.abort()
}
