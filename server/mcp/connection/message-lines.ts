const NEWLINE = 0x0a
const BRACE = 0x7b
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d])

/**
 * Lines that begin a JSON object, out of output that comes in any pieces. What begins otherwise is no message and is
 * dropped unread; every byte is looked at once, however the output is cut.
 */
export class MessageLines {
  readonly #maxBytes: number
  /** Of the line that has begun; undefined while it is dropped. */
  #begun: Buffer[] | undefined = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The lines that end in this chunk, without their ends. @throws RangeError for a line of more than `maxBytes` */
  *linesOf(chunk: Buffer): Generator<string> {
    let from = 0
    while (from < chunk.length) {
      const end = chunk.indexOf(NEWLINE, from)
      this.#add(chunk.subarray(from, end === -1 ? chunk.length : end))
      if (end === -1) return
      from = end + 1
      const line = this.#begun
      this.#begun = []
      this.#bytes = 0
      if (line && line.length > 0) yield Buffer.concat(line).toString()
    }
  }

  #add(piece: Buffer): void {
    if (!this.#begun) return
    if (this.#begun.length === 0) {
      const first = piece.find(byte => !BLANKS.has(byte))
      if (first === undefined) return
      if (first !== BRACE) {
        this.#begun = undefined
        return
      }
    }
    this.#bytes += piece.length
    if (this.#bytes > this.#maxBytes) throw new RangeError('The line is too long.')
    this.#begun.push(piece)
  }
}
