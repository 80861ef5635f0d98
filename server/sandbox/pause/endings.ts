interface Options {
  pause(id: string): Promise<void>
  resume(id: string): Promise<void>
  isPausedHere(id: string): boolean
  /** As `IdlePausing.use`. */
  use(id: string): Promise<() => void>
  /** Of the service. */
  closing: AbortSignal
}

/** What ends in sandboxes that may be paused for want of use. */
export class Endings {
  readonly #options: Options
  /** What is ended last in each. */
  readonly #last = new Map<string, Promise<void>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Never rejects. */
  async end(id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(id)
    const ending = this.#options.closing.aborted ? this.#endLate(id, work, before) : this.#endNow(id, work)
    this.#last.set(id, ending)
    await ending
    if (this.#last.get(id) === ending) this.#last.delete(id)
  }

  async #endNow(id: string, work: () => Promise<void>): Promise<void> {
    // One that a person paused, or that is gone, is left as it is.
    const release = await this.#options.use(id).catch(() => () => {})
    await work().finally(release)
  }

  async #endLate(id: string, work: () => Promise<void>, before: Promise<void> | undefined): Promise<void> {
    await before
    const { isPausedHere, pause, resume } = this.#options
    if (!isPausedHere(id)) return work()
    const isAwake = await resume(id).then(
      () => true,
      () => false,
    )
    await work()
    if (isAwake) await pause(id).catch(() => {})
  }
}
