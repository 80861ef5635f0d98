import { fromMarkdown } from 'mdast-util-from-markdown'

/**
 * Cuts a text of Markdown that grows at its end into its blocks, so that what is done is neither parsed nor rendered again: of
 * what stands at the top level, only the last block can become another one by what follows (CommonMark 0.31, appendix,
 * phase 1), but for links whose address comes later.
 */
export class GrowingText {
  #text = ''
  #done: readonly string[] = []
  #doneLength = 0

  /** @returns at least one block; together they are the text. All but the last are the same again when the text has grown. */
  cut(text: string): readonly string[] {
    if (!text.startsWith(this.#text)) {
      this.#done = []
      this.#doneLength = 0
    }
    this.#text = text
    const rest = text.slice(this.#doneLength)
    const ends = blockStarts(rest).slice(1)
    const more = ends.map((end, index) => rest.slice(ends[index - 1] ?? 0, end))
    if (more.length > 0) this.#done = [...this.#done, ...more]
    const last = ends.at(-1) ?? 0
    this.#doneLength += last
    return [...this.#done, rest.slice(last)]
  }
}

/** The beginnings of their lines: without its indentation a block can be another one. */
function blockStarts(text: string): number[] {
  return fromMarkdown(text).children.map(({ position }) => {
    const { offset = 0, column = 1 } = position?.start ?? {}
    return offset - (column - 1)
  })
}
