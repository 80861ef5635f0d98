import { PlainText } from './plain-text.ts'
import { RenderedOutput, ROWS } from './rendered.ts'
import { Transcript } from './transcript.ts'

/**
 * Turns the bytes that a program sends to a terminal into the text that a person would see: progress bars, colours and
 * cursor movement are carried out, lines that the terminal wrapped are whole again. Memory is bounded.
 */
export class Screen {
  readonly #onReply: (data: string) => void
  readonly #transcript = new Transcript()
  #output: PlainText | RenderedOutput = new PlainText(this.#transcript, ROWS)

  /** @param onReply what the terminal answers to a program's question about itself */
  constructor(onReply: (data: string) => void) {
    this.#onReply = onReply
  }

  write(data: Buffer): void {
    if (this.#output instanceof PlainText) {
      if (this.#output.push(data)) return
      const rendered = new RenderedOutput(this.#transcript, this.#onReply)
      rendered.write(this.#output.replay())
      this.#output = rendered
    }
    this.#output.write(data)
  }

  /** Everything since the last time, with what is on the screen; the screen's lines may come again, when they changed. */
  async take(): Promise<{ scrolled: string; visible: string; whole: boolean }> {
    if (this.#output instanceof RenderedOutput) await this.#output.settled()
    const whole = this.#transcript.isWhole && !(this.#output instanceof RenderedOutput && this.#output.skipped)
    return { scrolled: this.#transcript.take(), visible: this.#output.visible(), whole }
  }

  /** The last characters as they are shown now. */
  end(chars: number): string {
    return (this.#transcript.end(chars) + this.#output.visible()).slice(-chars)
  }

  close(): void {
    if (this.#output instanceof RenderedOutput) this.#output.close()
  }
}
