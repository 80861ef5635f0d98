import { setTimeout as delay } from 'node:timers/promises'
import { settledWithin } from '../../async/settled-within.ts'

/** Tens of milliseconds as a rule. */
const REPORT_MS = 200
/** An engine that does not answer one is asked for the next one all the same. */
const MAX_WAIT_MS = 10_000

/**
 * Pauses and resumes containers, each change when that before it has been reported.
 *
 * Docker records a change when it has asked its runtime for it, and once more when the runtime reports it. A report that comes
 * after the next change is recorded as if it were the newest: a container that was just resumed would be paused to the engine,
 * and every command refused, until the report of that comes too.
 * https://github.com/moby/moby/blob/v20.10.24/daemon/monitor.go
 */
export class PauseChanges {
  readonly #reports = new Map<string, Promise<void>>()

  /** One after the other, in the order in which they are asked for. */
  change(containerId: string, change: () => Promise<void>): Promise<void> {
    const before = this.#reports.get(containerId) ?? Promise.resolve()
    const changed = settledWithin(MAX_WAIT_MS, before).then(change)
    const reported: Promise<void> = changed
      .catch(() => {})
      .then(() => delay(REPORT_MS, undefined, { ref: false }))
      .then(() => {
        if (this.#reports.get(containerId) === reported) this.#reports.delete(containerId)
      })
    this.#reports.set(containerId, reported)
    return changed
  }
}
