/** At most three digits and a full stop follow the mark. */
const MAX_END = 4
const NOTHING: Buffer = Buffer.alloc(0)

/** The errors of a command, which end with a mark and its exit code. What comes after that is of programs that it has left behind. */
export class MarkedEnd {
  readonly #mark: Buffer
  readonly #onEnd: (exitCode: number) => void
  /** What may become the end: never longer than that is. */
  #kept = NOTHING
  #hasEnded = false

  /** @param onEnd is called once at most */
  constructor(mark: string, onEnd: (exitCode: number) => void) {
    this.#mark = Buffer.from(mark)
    this.#onEnd = onEnd
  }

  /** What of it is the command's: all but the end, and what may become it. */
  take(chunk: Buffer): Buffer {
    if (this.#hasEnded) return chunk
    let all = Buffer.concat([this.rest(), chunk])
    const passed: Buffer[] = []
    for (;;) {
      const at = this.#begins(all)
      passed.push(all.subarray(0, at))
      all = all.subarray(at)
      const after = all.subarray(this.#mark.length, this.#mark.length + MAX_END).toString('latin1')
      const end = /^(\d{1,3})\./.exec(after)
      if (end) {
        this.#hasEnded = true
        this.#onEnd(Number(end[1]))
        passed.push(all.subarray(this.#mark.length + end[0].length))
        break
      }
      if (all.length < this.#mark.length || /^\d{0,3}$/.test(after)) {
        // A copy: the rest of a large chunk is not held with it.
        this.#kept = Buffer.from(all)
        break
      }
      // The same letters, of somebody else.
      passed.push(all.subarray(0, this.#mark.length))
      all = all.subarray(this.#mark.length)
    }
    return Buffer.concat(passed)
  }

  /** What was held back: the command's after all, where no more comes. */
  rest(): Buffer {
    const kept = this.#kept
    this.#kept = NOTHING
    return kept
  }

  #begins(all: Buffer): number {
    const whole = all.indexOf(this.#mark)
    if (whole !== -1) return whole
    for (let length = Math.min(this.#mark.length - 1, all.length); length > 0; length--) {
      if (all.subarray(all.length - length).equals(this.#mark.subarray(0, length))) return all.length - length
    }
    return all.length
  }
}
