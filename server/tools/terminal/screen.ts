import { StringDecoder } from 'node:string_decoder'
import type { SessionEmulator } from './emulator/session-emulator.ts'
import { PlainText } from './plain-text.ts'
import { RenderedOutput } from './rendered.ts'
import { Transcript } from './transcript.ts'

/**
 * Turns the bytes that a program sends to a terminal into the text that a person would see: progress bars, colours and
 * cursor movement are carried out, lines that the terminal wrapped are whole again. Time and memory are bounded, whatever
 * the bytes are; what cannot be rendered within them is shown as plain text, with a note.
 */
export class Screen {
  readonly #emulator: SessionEmulator
  readonly #onReply: (data: string) => void
  readonly #transcript = new Transcript()
  readonly #decoder = new StringDecoder('utf8')
  #output: PlainText | RenderedOutput = new PlainText(this.#transcript)

  /** @param onReply what the terminal answers to a program's question about itself */
  constructor(emulator: SessionEmulator, onReply: (data: string) => void) {
    this.#emulator = emulator
    this.#onReply = onReply
  }

  write(data: Buffer): void {
    const text = this.#decoder.write(data)
    if (this.#output instanceof RenderedOutput) {
      this.#output.write(text)
      return
    }
    const rest = this.#output.push(text)
    if (rest === undefined) return
    const rendered = new RenderedOutput(this.#transcript, this.#emulator, this.#onReply)
    rendered.write(this.#output.replay() + rest)
    this.#output = rendered
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

  /** Nothing more is written. */
  finish(): void {
    if (this.#output instanceof RenderedOutput) this.#output.finish()
  }

  close(): void {
    if (this.#output instanceof RenderedOutput) this.#output.close()
  }
}
