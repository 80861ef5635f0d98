import { type IBufferLine, Terminal } from '@xterm/headless'
import { BOUNDS } from '../../../domain/bounds.ts'
import { COLUMNS, ROWS } from '../size.ts'
import { ERASE_ABOVE, Sanitizer, TAB_MARK } from './sanitizer.ts'

/** What has changed. Each line begins with a line feed, unless the terminal wrapped it: then it continues the one before. */
export interface Rendered {
  /** Lines that have left the screen at its top since the last time. */
  scrolled: string
  /** The whole screen. */
  visible: string
  /** What the terminal answers to questions of the program. */
  replies: string
}

/** What the thread of an emulator is asked for. */
export type EmulatorRequest = { kind: 'begin' } | { kind: 'render'; text: string }

/** So many characters scroll at most as many lines, all of which the emulator keeps until they are read. */
const SLICE_CHARS = 1_000
const SCROLLBACK = SLICE_CHARS + 100
const FORGET_SCROLLED = '\x1b[3J'

/**
 * Output as a terminal shows it. Not for the main thread: hostile output can make it slow. The text it gives depends on the
 * output alone, not on how that is cut into chunks: lines are forgotten at fixed places of it.
 */
export class Emulator {
  readonly #terminal = new Terminal({
    cols: COLUMNS,
    rows: ROWS,
    scrollback: SCROLLBACK,
    allowProposedApi: true,
    logLevel: 'off',
  })
  readonly #sanitizer = new Sanitizer()
  #position = 0
  /** Lines above the screen that are in `#scrolled` already. */
  #read = 0
  #scrolled = ''
  #replies = ''

  constructor() {
    this.#terminal.onData(data => {
      if (this.#replies.length + data.length <= BOUNDS.terminalReplies.limit) this.#replies += data
    })
  }

  /** @param text output that follows what was given before; one call at a time */
  async render(text: string): Promise<Rendered> {
    for (let at = 0; at < text.length; ) {
      const slice = text.slice(at, at + SLICE_CHARS - (this.#position % SLICE_CHARS))
      at += slice.length
      this.#position += slice.length
      await this.#write(this.#sanitizer.push(slice))
      if (this.#position % SLICE_CHARS > 0) continue
      this.#terminal.write('', () => this.#readScrolled())
      this.#terminal.write(FORGET_SCROLLED, () => {
        this.#read = this.#terminal.buffer.normal.baseY
      })
    }
    await this.#settled()
    this.#readScrolled()
    const rendered = { scrolled: this.#scrolled, visible: this.#visible(), replies: this.#replies }
    this.#scrolled = this.#replies = ''
    return rendered
  }

  close(): void {
    this.#terminal.dispose()
  }

  /** The emulator fails to erase up to the screen's last character (it looks for a line after it): go around that. */
  async #write(output: string): Promise<void> {
    const [first = '', ...more] = output.split(ERASE_ABOVE)
    this.#terminal.write(first)
    for (const part of more) {
      await this.#settled()
      const atEdge = this.#terminal.buffer.active.cursorX >= COLUMNS - 1
      this.#terminal.write((atEdge ? `\x1b[D${ERASE_ABOVE}\x1b[C\x1b[X` : ERASE_ABOVE) + part)
    }
  }

  #settled(): Promise<void> {
    return new Promise(resolve => this.#terminal.write('', resolve))
  }

  #readScrolled(): void {
    const buffer = this.#terminal.buffer.normal
    for (; this.#read < buffer.baseY; this.#read++) this.#scrolled += lineText(buffer.getLine(this.#read))
  }

  #visible(): string {
    const buffer = this.#terminal.buffer.active
    let text = ''
    for (let y = buffer.baseY; y < buffer.baseY + ROWS; y++) text += lineText(buffer.getLine(y))
    return text.trimEnd()
  }
}

function lineText(line: IBufferLine | undefined): string {
  if (!line) return ''
  const text = line.translateToString(true).replaceAll(TAB_MARK, '\t')
  return line.isWrapped ? text : `\n${text}`
}
