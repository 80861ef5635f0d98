import { BOUNDS } from '../../../domain/bounds.ts'

/**
 * Ten times what rendering takes on a slow machine: hostile output that is slow by construction runs out of it, and a lot of
 * ordinary output never does.
 */
const MS_PER_CHARACTER = 0.002

/** How long the output of one command may still be rendered. It grows with the output, up to where it began. */
export class TimeAllowance {
  readonly #limit: number = BOUNDS.terminalRendering.limit
  #leftMs = this.#limit

  get leftMs(): number {
    return this.#leftMs
  }

  /** @param characters what was rendered in this time */
  spend(milliseconds: number, characters: number): void {
    this.#leftMs = Math.min(this.#leftMs - milliseconds + characters * MS_PER_CHARACTER, this.#limit)
  }
}
