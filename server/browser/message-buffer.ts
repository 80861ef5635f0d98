const END = 0

/** Cuts a stream of bytes into messages that end with a zero byte. */
export class MessageBuffer {
  readonly #limit: number
  #chunks: Buffer[] = []
  #size = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** @returns the messages that are whole now, or undefined when one is longer than the limit */
  append(chunk: Buffer): string[] | undefined {
    const messages: string[] = []
    let rest = chunk
    for (let end = rest.indexOf(END); end !== -1; end = rest.indexOf(END)) {
      messages.push(Buffer.concat([...this.#chunks, rest.subarray(0, end)]).toString())
      this.#chunks = []
      this.#size = 0
      rest = rest.subarray(end + 1)
    }
    this.#size += rest.length
    if (this.#size > this.#limit) return undefined
    if (rest.length > 0) this.#chunks.push(rest)
    return messages
  }
}
