const TERMINATOR = 0x07
const ESCAPE = 0x1b
/** A marker that has not ended after this many bytes is none. */
const MAX_MARKER_LENGTH = 16_384

export type Part = { kind: 'output'; data: Buffer } | { kind: 'marker'; text: string }

/**
 * Tells the shell's own marks (`opening … BEL`) from the output between them, in stream order. Bytes that may be the
 * beginning of a mark wait for the next chunk.
 */
export class MarkerSplitter {
  readonly #opening: Buffer
  #held: Buffer = Buffer.alloc(0)

  constructor(opening: string) {
    this.#opening = Buffer.from(opening, 'latin1')
  }

  push(chunk: Buffer): Part[] {
    const parts: Part[] = []
    let rest = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    this.#held = Buffer.alloc(0)
    for (;;) {
      const start = rest.indexOf(this.#opening)
      if (start < 0) return this.#withoutMarker(rest, parts)
      const from = start + this.#opening.length
      const end = rest.indexOf(TERMINATOR, from)
      if (end < 0 && rest.length - start < MAX_MARKER_LENGTH) {
        if (start > 0) parts.push({ kind: 'output', data: rest.subarray(0, start) })
        this.#held = Buffer.from(rest.subarray(start))
        return parts
      }
      if (start > 0) parts.push({ kind: 'output', data: rest.subarray(0, start) })
      if (end < 0) return this.#withoutMarker(rest.subarray(from), parts)
      parts.push({ kind: 'marker', text: rest.toString('utf8', from, end) })
      rest = rest.subarray(end + 1)
    }
  }

  #withoutMarker(rest: Buffer, parts: Part[]): Part[] {
    const cut = rest.length - this.#beginningAtEnd(rest)
    if (cut > 0) parts.push({ kind: 'output', data: rest.subarray(0, cut) })
    this.#held = Buffer.from(rest.subarray(cut))
    return parts
  }

  /** How many of the last bytes may begin a mark. */
  #beginningAtEnd(rest: Buffer): number {
    const at = rest.lastIndexOf(ESCAPE)
    const length = rest.length - at
    if (at < 0 || length >= this.#opening.length) return 0
    return rest.subarray(at).equals(this.#opening.subarray(0, length)) ? length : 0
  }
}
