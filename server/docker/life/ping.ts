import { timeLimit } from '../../async/time-limit.ts'
import type { Engine } from '../engine.ts'
import { type Liveness, type PingResult, pingTimeoutMs } from './liveness.ts'

/** An engine whose life can be followed. */
export interface FollowedEngine extends Engine {
  /** A sign of life. @throws AppError engine_unavailable; the signal's reason */
  ping(signal: AbortSignal): Promise<void>
  /** Since it was opened, over all its connections: whether a silent one sends at all. */
  receivedBytes(): number
}

/** Asks an engine for a sign of life. `latencyMs`: how long it took to answer; null where it did not. Never rejects. */
export async function pingEngine(
  engine: Pick<FollowedEngine, 'ping' | 'receivedBytes'>,
  liveness: Liveness,
  ended: AbortSignal,
): Promise<{ result: PingResult; latencyMs: number | null }> {
  const received = engine.receivedBytes()
  const timeout = timeLimit(pingTimeoutMs(liveness))
  const signal = AbortSignal.any([timeout, ended])
  // The first connection may be one that was kept from before the engine began anew.
  for (const attempt of [1, 2]) {
    const begun = performance.now()
    try {
      await engine.ping(signal)
      return { result: 'answered', latencyMs: performance.now() - begun }
    } catch {
      if (timeout.aborted) return { result: engine.receivedBytes() > received ? 'late' : 'missed', latencyMs: null }
      if (attempt === 2 || signal.aborted) break
    }
  }
  return { result: 'refused', latencyMs: null }
}
