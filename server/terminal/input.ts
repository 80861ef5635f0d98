import { BOUNDS } from '../domain/bounds.ts'
import { AppError } from '../domain/errors.ts'

/** What is typed into a terminal, in its order, as fast as it is taken. */
export class TerminalInput {
  readonly #write: (bytes: Buffer) => Promise<void>
  readonly #waiting: { bytes: Buffer; onTaken: () => void }[] = []
  #size = 0
  #isWriting = false

  /** @param write resolves when the bytes are handed over; never rejects */
  constructor(write: (bytes: Buffer) => Promise<void>) {
    this.#write = write
  }

  /** @throws AppError too_large when more waits than BOUNDS.terminalInput */
  add(bytes: Buffer, onTaken: () => void): void {
    if (this.#size + bytes.length > BOUNDS.terminalInput.limit) {
      throw new AppError('too_large', 'More was typed than the program has read. Wait until it has, then type again.')
    }
    this.#size += bytes.length
    this.#waiting.push({ bytes, onTaken })
    if (!this.#isWriting) void this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      await this.#write(next.bytes)
      this.#size -= next.bytes.length
      next.onTaken()
    }
    this.#isWriting = false
  }
}
