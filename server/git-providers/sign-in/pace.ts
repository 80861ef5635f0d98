import type { PollAnswer } from './device-flow.ts'

/** How fast a token endpoint is polled. */
export interface Pace {
  /** As the server has it. */
  intervalMs: number
  /** Until the next poll: longer while the server cannot be reached. */
  waitMs: number
}

const SLOWER_MS = 5_000
const MAX_WAIT_MS = 60_000

export function paceOf(intervalMs: number): Pace {
  return { intervalMs, waitMs: intervalMs }
}

/**
 * After an answer that ends nothing. `slow_down` counts for all polls to come, a time-out doubles the time to the next one:
 * https://www.rfc-editor.org/rfc/rfc8628#section-3.5
 */
export function nextPace(
  pace: Pace,
  answer: Extract<PollAnswer, { kind: 'pending' | 'slow_down' | 'unreachable' }>,
): Pace {
  switch (answer.kind) {
    case 'pending':
      return paceOf(pace.intervalMs)
    case 'slow_down':
      return paceOf(Math.max(pace.intervalMs + SLOWER_MS, answer.intervalMs ?? 0))
    case 'unreachable':
      return { ...pace, waitMs: Math.max(pace.intervalMs, Math.min(pace.waitMs * 2, MAX_WAIT_MS)) }
  }
}
