import { setImmediate as nextTurn } from 'node:timers/promises'

const SLICE_MS = 10

/**
 * Long work in slices: the event loop gets a turn whenever a slice has taken 10 ms, so that what else is to be served
 * waits no longer. Asked after each piece of the work: `if (slices.due()) await slices.turn()`.
 */
export class Slices {
  readonly #sliceMs: number
  #began = performance.now()

  constructor(sliceMs = SLICE_MS) {
    this.#sliceMs = sliceMs
  }

  due(): boolean {
    return performance.now() - this.#began >= this.#sliceMs
  }

  async turn(): Promise<void> {
    await nextTurn()
    this.#began = performance.now()
  }
}
