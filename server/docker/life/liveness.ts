/**
 * What pings say of an engine that was found. An engine under load answers late, so time alone never ends anything:
 * `silent` means only that it cannot be asked now. What is under way goes on to wait for it.
 */
export type Liveness =
  | { kind: 'answering' }
  | { kind: 'late'; missed: number }
  | { kind: 'silent'; missed: number }
  /** Nobody listens any more, or there was no byte for so long that nobody will. */
  | { kind: 'gone' }

/** What came of one ping. */
export type PingResult =
  | 'answered'
  /** Not in time, while other requests or streams of the same engine delivered bytes. */
  | 'late'
  /** Not in time, and nothing else came from the engine either. */
  | 'missed'
  /** The connection was refused or closed. */
  | 'refused'

export const ANSWERING: Liveness = { kind: 'answering' }

/** So many pings without a byte from the engine make it silent, and so many more make it gone. */
const MISSED_UNTIL_SILENT = 2
const MISSED_UNTIL_GONE = 12

/** By how many were missed: a loaded engine gets more time, not less. */
const PING_TIMEOUTS_MS = [10_000, 20_000]
const MAX_PING_TIMEOUT_MS = 30_000
const PING_EVERY_MS = 10_000
/** One that was late is asked again soon. */
const PING_AGAIN_MS = 1000

export function afterPing(before: Liveness, result: PingResult): Liveness {
  if (before.kind === 'gone' || result === 'refused') return { kind: 'gone' }
  if (result !== 'missed') return ANSWERING
  const missed = missedBy(before) + 1
  if (missed >= MISSED_UNTIL_GONE) return { kind: 'gone' }
  return { kind: missed >= MISSED_UNTIL_SILENT ? 'silent' : 'late', missed }
}

/** How long the next ping may take, in milliseconds. */
export function pingTimeoutMs(liveness: Liveness): number {
  return PING_TIMEOUTS_MS[missedBy(liveness)] ?? MAX_PING_TIMEOUT_MS
}

/** How long to wait before the next ping, in milliseconds. */
export function pingPauseMs(liveness: Liveness): number {
  return liveness.kind === 'answering' ? PING_EVERY_MS : PING_AGAIN_MS
}

function missedBy(liveness: Liveness): number {
  return liveness.kind === 'late' || liveness.kind === 'silent' ? liveness.missed : 0
}
