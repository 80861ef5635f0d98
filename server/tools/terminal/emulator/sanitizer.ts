import { BOUNDS } from '../../../domain/bounds.ts'
import { COLUMNS, ROWS } from '../size.ts'
import { type ControlSequence, ControlSequences } from './control-sequences.ts'

/** Stands for a tab, which a terminal would turn into spaces: `cat Makefile` must show what is in the file. */
export const TAB_MARK = '\ufdd0'

/** Erases from the first character of the screen to the cursor. */
export const ERASE_ABOVE = '\x1b[1J'

/** Sequences that change the text on the screen, with the largest parameter that makes a difference. */
const MAX_PARAM: Readonly<Record<string, number>> = {
  ...Object.fromEntries([...'@ABCDEFGHIPXZ`adefr'].map(final => [final, COLUMNS])),
  ...Object.fromEntries([...'LMST'].map(final => [final, ROWS])),
  ...Object.fromEntries([...'gsu'].map(final => [final, 3])),
}

/** Erasing all lines above the screen (3) would take away what is yet to be read. */
const MAX_ERASE = 2
/** Insert mode, and line feeds that return to the first column. */
const MODES = [4, 20]
/** Character sets, origin, wrapping in both directions, saving the cursor. */
const PRIVATE_MODES = [2, 6, 7, 45, 1048]
const ALTERNATE_SCREEN = [47, 1047, 1049]
const DESIGNATES_CHARACTER_SET = /^[()*+./-]$/

/** What a reset does, without the loss of lines that have left the screen. */
const RESET = '\x1b[?47l\x1b[!p\x1b[r\x1b[?7h\x1b[?45l\x1b[4l\x1b[20l\x1b(B\x1b)B\x0f\x1b[H\x1b[2J'

/** Characters without a width of their own: a terminal adds them to the one before. */
const ZERO_WIDTH = /(?:\p{Mn}|\p{Me}|\p{Cf}|[\u1160-\u11ff]|\u302e|\u302f)+/gu
const MAY_HAVE_ZERO_WIDTH = /\u00ad|[\u0300-\uffff]/

/**
 * What a terminal emulator may be given of a program's output: text and the few sequences that change which text is on the
 * screen, each with parameters that the screen bounds. An emulator takes parameters at their word: 13 bytes of
 * `CSI 2147483647 S` would keep it busy for hours.
 *
 * INVARIANTS: the result consists of whole sequences, and is the same however the input is cut into chunks.
 */
export class Sanitizer {
  readonly #sequences: ControlSequences
  #output = ''
  #fullScreen = false
  /** Characters without a width that the output ends with. */
  #zeroWidth = 0
  /** The last character, for the sequence that repeats it. */
  #last = ''

  constructor() {
    this.#sequences = new ControlSequences({
      text: text => this.#text(text),
      control: code => this.#control(code),
      escape: (intermediates, final) => this.#escape(intermediates, final),
      csi: sequence => this.#csi(sequence),
    })
  }

  push(text: string): string {
    this.#sequences.push(text)
    const output = this.#output
    this.#output = ''
    return output
  }

  #text(text: string): void {
    let shown = text.replaceAll(TAB_MARK, '\ufffd')
    if (MAY_HAVE_ZERO_WIDTH.test(shown)) shown = this.#limitZeroWidth(shown)
    else this.#zeroWidth = 0
    this.#output += shown
    const last = shown.at(-1) ?? this.#last
    this.#last = /[\ud800-\udfff]/.test(last) || this.#zeroWidth > 0 ? '' : last
  }

  #limitZeroWidth(text: string): string {
    const before = this.#zeroWidth
    this.#zeroWidth = 0
    return text.replace(ZERO_WIDTH, (run, at: number) => {
      const room = BOUNDS.terminalCombiningCharacters.limit - (at === 0 ? before : 0)
      const kept = Array.from(run).slice(0, room)
      if (at + run.length === text.length) this.#zeroWidth = (at === 0 ? before : 0) + kept.length
      return kept.join('')
    })
  }

  #emit(sequence: string): void {
    this.#output += sequence
    this.#zeroWidth = 0
    this.#last = ''
  }

  #control(code: number): void {
    if (code === 0x09) this.#emit(this.#fullScreen ? '\t' : TAB_MARK)
    else if (code === 0x08 || (code >= 0x0a && code <= 0x0f)) this.#emit(String.fromCharCode(code))
    else if (code === 0x84) this.#emit('\x1bD')
    else if (code === 0x85) this.#emit('\x1bE')
    else if (code === 0x88) this.#emit('\x1bH')
    else if (code === 0x8d) this.#emit('\x1bM')
  }

  #escape(intermediates: string, final: string): void {
    if (intermediates === '' && final === 'c') {
      this.#fullScreen = false
      this.#emit(RESET)
      return
    }
    const known =
      (intermediates === '' && '78DEHMno|}~'.includes(final)) ||
      (intermediates === '#' && final === '8') ||
      (intermediates === '%' && '@G'.includes(final)) ||
      DESIGNATES_CHARACTER_SET.test(intermediates)
    if (known) this.#emit(`\x1b${intermediates}${final}`)
  }

  #csi({ prefix, params, intermediates, final }: ControlSequence): void {
    const [first = 0] = params
    const kind = prefix + intermediates + final
    if (kind === 'h' || kind === 'l' || kind === '?h' || kind === '?l') this.#setModes(prefix, params, final)
    else if (kind === 'J' || kind === '?J' || kind === 'K' || kind === '?K') {
      if (first <= MAX_ERASE) this.#emit(`\x1b[${first}${final}`)
    } else if (kind === 'b') this.#repeat(first)
    else if (kind === '!p') this.#emit('\x1b[!p')
    else if (isQuestion(kind, first)) this.#emit(`\x1b[${prefix}${first || ''}${intermediates}${final}`)
    else {
      const limit = MAX_PARAM[kind]
      if (limit === undefined) return
      this.#emit(
        `\x1b[${params
          .slice(0, 2)
          .map(value => Math.min(value, limit))
          .join(';')}${final}`,
      )
    }
  }

  #setModes(prefix: string, params: readonly number[], final: string): void {
    for (const mode of params) {
      const alternate = prefix === '?' && ALTERNATE_SCREEN.includes(mode)
      if (!alternate && !(prefix === '?' ? PRIVATE_MODES : MODES).includes(mode)) continue
      if (alternate) this.#fullScreen = final === 'h'
      this.#emit(`\x1b[${prefix}${mode}${final}`)
    }
  }

  /** Done here: an emulator repeats what is in the cell, which may be combining characters that grow each time. */
  #repeat(times: number): void {
    this.#output += this.#last.repeat(Math.min(times || 1, COLUMNS))
  }
}

/** What a program may ask of the terminal: its status, the cursor's position, what it is, and one mode's state. */
function isQuestion(kind: string, first: number): boolean {
  if (kind === 'n') return first === 5 || first === 6
  if (kind === '?n') return first === 6
  return (kind === 'c' && first === 0) || (kind === '>c' && first === 0) || kind === '$p' || kind === '?$p'
}
