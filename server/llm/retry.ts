import { setTimeout as delay } from 'node:timers/promises'
import { AnswerFault } from './answer/fault.ts'
import type { CompletionRequest } from './completion.ts'
import type { Failure } from './errors.ts'

export interface RetryOptions {
  /** Calls in all, the first one included. */
  attempts: number
  /** The first wait; each following one is twice as long. */
  baseMs: number
  /** Shortest wait of ours. */
  minMs: number
  /** Longest wait of ours. */
  maxMs: number
  /** A provider that asks for more than this is not waited for: people should hear of it instead. */
  maxRetryAfterMs: number
  /** 0 to 1; how much of a quarter each wait is longer, so that parallel conversations do not come back together. */
  random: () => number
}

export const DEFAULT_RETRY: RetryOptions = {
  attempts: 5,
  baseMs: 8_000,
  minMs: 0,
  maxMs: 64_000,
  maxRetryAfterMs: 120_000,
  random: Math.random,
}

/**
 * Calls until it works, with growing waits, where trying again can help.
 * @throws the last Failure's error, or the signal's reason at once when aborted
 */
export async function withRetry<T>(
  call: () => Promise<T>,
  classify: (thrown: unknown) => Failure,
  { signal, onRetry }: Pick<CompletionRequest, 'signal' | 'onRetry'>,
  options: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted()
    try {
      return await call()
    } catch (thrown) {
      signal.throwIfAborted()
      if (thrown instanceof AnswerFault && thrown.kind === 'repeat') {
        onRetry({ attempt, delayMs: 0, reason: thrown.message, askNow: () => {} })
        // A person's wish is no failure of the model.
        attempt--
        continue
      }
      const failure = classify(thrown)
      const delayMs = waitBefore(attempt, failure, options)
      if (delayMs === null) throw failure.error
      const wait = new AbortController()
      onRetry({ attempt, delayMs, reason: failure.error.message, askNow: () => wait.abort() })
      await pause(delayMs, signal, wait.signal)
    }
  }
}

/** @returns null when there is no use in waiting */
export function waitBefore(attempt: number, failure: Failure, options: RetryOptions): number | null {
  if (!failure.retryable || attempt >= Math.min(options.attempts, failure.attempts)) return null
  if (failure.retryAfterMs !== null) {
    return failure.retryAfterMs <= options.maxRetryAfterMs ? Math.ceil(failure.retryAfterMs) : null
  }
  const full = Math.max(options.minMs, options.baseMs * 2 ** (attempt - 1))
  return Math.round(Math.min(options.maxMs, full * (1 + options.random() / 4)))
}

/** @throws the signal's reason; the end of the wait is none */
async function pause(ms: number, signal: AbortSignal, ended: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal: AbortSignal.any([signal, ended]) })
  } catch (error) {
    signal.throwIfAborted()
    if (!ended.aborted) throw error
  }
}
