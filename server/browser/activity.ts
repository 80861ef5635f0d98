import { setTimeout as delay } from 'node:timers/promises'

/** After a click, a page begins what it wants to load within this time. */
const QUIET_MS = 250
/** How long a page may load, and how long its further requests are waited for: some never end. */
const LOADING_MS = 20_000
const REQUESTS_MS = 3_000
const MAX_REQUESTS = 10_000
/** Streams that stay open. */
const LONG_LIVED = new Set(['WebSocket', 'EventSource', 'Ping', 'Media'])

/** Whether a page still loads something, as its events tell. */
export class Activity {
  readonly #frames = new Set<string>()
  readonly #requests = new Set<string>()
  #changedAt = performance.now()
  #loadedAt = this.#changedAt

  startedLoading(frame: string): void {
    this.#frames.add(frame)
    this.#changed()
  }

  stoppedLoading(frame: string): void {
    this.#frames.delete(frame)
    this.#changed()
    this.#loadedAt = this.#changedAt
  }

  startedRequest(id: string, type: string): void {
    if (LONG_LIVED.has(type) || this.#requests.size >= MAX_REQUESTS) return
    this.#requests.add(id)
    this.#changed()
  }

  endedRequest(id: string): void {
    this.#requests.delete(id)
    this.#changed()
  }

  /** Another document took the place of the one that had begun these. */
  reset(): void {
    this.#requests.clear()
    this.#changed()
  }

  get loading(): boolean {
    return this.#frames.size > 0
  }

  /**
   * Resolves when nothing has moved for a moment.
   * @param acted whether something was just done to the page, which it may answer by loading more
   * @returns false when the page still loads after the longest wait
   */
  async settled(signal: AbortSignal, { acted }: { acted: boolean }): Promise<boolean> {
    const began = performance.now()
    for (;;) {
      const wait = this.#due(began, acted) - performance.now()
      if (wait <= 0) return !this.loading
      await delay(Math.min(wait, QUIET_MS / 5), undefined, { signal })
    }
  }

  /** When the wait ends if nothing happens. */
  #due(began: number, acted: boolean): number {
    if (this.loading) return began + LOADING_MS
    const latest = Math.max(began, this.#loadedAt) + REQUESTS_MS
    return this.#requests.size > 0 ? latest : Math.min(latest, Math.max(acted ? began : 0, this.#changedAt) + QUIET_MS)
  }

  #changed(): void {
    this.#changedAt = performance.now()
  }
}
