import { FitAddon } from '@xterm/addon-fit'
import { type ISearchOptions, SearchAddon } from '@xterm/addon-search'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { type ITheme, Terminal } from '@xterm/xterm'
import type { TerminalConnection } from '../../../../state/terminal/connection.ts'
import { isHarmlessAnswer, webAddress } from '../../../../state/terminal/typed.ts'
import '@xterm/xterm/css/xterm.css'

const SCROLLBACK_LINES = 5_000

/** Questions of a program that a terminal answers by itself, as functions of its parser. */
const QUESTIONS = [
  ...['', '>', '='].map(prefix => ({ prefix, final: 'c' })),
  ...['', '?'].map(prefix => ({ prefix, final: 'n' })),
  ...['', '?'].map(prefix => ({ prefix, intermediates: '$', final: 'p' })),
  { prefix: '>', final: 'q' },
  { final: 't' },
]
/** Done as often as their parameter says: `CSI 2147483647 S` would keep the window busy for hours. */
const REPEATED = ['@', 'I', 'L', 'M', 'P', 'S', 'T', 'X', 'Z', 'b']
/** More than any screen has cells in a line, or lines. */
const MAX_REPEATS = 10_000
const COLOUR_QUESTIONS = [4, 10, 11, 12]
const CLIPBOARD = 52

export interface TerminalLook {
  fontFamily: string
  fontSize: number
  screenReaderMode: boolean
  theme: ITheme
}

/** Of web pages alone. */
export interface TerminalLinks {
  onHover(address: string | null): void
  onFollow(address: string): void
}

/**
 * The terminal on the screen. What programs write can neither reach the clipboard, open anything but web pages, nor type
 * more than the standard reports of a terminal about itself, nor hold up the window.
 */
export class TerminalView {
  readonly terminal: Terminal
  readonly search = new SearchAddon()
  readonly #fit = new FitAddon()
  #connection: TerminalConnection | undefined
  /** What is written was shown before: its questions were answered then. */
  #isReplaying = false
  #isAnswering = false
  #replayLeft = 0
  /** Programs draw for the width that the service names, and it is not ours to change. */
  readonly #keepsWidth: boolean

  constructor(look: TerminalLook, links: TerminalLinks, keepsWidth: boolean) {
    this.#keepsWidth = keepsWidth
    const hover = {
      hover: (_event: unknown, uri: string) => links.onHover(webAddress(uri) ?? null),
      leave: () => links.onHover(null),
    }
    const activate = (_event: unknown, uri: string) => {
      const address = webAddress(uri)
      if (address) links.onFollow(address)
    }
    this.terminal = new Terminal({
      ...look,
      allowProposedApi: true, // the marks of the search
      scrollback: SCROLLBACK_LINES,
      minimumContrastRatio: 4.5,
      cursorBlink: false,
      linkHandler: { activate, ...hover, allowNonHttpProtocols: false },
    })
    this.terminal.loadAddon(this.#fit)
    this.terminal.loadAddon(this.search)
    this.terminal.loadAddon(new WebLinksAddon(activate, hover))
    this.#guard()
  }

  /** @returns a function that takes it off the page again */
  open(element: HTMLElement): void {
    this.terminal.open(element)
  }

  connect(connection: TerminalConnection): void {
    this.#connection = connection
    this.terminal.onData(data => {
      if (!this.#isAnswering) return connection.type(data)
      if (!this.#isReplaying && isHarmlessAnswer(data)) connection.answer(data)
    })
    this.terminal.onBinary(data => connection.type(Uint8Array.from(data, character => character.charCodeAt(0) & 0xff)))
  }

  beginAnew({ cols, rows }: { cols: number; rows: number }, bytes: number): void {
    this.#replayLeft = bytes
    this.terminal.write('', () => {
      this.#isReplaying = bytes > 0
      this.terminal.reset()
      this.terminal.resize(cols, rows)
    })
    // The service keeps the size of whoever looked last.
    this.terminal.write('', () => this.fit())
  }

  write(bytes: Uint8Array, shown: () => void): void {
    const before = bytes.subarray(0, this.#replayLeft)
    this.#replayLeft -= before.length
    const last = this.#replayLeft === 0
    if (before.length > 0) {
      this.terminal.write(before, () => {
        if (last) this.#isReplaying = false
      })
    }
    this.terminal.write(bytes.subarray(before.length), shown)
  }

  /** Takes the room that there is. */
  fit(): void {
    const size = this.#fit.proposeDimensions()
    if (!size || Number.isNaN(size.cols) || Number.isNaN(size.rows)) return
    const cols = this.#keepsWidth ? this.terminal.cols : Math.max(2, size.cols)
    const rows = Math.max(1, size.rows)
    if (cols === this.terminal.cols && rows === this.terminal.rows) return
    this.terminal.resize(cols, rows)
    this.#connection?.resize(cols, rows)
  }

  find(text: string, direction: 'next' | 'previous', options: ISearchOptions): void {
    if (direction === 'next') this.search.findNext(text, options)
    else this.search.findPrevious(text, options)
  }

  dispose(): void {
    this.terminal.dispose()
  }

  #guard(): void {
    const { parser } = this.terminal
    const onQuestion = () => {
      if (this.#isReplaying) return true
      this.#isAnswering = true
      // The answer comes within this turn; no key can come between.
      queueMicrotask(() => {
        this.#isAnswering = false
      })
      return false
    }
    for (const final of REPEATED) parser.registerCsiHandler({ final }, ([count]) => Number(count) > MAX_REPEATS)
    for (const question of QUESTIONS) parser.registerCsiHandler(question, onQuestion)
    for (const number of COLOUR_QUESTIONS)
      parser.registerOscHandler(number, data => (data.includes('?') ? onQuestion() : false))
    // No program needs what is answered here, and a shell would take it for keys.
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true)
    parser.registerOscHandler(CLIPBOARD, () => true)
  }
}
