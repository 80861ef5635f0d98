import { setTimeout as delay } from 'node:timers/promises'

/**
 * The promise's result. Once the signal has come it has so many milliseconds left to end by itself: who waits for an end
 * is not held up by what cannot be ended. @throws the signal's reason after that
 */
export async function abortWithGrace<T>(promise: Promise<T>, signal: AbortSignal, milliseconds: number): Promise<T> {
  const over = new AbortController()
  let giveUp = () => {}
  const late = new Promise<never>((_, reject) => {
    giveUp = () => {
      delay(milliseconds, undefined, { signal: over.signal })
        .then(() => reject(signal.reason))
        .catch(() => {})
    }
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    over.abort()
    signal.removeEventListener('abort', giveUp)
  }
}
