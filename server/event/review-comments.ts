import { ANSWER_REVIEW_COMMENT, commentsIn, type NumberedComment } from '../api/event/review-comments.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { EventLog } from './log.ts'

const REVIEWS = { kind: 'MessageEvent', source: 'user', text: ANSWER_REVIEW_COMMENT } as const
const PAGE = 100

/** The comments of every review in the log of a conversation, on any branch. Each call reads what is new alone. */
export class KnownComments {
  readonly #log: Pick<EventLog, 'search' | 'lastSeq'>
  readonly #id: ConversationId
  readonly #comments: NumberedComment[] = []
  #read = -1

  constructor(log: Pick<EventLog, 'search' | 'lastSeq'>, id: ConversationId) {
    this.#log = log
    this.#id = id
  }

  list(): readonly NumberedComment[] {
    const last = this.#log.lastSeq(this.#id)
    if (last === this.#read) return this.#comments
    for (let pageId: string | null = String(this.#read + 1); pageId !== null; ) {
      const { items, next } = this.#log.search(this.#id, REVIEWS, { order: 'ASC', pageId, limit: PAGE })
      for (const event of items) this.#comments.push(...commentsIn(event, this.#comments.at(-1)?.number ?? 0))
      pageId = next?.pageId ?? null
    }
    this.#read = last
    return this.#comments
  }
}
