import { BOUNDS } from '../../domain/bounds.ts'

const HEAD_CHARS = BOUNDS.terminalOutputStart.limit
const TAIL_CHARS = BOUNDS.terminalOutputEnd.limit

/** Text that only grows: its beginning and its end are kept, whatever comes in between. */
export class Transcript {
  #head: string[] = []
  #headChars = 0
  #tail: string[] = []
  #tailChars = 0
  #left = 0
  #begun = false

  /** A line is in it, or was: the next one comes after a line feed. */
  get begun(): boolean {
    return this.#begun
  }

  appendLine(line: string): void {
    this.append(this.#begun ? `\n${line}` : line)
  }

  append(text: string): void {
    this.#begun = true
    if (this.#headChars < HEAD_CHARS) {
      this.#head.push(text)
      this.#headChars += text.length
      return
    }
    this.#tail.push(text)
    this.#tailChars += text.length
    if (this.#tailChars > 2 * TAIL_CHARS) this.#shorten()
  }

  /** The last characters, at least `chars` where there are as many. */
  end(chars: number): string {
    const pieces: string[] = []
    let found = 0
    for (const list of [this.#tail, this.#head]) {
      for (let at = list.length - 1; at >= 0 && found < chars; at--) {
        const piece = list[at] ?? ''
        pieces.unshift(piece)
        found += piece.length
      }
    }
    return pieces.join('')
  }

  /** Something in the middle is not there any more. */
  get isWhole(): boolean {
    return this.#left === 0
  }

  /** Everything since the last time. */
  take(): string {
    const gap = this.#left > 0 ? `\n[${this.#left} characters are left out here]\n` : ''
    const text = this.#head.join('') + gap + this.#tail.join('')
    this.#head = []
    this.#tail = []
    this.#headChars = this.#tailChars = this.#left = 0
    return text
  }

  #shorten(): void {
    const tail = this.#tail.join('')
    const kept = tail.slice(-TAIL_CHARS)
    this.#left += tail.length - kept.length
    this.#tail = [kept]
    this.#tailChars = kept.length
  }
}
