import { StringDecoder } from 'node:string_decoder'
import { clipEnd } from '../../text/clip.ts'

const LINES = 200
const MAX_LINE_LENGTH = 500

/** The last lines of a server: what it says beside the protocol, and what happened to it. Nothing secret is kept. */
export class ServerLog {
  readonly #mask: (text: string) => string
  readonly #lines: string[] = []
  readonly #decoder = new StringDecoder('utf8')
  #begun = ''

  constructor(mask: (text: string) => string) {
    this.#mask = mask
  }

  /** Also with values that have become secret since. */
  lines(): string[] {
    return this.#lines.map(this.#mask)
  }

  add(line: string): void {
    const masked = this.#mask(line)
    this.#lines.push(clipEnd(masked, MAX_LINE_LENGTH))
    if (this.#lines.length > LINES) this.#lines.splice(0, this.#lines.length - LINES)
  }

  /** Output as it comes; a line is kept once it is whole, or too long to wait for. */
  write(chunk: Buffer): void {
    const lines = (this.#begun + this.#decoder.write(chunk)).split(/\r?\n/)
    this.#begun = lines.pop() ?? ''
    for (const line of lines.filter(line => line.trim() !== '').slice(-LINES)) this.add(line)
    if (this.#begun.length > 10 * MAX_LINE_LENGTH) this.flush()
  }

  flush(): void {
    if (this.#begun.trim() !== '') this.add(this.#begun)
    this.#begun = ''
  }
}
