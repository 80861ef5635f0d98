interface Waiting {
  enter(): void
  place(ahead: number): void
}

/** Lets a bounded number of tasks work at the same time. The others wait in the order in which they came. */
export class Semaphore {
  readonly #width: () => number
  readonly #waiting: Waiting[] = []
  #working = 0

  /** @param width asked each time that somebody may enter, so that it can change; less than one counts as one */
  constructor(width: () => number) {
    this.#width = width
  }

  /**
   * Runs the task when it is its turn.
   * @param onWait hears how many tasks are to be done first, at once and whenever that changes; never when none is
   * @throws the signal's reason when it comes before the turn, and whatever the task throws
   */
  async run<T>(task: () => Promise<T>, onWait: (ahead: number) => void, signal: AbortSignal): Promise<T> {
    await this.#enter(onWait, signal)
    try {
      return await task()
    } finally {
      this.#working--
      this.#admit()
    }
  }

  async #enter(onWait: (ahead: number) => void, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#waiting.length === 0 && this.#hasRoom()) {
      this.#working++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        this.#tellPlaces()
        reject(signal.reason)
      }
      const waiting = {
        enter: () => {
          signal.removeEventListener('abort', leave)
          resolve()
        },
        place: onWait,
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiting.push(waiting)
      this.#admit()
    })
  }

  #hasRoom(): boolean {
    return this.#working < Math.max(1, this.#width())
  }

  #admit(): void {
    while (this.#hasRoom()) {
      const next = this.#waiting.shift()
      if (!next) return
      this.#working++
      next.enter()
    }
    this.#tellPlaces()
  }

  #tellPlaces(): void {
    for (const [index, waiting] of this.#waiting.entries()) waiting.place(this.#working + index)
  }
}
