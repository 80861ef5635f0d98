import { BOUNDS } from '../../../domain/bounds.ts'

/** An answer that the provider has named with an ETag. */
export interface CachedAnswer {
  etag: string
  body: string
  headers: Headers
}

/** Answers by token and address. Those that were used least recently go first; nothing is written to disk. */
export class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>()
  readonly #limit: number
  #size = 0

  constructor(limit: number = BOUNDS.gitDataCache.limit) {
    this.#limit = limit
  }

  get size(): number {
    return this.#size
  }

  get(key: string): CachedAnswer | undefined {
    const answer = this.#answers.get(key)
    if (!answer) return undefined
    this.#answers.delete(key)
    this.#answers.set(key, answer)
    return answer
  }

  set(key: string, answer: CachedAnswer): void {
    this.#remove(key)
    if (sizeOf(key, answer) > this.#limit) return
    this.#answers.set(key, answer)
    this.#size += sizeOf(key, answer)
    for (const oldest of this.#answers.keys()) {
      if (this.#size <= this.#limit) break
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const answer = this.#answers.get(key)
    if (!answer) return
    this.#answers.delete(key)
    this.#size -= sizeOf(key, answer)
  }
}

/** Headers are counted by a sum of their own: they are bounded where they come in. */
function sizeOf(key: string, { etag, body, headers }: CachedAnswer): number {
  return [...headers].reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    key.length + etag.length + body.length,
  )
}
