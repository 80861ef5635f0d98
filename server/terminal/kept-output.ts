import { TerminalModes } from './modes.ts'

const FIRST_SIZE = 16 * 1024
/** How far a replay may begin after the oldest byte, so as to begin with a line. */
const MAX_ALIGNMENT = 16 * 1024

/**
 * The newest output of a terminal, as bytes, with the state of a terminal before the oldest of them: written to a terminal
 * that was reset, the two show the screen and what scrolled off it. Places are counted from the first byte ever written.
 */
export class KeptOutput {
  readonly #capacity: number
  /** Of bytes that are kept no more. */
  readonly #before = new TerminalModes()
  #buffer: Buffer
  #start = 0
  #end = 0

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#buffer = Buffer.allocUnsafeSlow(Math.min(FIRST_SIZE, capacity))
  }

  get start(): number {
    return this.#start
  }

  get end(): number {
    return this.#end
  }

  append(bytes: Buffer): void {
    const step = Math.max(1, this.#capacity >> 2)
    for (let at = 0; at < bytes.length; at += step) this.#appendPiece(bytes.subarray(at, at + step))
  }

  /** A copy of up to `max` bytes from `place`, which is kept. */
  read(place: number, max: number): Buffer {
    const length = Math.min(max, this.#end - place)
    return Buffer.concat([...this.#pieces(place, place + length)], length)
  }

  /** What a terminal that was reset is given before the kept bytes. */
  sequencesBefore(): string {
    return this.#before.sequences()
  }

  /** Whether a program has the screen for itself, of which the beginning may not be kept: it should draw it anew. */
  isPartOfScreenLost(): boolean {
    if (this.#start === 0) return false
    const modes = new TerminalModes()
    modes.consume(Buffer.from(this.#before.sequences()))
    const entered = [...this.#pieces(this.#start, this.#end)]
    for (const piece of entered) modes.consume(piece)
    return modes.isAlternateScreen
  }

  #appendPiece(piece: Buffer): void {
    this.#makeRoom(piece.length)
    const size = this.#buffer.length
    const at = this.#end % size
    const first = piece.copy(this.#buffer, at)
    if (first < piece.length) piece.copy(this.#buffer, 0, first)
    this.#end += piece.length
  }

  #makeRoom(length: number): void {
    const needed = this.#end - this.#start + length
    if (needed > this.#buffer.length && this.#buffer.length < this.#capacity) this.#grow(needed)
    const excess = this.#end - this.#start + length - this.#buffer.length
    if (excess > 0) this.#dropOldest(excess)
  }

  /** Nothing was dropped before the buffer has its full size, so that its bytes stand at its beginning. */
  #grow(needed: number): void {
    let size = this.#buffer.length
    while (size < needed && size < this.#capacity) size *= 2
    const grown = Buffer.allocUnsafeSlow(Math.min(size, this.#capacity))
    this.#buffer.copy(grown, 0, 0, this.#end)
    this.#buffer = grown
  }

  #dropOldest(count: number): void {
    const to = Math.min(this.#start + count, this.#end)
    for (const piece of this.#pieces(this.#start, to)) this.#before.consume(piece)
    this.#start = to
    const limit = Math.min(to + MAX_ALIGNMENT, this.#end)
    while (this.#start < limit && !this.#before.isAtLineStart) this.#dropOne()
    // A line without end: at least no sequence and no character is cut.
    const last = Math.min(limit + MAX_ALIGNMENT, this.#end)
    while (this.#start < last && !this.#canBegin()) this.#dropOne()
  }

  #dropOne(): void {
    const at = this.#start % this.#buffer.length
    this.#before.consume(this.#buffer.subarray(at, at + 1))
    this.#start++
  }

  #canBegin(): boolean {
    const byte = this.#buffer[this.#start % this.#buffer.length] ?? 0
    return this.#before.isBetweenSequences && (byte & 0xc0) !== 0x80
  }

  *#pieces(from: number, to: number): Generator<Buffer> {
    const size = this.#buffer.length
    for (let place = from; place < to; ) {
      const at = place % size
      const length = Math.min(to - place, size - at)
      yield this.#buffer.subarray(at, at + length)
      place += length
    }
  }
}
