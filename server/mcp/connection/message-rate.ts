import { BOUNDS } from '../../domain/bounds.ts'

const WINDOW_MS = 10_000

/** What a tool server may send in ten seconds: each message costs the service time, whether anybody asked for it or not. */
export class MessageRate {
  #began = performance.now()
  #messages = 0
  #bytes = 0

  /** @returns whether one more message of so many bytes is taken */
  admits(bytes: number): boolean {
    const now = performance.now()
    if (now - this.#began >= WINDOW_MS) {
      this.#began = now
      this.#messages = 0
      this.#bytes = 0
    }
    this.#messages++
    this.#bytes += bytes
    return this.#messages <= BOUNDS.toolServerMessages.limit && this.#bytes <= BOUNDS.toolServerRate.limit
  }
}
