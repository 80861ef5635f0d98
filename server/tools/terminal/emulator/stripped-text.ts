import { ControlSequences } from './control-sequences.ts'

/** Cursor movements to another line. */
const MOVES = 'ABEFHdef'

/** Output without what controls a terminal, as text in lines: what is left where it cannot be rendered. */
export class StrippedText {
  readonly #sequences: ControlSequences
  #output = ''
  /** A line end has come; it counts when something follows it. */
  #returned = false
  #atLineStart = true

  constructor() {
    this.#sequences = new ControlSequences({
      text: text => this.#add(text),
      control: code => this.#control(code),
      escape: (intermediates, final) => {
        if (intermediates === '' && 'DEMc'.includes(final)) this.#endLine()
      },
      csi: ({ prefix, intermediates, final }) => {
        if (prefix === '' && intermediates === '' && MOVES.includes(final)) this.#endLine()
      },
    })
  }

  push(text: string): string {
    this.#sequences.push(text)
    const output = this.#output
    this.#output = ''
    return output
  }

  #add(text: string): void {
    if (this.#returned) this.#endLine()
    this.#returned = false
    this.#output += text
    this.#atLineStart = false
  }

  #control(code: number): void {
    if (code === 0x09) this.#add('\t')
    else if (code === 0x0d) this.#returned = true
    else if ((code >= 0x0a && code <= 0x0c) || code === 0x84 || code === 0x85) {
      this.#returned = false
      this.#output += '\n'
      this.#atLineStart = true
    }
  }

  #endLine(): void {
    if (!this.#atLineStart) this.#output += '\n'
    this.#atLineStart = true
    this.#returned = false
  }
}
