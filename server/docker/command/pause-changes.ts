import { setTimeout as delay } from 'node:timers/promises'

/** Tens of milliseconds as a rule. */
const REPORT_MS = 200

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

  async change(containerId: string, change: () => Promise<void>): Promise<void> {
    await this.#reports.get(containerId)
    try {
      await change()
    } finally {
      const reported: Promise<void> = delay(REPORT_MS, undefined, { ref: false }).then(() => {
        if (this.#reports.get(containerId) === reported) this.#reports.delete(containerId)
      })
      this.#reports.set(containerId, reported)
    }
  }
}
