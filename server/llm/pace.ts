import { setTimeout as delay } from 'node:timers/promises'
import { Slices } from '../async/slices.ts'

/** Twice what the fastest models write; each part costs some 20 µs. */
const PARTS_IN_FRAME = 200
const FRAME_MS = 30
/** Several answers are read in one turn of the event loop. */
const SLICE_MS = 4

/**
 * How fast an answer is read, however fast it is sent: what comes faster waits in the connection, and its sender with it.
 * Asked after each part: `if (pace.due()) await pace.rest()`.
 */
export class Pace {
  readonly #slices = new Slices(SLICE_MS)
  #parts = 0
  #frameBegan = performance.now()

  due(): boolean {
    return ++this.#parts >= PARTS_IN_FRAME || this.#slices.due()
  }

  async rest(): Promise<void> {
    const left = this.#frameBegan + FRAME_MS - performance.now()
    if (this.#parts >= PARTS_IN_FRAME && left > 0) await delay(left)
    if (this.#parts >= PARTS_IN_FRAME || left <= 0) {
      this.#parts = 0
      this.#frameBegan = performance.now()
    }
    await this.#slices.turn()
  }
}
