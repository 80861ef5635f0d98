import { COLUMNS, ROWS } from './size.ts'
import type { Transcript } from './transcript.ts'

/**
 * What changes neither the text nor, where the cursor is at the end of the text, its place: colours, erasing to the right,
 * showing the cursor, bracketed paste.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by control characters
const STYLES = /\x1b\[(?:[\d;:]{0,24}m|0?K|\?(?:25|2004)[hl])/g
/** Everything but those that moves the cursor or changes how text is shown: a screen has to carry it out. */
const NEEDS_SCREEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by control characters
  /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]|\r(?!\n)|(?<!\r)\n|\x1b(?!\[(?:[\d;:]{0,24}m|0?K|\?(?:25|2004)[hl]))/
/** What the next chunk may complete: a line end, a control sequence. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by control characters
const UNFINISHED = /(?:\r|\x1b(?:\[(?:[\d;:]{0,24}|\?\d{0,4})?)?)$/
const MAX_UNFINISHED_LENGTH = 32
/** A longer line fills the screen. */
const MAX_LINE_LENGTH = COLUMNS * ROWS

/**
 * Output that is text and nothing else, which most output is: far faster than rendering it, and the same to the letter.
 * The last lines stay here, where a program may still come back to them; those before go to the transcript.
 */
export class PlainText {
  readonly #transcript: Transcript
  /** The last lines, joined by line feeds; the last of them is not complete. */
  #kept = ''
  #partialAt = 0
  #unfinished = ''

  constructor(transcript: Transcript) {
    this.#transcript = transcript
  }

  /** @returns the text from the first place that is not plain; undefined when all of it is */
  push(chunk: string): string | undefined {
    const text = this.#unfinished + chunk
    const complete = text.slice(0, text.length - unfinishedLength(text))
    const end = complete.search(NEEDS_SCREEN)
    const long = this.#add(end < 0 ? complete : complete.slice(0, end))
    if (end < 0 && long === undefined) {
      this.#unfinished = text.slice(complete.length)
      return undefined
    }
    this.#unfinished = ''
    return (long ?? '') + text.slice(end < 0 ? complete.length : end)
  }

  /** What brings an empty screen to the same state. */
  replay(): string {
    return this.#kept.replaceAll('\n', '\r\n')
  }

  visible(): string {
    return (this.#transcript.begun ? `\n${this.#kept}` : this.#kept).trimEnd()
  }

  /** @returns the text from the place at which a line becomes too long */
  #add(plain: string): string | undefined {
    const text = this.#kept + plain.replace(STYLES, '').replaceAll('\r\n', '\n')
    const end = endOfLongLine(text, this.#partialAt)
    this.#kept = end === undefined ? text : text.slice(0, end)
    this.#partialAt = this.#kept.lastIndexOf('\n') + 1
    this.#scroll()
    return end === undefined ? undefined : text.slice(end).replaceAll('\n', '\r\n')
  }

  #scroll(): void {
    let above = this.#partialAt - 1
    for (let lines = 0; lines < ROWS && above >= 0; lines++) above = this.#kept.lastIndexOf('\n', above - 1)
    if (above <= 0) return
    this.#transcript.appendLine(this.#kept.slice(0, above))
    this.#kept = this.#kept.slice(above + 1)
    this.#partialAt -= above + 1
  }
}

/** @param from the beginning of a line */
function endOfLongLine(text: string, from: number): number | undefined {
  let line = from
  while (text.length - line > MAX_LINE_LENGTH) {
    const end = text.lastIndexOf('\n', line + MAX_LINE_LENGTH)
    if (end < line) return line + MAX_LINE_LENGTH
    line = end + 1
  }
  return undefined
}

function unfinishedLength(text: string): number {
  return UNFINISHED.exec(text.slice(-MAX_UNFINISHED_LENGTH))?.[0].length ?? 0
}
