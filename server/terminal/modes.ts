/** Bytes that a terminal acts on outside of a sequence; all others are text to it, as far as its modes go. */
const ESCAPE = 0x1b
const SHIFT_OUT = 0x0e
const SHIFT_IN = 0x0f
const BELL = 0x07
const CANCEL = 0x18
const SUBSTITUTE = 0x1a

/** Longer parameters belong to no sequence that sets a mode. */
const MAX_PARAMETERS = 256
/** Attributes of text are added up sequence by sequence, until one takes them all back. */
const MAX_ATTRIBUTES = 32

/** Private modes that outlive the program which set them: cursor keys, screen, mouse, focus, paste and the like. */
const PRIVATE_MODES = new Set([
  1, 5, 6, 7, 9, 12, 25, 45, 47, 66, 1000, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 1047, 1048, 1049, 2004,
])
const ALTERNATE_SCREEN = [47, 1047, 1049]
const MODES = new Set([4, 20])

/**
 * Takes back what a program may have left of modes and attributes. The cursor is kept first: to leave the alternate screen
 * brings it back to where it was kept, and on the other screen that is where the program found it.
 */
export const TAKE_MODES_BACK = '\x1b7\x1b[?1049l\x1b[!p\x1b[?1000;1002;1003;1004;1006;2004l\x1b[?1l\x1b>\x1b[0m'

type State = 'ground' | 'escape' | 'intermediate' | 'csi' | 'string' | 'string-escape'

/**
 * What a terminal would stand at after some bytes, as far as that decides how later bytes look and what keys send: modes,
 * character sets, attributes, margins, the cursor's form. Time is linear in the bytes, memory is bounded, and neither text
 * nor titles are kept.
 */
export class TerminalModes {
  #state: State = 'ground'
  #parameters = ''
  readonly #private = new Map<number, boolean>()
  readonly #ansi = new Map<number, boolean>()
  readonly #charsets = new Map<string, string>()
  #shifted = false
  #keypad = false
  #attributes: string[] = []
  #margins = ''
  #cursor = ''
  #isAtLineStart = true

  /** Between two lines, and not within a sequence: where a replay can begin. */
  get isAtLineStart(): boolean {
    return this.#state === 'ground' && this.#isAtLineStart
  }

  get isBetweenSequences(): boolean {
    return this.#state === 'ground'
  }

  get isAlternateScreen(): boolean {
    return ALTERNATE_SCREEN.some(mode => this.#private.get(mode) === true)
  }

  consume(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0
      if (this.#state === 'ground') this.#ground(byte)
      else this.#inSequence(byte)
    }
  }

  /** Sequences that bring a terminal that was reset to where this one is. */
  sequences(): string {
    const set = (prefix: string) => (entry: readonly [number, boolean]) =>
      `\x1b[${prefix}${entry[0]}${entry[1] ? 'h' : 'l'}`
    return [
      ...[...this.#private].map(set('?')),
      ...[...this.#ansi].map(set('')),
      ...[...this.#charsets].map(([slot, charset]) => `\x1b${slot}${charset}`),
      this.#shifted ? '\x0e' : '',
      this.#keypad ? '\x1b=' : '',
      this.#margins && `\x1b[${this.#margins}r`,
      this.#cursor && `\x1b[${this.#cursor}q`,
      ...this.#attributes.map(parameters => `\x1b[${parameters}m`),
    ].join('')
  }

  #ground(byte: number): void {
    this.#isAtLineStart = byte === 0x0a
    if (byte === ESCAPE) this.#begin('escape')
    else if (byte === SHIFT_OUT) this.#shifted = true
    else if (byte === SHIFT_IN) this.#shifted = false
  }

  #inSequence(byte: number): void {
    if (byte === CANCEL || byte === SUBSTITUTE) return this.#begin('ground')
    if (byte === ESCAPE) return this.#begin(this.#state === 'string' ? 'string-escape' : 'escape')
    switch (this.#state) {
      case 'escape':
        return this.#escape(byte)
      case 'intermediate':
        return this.#intermediate(byte)
      case 'csi':
        return this.#csi(byte)
      case 'string':
        if (byte === BELL) this.#begin('ground')
        return
      case 'string-escape':
        // Without a backslash the string has ended all the same, and another sequence begins.
        if (byte === 0x5c) return this.#begin('ground')
        return this.#escape(byte)
    }
  }

  #begin(state: State): void {
    this.#state = state
    this.#parameters = ''
  }

  #escape(byte: number): void {
    const character = String.fromCharCode(byte)
    if (character === '[') return this.#begin('csi')
    if (']PX^_'.includes(character)) return this.#begin('string')
    if (byte >= 0x20 && byte < 0x30) {
      this.#begin('intermediate')
      this.#parameters = character
      return
    }
    // Line feeds and the like are carried out within a sequence.
    if (byte < 0x20) return
    this.#begin('ground')
    if (character === 'c') this.#reset()
    if (character === '=') this.#keypad = true
    if (character === '>') this.#keypad = false
  }

  #intermediate(byte: number): void {
    if (byte < 0x20) return
    const slot = this.#parameters
    if (byte < 0x30) {
      if (slot.length < 2) this.#parameters += String.fromCharCode(byte)
      return
    }
    if (slot.length === 1 && '()*+'.includes(slot)) this.#charsets.set(slot, String.fromCharCode(byte & 0x7f))
    this.#begin('ground')
  }

  #csi(byte: number): void {
    if (byte < 0x20) return
    if (byte < 0x40) {
      if (this.#parameters.length < MAX_PARAMETERS) this.#parameters += String.fromCharCode(byte)
      return
    }
    const parameters = this.#parameters
    this.#begin('ground')
    if (parameters.length < MAX_PARAMETERS) this.#carryOut(parameters, String.fromCharCode(byte))
  }

  #carryOut(parameters: string, final: string): void {
    if (final === 'h' || final === 'l') return this.#setModes(parameters, final === 'h')
    if (final === 'm' && /^[\d;:]*$/.test(parameters)) return this.#setAttributes(parameters)
    if (final === 'r' && /^[\d;]*$/.test(parameters)) this.#margins = /\d/.test(parameters) ? parameters : ''
    if (final === 'q' && /^\d? $/.test(parameters)) this.#cursor = parameters
    if (final === 'p' && parameters === '!') this.#resetSoftly()
  }

  #setModes(parameters: string, on: boolean): void {
    const isPrivate = parameters.startsWith('?')
    const [known, modes] = isPrivate ? [PRIVATE_MODES, this.#private] : [MODES, this.#ansi]
    for (const parameter of parameters.replace('?', '').split(';')) {
      const mode = Number(parameter)
      if (known.has(mode)) modes.set(mode, on)
    }
  }

  #setAttributes(parameters: string): void {
    if (/^0*(;|$)/.test(parameters)) this.#attributes = []
    if (/[1-9]/.test(parameters)) this.#attributes.push(parameters)
    if (this.#attributes.length > MAX_ATTRIBUTES) this.#attributes.shift()
  }

  #reset(): void {
    this.#resetSoftly()
    this.#private.clear()
    this.#ansi.clear()
    this.#keypad = false
    this.#cursor = ''
  }

  /** The screen and what the mouse and the keys send stay as they are. */
  #resetSoftly(): void {
    for (const mode of [6, 25]) this.#private.delete(mode)
    this.#charsets.clear()
    this.#attributes = []
    this.#shifted = false
    this.#margins = ''
  }
}
