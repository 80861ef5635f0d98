/** Output over time: up to a second's worth at once, and so much a second. Time is in milliseconds. */
export class Pace {
  readonly #perSecond: number
  readonly #now: () => number
  #left: number
  #at: number

  constructor(perSecond: number, now: () => number = () => performance.now()) {
    this.#perSecond = perSecond
    this.#now = now
    this.#left = perSecond
    this.#at = now()
  }

  /** @returns for how long nothing more is to be taken */
  take(amount: number): number {
    const now = this.#now()
    this.#left = Math.min(this.#perSecond, this.#left + ((now - this.#at) / 1000) * this.#perSecond) - amount
    this.#at = now
    return this.#left >= 0 ? 0 : (-this.#left / this.#perSecond) * 1000
  }
}
