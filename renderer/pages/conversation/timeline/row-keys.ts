import type { Item } from '../../../state/conversation/item.ts'

/**
 * Keys of the timeline's rows. The row in which an answer came is the answer's afterwards: it is not rendered again, and
 * what is selected in it stays so.
 */
export class RowKeys {
  /** Rows of answers that came while they were shown, by the keys of their items. */
  readonly #answers = new Map<string, string>()
  #shownAfter: number | null = null

  /** The last row, while the agent works. */
  live(): string {
    return `live ${this.#answers.size}`
  }

  of(item: Item): string {
    return this.#answers.get(item.key) ?? item.key
  }

  /** @param afterSeq where the log stood when the answer that the live row shows began; null while it shows none */
  shown(afterSeq: number | null): void {
    this.#shownAfter = afterSeq
  }

  /** Looks whether the answer that was shown has become an item. */
  update(items: readonly Item[]): void {
    const after = this.#shownAfter
    if (after === null) return
    const answer = items.find(item => item.seq > after && isAnswer(item))
    if (!answer) return
    this.#answers.set(answer.key, this.live())
    this.#shownAfter = null
  }
}

/** Only what the agent says is streamed into the timeline. */
export function isAnswer(item: Item): item is Extract<Item, { kind: 'message' }> {
  return item.kind === 'message' && item.author === 'agent'
}
