import { PassThrough, type Readable } from 'node:stream'

const LINE_FEED = 0x0a

interface Section {
  /** What was printed before the word. */
  stream: Readable
  /** The rest of the word's line, trimmed; undefined when the output ended without it. */
  ended: Promise<string | undefined>
}

/** One output in sections, each of which ends at a word of its own. What comes between two sections belongs to nobody. */
export class SectionedOutput {
  #section: { word: Buffer; stream: PassThrough; end: (rest: string | undefined) => void } | undefined
  /** What may be the beginning of the word, or of its line. */
  #held: Buffer = Buffer.alloc(0)
  #hasEnded = false

  constructor(source: Readable) {
    source.on('data', (chunk: Buffer) => this.#take(chunk))
    source.once('close', () => this.#end())
    source.once('end', () => this.#end())
  }

  /** The one before has ended. */
  section(word: string): Section {
    const stream = new PassThrough()
    let end = (_: string | undefined) => {}
    const ended = new Promise<string | undefined>(resolve => {
      end = resolve
    })
    this.#section = { word: Buffer.from(word), stream, end }
    this.#held = Buffer.alloc(0)
    if (this.#hasEnded) this.#finish(undefined)
    return { stream, ended }
  }

  #take(chunk: Buffer): void {
    if (!this.#section) return
    const { word, stream } = this.#section
    const bytes = this.#held.length > 0 ? Buffer.concat([this.#held, chunk]) : chunk
    const at = bytes.indexOf(word)
    const printed = at === -1 ? bytes.length - beginningAtEnd(bytes, word) : at
    if (printed > 0) stream.write(bytes.subarray(0, printed))
    this.#held = bytes.subarray(printed)
    if (at === -1) return
    const lineEnd = this.#held.indexOf(LINE_FEED)
    if (lineEnd !== -1) this.#finish(this.#held.subarray(word.length, lineEnd).toString().trim())
  }

  #finish(rest: string | undefined): void {
    const section = this.#section
    this.#section = undefined
    section?.stream.end()
    section?.end(rest)
  }

  #end(): void {
    this.#hasEnded = true
    if (this.#section && this.#held.length > 0) this.#section.stream.write(this.#held)
    this.#finish(undefined)
  }
}

/** How many of the last bytes may be the beginning of the word. */
function beginningAtEnd(bytes: Buffer, word: Buffer): number {
  for (let length = Math.min(bytes.length, word.length - 1); length > 0; length--) {
    if (bytes.subarray(bytes.length - length).equals(word.subarray(0, length))) return length
  }
  return 0
}
