import { BOUNDS } from '../../../domain/bounds.ts'

export interface ControlSequence {
  /** One of `<`, `=`, `>`, `?`, or empty. */
  prefix: string
  /** An empty parameter is 0. */
  params: number[]
  intermediates: string
  final: string
}

export interface SequenceHandler {
  text(text: string): void
  /** A control character of its own, C0 or C1. */
  control(code: number): void
  escape(intermediates: string, final: string): void
  csi(sequence: ControlSequence): void
}

const ESCAPE = 0x1b
const MAX_PARAMS = 32
const MAX_INTERMEDIATES = 4
/** Far beyond every screen. */
const MAX_PARAM = 65_535

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
const CONTROL = /[\x00-\x1f\x7f-\x9f]/g
/** What ends a string or begins something else in the middle of it; BEL ends an operating system command alone. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
const STRING_END = /[\x18\x1a\x1b\x80-\x9f]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
const COMMAND_END = /[\x07\x18\x1a\x1b\x80-\x9f]/g

type State = 'ground' | 'escape' | 'csi' | 'command' | 'string'

/**
 * Splits a stream of text into what is shown and what controls a terminal (ECMA-48, with the extensions of xterm:
 * https://vt100.net/emu/dec_ansi_parser). It keeps no more than one sequence's parameters, so any text at all costs
 * time in proportion to its length and no memory. The strings of OSC, DCS, APC, PM and SOS are left out.
 *
 * INVARIANT: however the text is cut into chunks, the handler is called with the same sequences and, joined, the same text.
 */
export class ControlSequences {
  readonly #handler: SequenceHandler
  #state: State = 'ground'
  #prefix = ''
  #params: number[] = []
  #intermediates = ''
  #malformed = false
  #stringLength = 0

  constructor(handler: SequenceHandler) {
    this.#handler = handler
  }

  push(text: string): void {
    let at = 0
    while (at < text.length) {
      if (this.#state === 'ground') at = this.#passText(text, at)
      else if (this.#state === 'command' || this.#state === 'string') at = this.#skipString(text, at)
      else at = this.#readSequence(text, at)
    }
  }

  #passText(text: string, from: number): number {
    CONTROL.lastIndex = from
    const end = CONTROL.exec(text)?.index ?? text.length
    if (end > from) this.#handler.text(text.slice(from, end))
    if (end === text.length) return end
    this.#control(text.charCodeAt(end))
    return end + 1
  }

  /** An end that never comes must not swallow everything that a program shows after it. */
  #skipString(text: string, from: number): number {
    const pattern = this.#state === 'command' ? COMMAND_END : STRING_END
    pattern.lastIndex = from
    const limit = from + BOUNDS.terminalControlString.limit - this.#stringLength
    const end = pattern.exec(text)?.index ?? text.length
    if (end > limit || (end === limit && end === text.length)) {
      this.#state = 'ground'
      return limit
    }
    this.#stringLength += end - from
    if (end === text.length) return end
    this.#state = 'ground'
    const code = text.charCodeAt(end)
    if (code !== 0x07) this.#control(code)
    return end + 1
  }

  #readSequence(text: string, at: number): number {
    const code = text.charCodeAt(at)
    if (code >= 0xa0) {
      this.#state = 'ground'
      return at
    }
    if (code < 0x20 || code >= 0x80) this.#control(code)
    else if (this.#state === 'escape') this.#readEscape(code)
    else this.#readCsi(code)
    return at + 1
  }

  /** Control characters act in the middle of a sequence, too, and most leave it as it is. */
  #control(code: number): void {
    if (code === ESCAPE) this.#begin('escape')
    else if (code === 0x9b) this.#begin('csi')
    else if (code === 0x9d) this.#begin('command')
    else if (code === 0x90 || code === 0x98 || code === 0x9e || code === 0x9f) this.#begin('string')
    else if (code === 0x18 || code === 0x1a || code === 0x9c) this.#state = 'ground'
    else {
      if (code >= 0x80) this.#state = 'ground'
      this.#handler.control(code)
    }
  }

  #begin(state: State): void {
    this.#state = state
    this.#prefix = this.#intermediates = ''
    this.#params = []
    this.#malformed = false
    this.#stringLength = 0
  }

  #readEscape(code: number): void {
    const char = String.fromCharCode(code)
    if (code === 0x7f) return
    if (code < 0x30) this.#addIntermediate(char)
    else if (this.#intermediates === '' && char === '[') this.#begin('csi')
    else if (this.#intermediates === '' && char === ']') this.#begin('command')
    else if (this.#intermediates === '' && 'PX^_'.includes(char)) this.#begin('string')
    else {
      this.#state = 'ground'
      if (!this.#malformed) this.#handler.escape(this.#intermediates, char)
    }
  }

  #readCsi(code: number): void {
    if (code === 0x7f) return
    if (code >= 0x40) {
      this.#state = 'ground'
      if (this.#malformed) return
      const final = String.fromCharCode(code)
      this.#handler.csi({ prefix: this.#prefix, params: this.#params, intermediates: this.#intermediates, final })
    } else if (code < 0x30) this.#addIntermediate(String.fromCharCode(code))
    else if (this.#intermediates !== '') this.#malformed = true
    else if (code >= 0x3c) {
      if (this.#params.length > 0 || this.#prefix !== '') this.#malformed = true
      this.#prefix = String.fromCharCode(code)
    } else this.#readParam(code)
  }

  #readParam(code: number): void {
    if (this.#params.length === 0) this.#params.push(0)
    // A colon separates the parts of one parameter, which matter to colours alone.
    if (code >= 0x3a) {
      if (this.#params.length < MAX_PARAMS) this.#params.push(0)
      else this.#malformed = true
      return
    }
    const last = this.#params.length - 1
    this.#params[last] = Math.min((this.#params[last] ?? 0) * 10 + code - 0x30, MAX_PARAM)
  }

  #addIntermediate(char: string): void {
    if (this.#intermediates.length < MAX_INTERMEDIATES) this.#intermediates += char
    else this.#malformed = true
  }
}
