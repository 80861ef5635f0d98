/**
 * Shows what changes often: at once, and then at most once in so many milliseconds. What came meanwhile is shown at the end of
 * them, the newest alone, so that a value that stays is seen.
 */
export class Paced {
  readonly #milliseconds: number
  #next = 0
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
  }

  show(act: () => void): void {
    clearTimeout(this.#timer)
    const wait = this.#next - Date.now()
    const now = () => {
      this.#next = Date.now() + this.#milliseconds
      act()
    }
    // A clock that was set back must not hold it up.
    if (wait <= 0 || wait > this.#milliseconds) now()
    else this.#timer = setTimeout(now, wait).unref()
  }

  /** At once, in place of what waits. */
  showNow(act: () => void): void {
    this.stop()
    act()
  }

  /** Nothing that waits is shown any more. */
  stop(): void {
    clearTimeout(this.#timer)
  }
}
