/** What a parser found in the part of a text that is not done: where each of its blocks begins, in characters. */
interface Parsed {
  readonly rest: string
  readonly starts: readonly number[]
}

/**
 * Cuts a text of blocks that grows at its end, so that what is done is neither parsed nor rendered again: of what a parser of
 * Markdown has found at the top level, only the last block can become another one by what follows (CommonMark 0.31, appendix,
 * phase 1), but for links whose address comes later.
 */
export class GrowingText {
  #text = ''
  #blocks: readonly string[] = []
  #parsed: Parsed | undefined

  /** @returns blocks that are done, and the rest, which is to be parsed. The same text gives the same blocks. */
  cut(text: string): { blocks: readonly string[]; rest: string } {
    if (!text.startsWith(this.#text)) this.#blocks = []
    this.#text = text
    const done = this.#blocks.reduce((sum, block) => sum + block.length, 0)
    const rest = text.slice(done)
    const { rest: known = '', starts = [] } = this.#parsed ?? {}
    if (starts.length < 2 || !rest.startsWith(known)) return { blocks: this.#blocks, rest }
    const more = starts.slice(1).map((end, index) => rest.slice(index === 0 ? 0 : starts[index], end))
    this.#blocks = [...this.#blocks, ...more]
    this.#parsed = undefined
    return { blocks: this.#blocks, rest: rest.slice(starts.at(-1)) }
  }

  /** Tells what a parser has found in a rest. */
  tell(parsed: Parsed): void {
    this.#parsed = parsed
  }
}
