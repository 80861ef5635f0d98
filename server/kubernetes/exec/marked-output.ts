/** The output of a terminal: up to the first mark, and again up to the second one, nothing of it is the command's. */
export class MarkedOutput {
  /** Resolves when the command takes input. */
  readonly begun: Promise<void>
  readonly #mark: Buffer
  readonly #onAsked: () => void
  #begin = () => {}
  #marks = 0
  #kept: Buffer = Buffer.alloc(0)

  constructor(mark: string, onAsked: () => void) {
    this.#mark = Buffer.from(mark)
    this.#onAsked = onAsked
    this.begun = new Promise(resolve => {
      this.#begin = resolve
    })
  }

  /** What of it is the command's. */
  take(chunk: Buffer): Buffer {
    let rest = chunk
    while (this.#marks < 2) {
      const all = Buffer.concat([this.#kept, rest])
      const at = all.indexOf(this.#mark)
      if (at === -1) {
        this.#kept = all.subarray(Math.max(0, all.length - this.#mark.length + 1))
        return Buffer.alloc(0)
      }
      this.#kept = Buffer.alloc(0)
      rest = all.subarray(at + this.#mark.length)
      if (++this.#marks === 1) this.#onAsked()
      else this.#begin()
    }
    return rest
  }
}
