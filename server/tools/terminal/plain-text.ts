import type { Transcript } from './transcript.ts'

/** Colours and the like; they do not change the text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told what to do by control characters
const STYLE = /\x1b\[[\d;:]*m/g
/** Everything else that moves the cursor or changes how text is shown: a screen has to carry it out. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told what to do by control characters
const NEEDS_SCREEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)|(?<!\r)\n/
/** What the next chunk may complete: a line end, an escape sequence, a character of several bytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are told what to do by control characters
const UNFINISHED = /(?:\r|\x1b(?:\[[\d;:]*)?|[\xc2-\xf4]|[\xe0-\xf4][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{2})$/
const LONGEST_UNFINISHED = 32
const LONGEST_LINE = 1_000_000

/**
 * Output that is text and nothing else, which most output is: far faster than rendering it, and the same to the letter.
 * The last lines stay here, where a program may still come back to them; those before go to the transcript.
 */
export class PlainText {
  readonly #transcript: Transcript
  readonly #keptLines: number
  #lines: string[] = []
  #partial = ''
  #unfinished: Buffer = Buffer.alloc(0)

  constructor(transcript: Transcript, keptLines: number) {
    this.#transcript = transcript
    this.#keptLines = keptLines
  }

  /** @returns false when the chunk is not plain; nothing of it has been taken then */
  push(chunk: Buffer): boolean {
    const bytes = this.#unfinished.length > 0 ? Buffer.concat([this.#unfinished, chunk]) : chunk
    const end = bytes.length - unfinishedLength(bytes)
    const raw = bytes.toString('utf8', 0, end).replace(STYLE, '')
    if (NEEDS_SCREEN.test(raw) || this.#partial.length > LONGEST_LINE) return false
    this.#unfinished = Buffer.from(bytes.subarray(end))
    const [first = '', ...more] = raw.split('\r\n')
    this.#partial += first
    if (more.length === 0) return true
    this.#lines = [...this.#lines, this.#partial, ...more.slice(0, -1)]
    this.#partial = more.at(-1) ?? ''
    this.#scroll()
    return true
  }

  /** What brings an empty screen to the same state. */
  replay(): Buffer {
    return Buffer.concat([Buffer.from([...this.#lines, this.#partial].join('\r\n')), this.#unfinished])
  }

  visible(): string {
    const text = [...this.#lines, this.#partial].join('\n')
    return (this.#transcript.begun ? `\n${text}` : text).trimEnd()
  }

  #scroll(): void {
    const above = this.#lines.length - this.#keptLines
    if (above <= 0) return
    this.#transcript.appendLine(this.#lines.slice(0, above).join('\n'))
    this.#lines = this.#lines.slice(above)
  }
}

function unfinishedLength(bytes: Buffer): number {
  const end = bytes.toString('latin1', Math.max(0, bytes.length - LONGEST_UNFINISHED))
  return UNFINISHED.exec(end)?.[0].length ?? 0
}
