import { hashKey, type QueryClient, type QueryKey } from '@tanstack/react-query'

const MIN_INTERVAL_MS = 400

/**
 * Invalidates queries at once, and the same ones again only after an interval, if they have changed meanwhile. A step of an
 * agent is several changes of its conversation within a moment, and each answer is rendered.
 */
export class ThrottledInvalidation {
  readonly #queries: Pick<QueryClient, 'invalidateQueries'>
  /** Whether what was invalidated within the interval has changed since, by the hash of its key. */
  readonly #recent = new Map<string, boolean>()

  constructor(queries: Pick<QueryClient, 'invalidateQueries'>) {
    this.#queries = queries
  }

  invalidate(queryKey: QueryKey): void {
    const hash = hashKey(queryKey)
    if (this.#recent.has(hash)) {
      this.#recent.set(hash, true)
      return
    }
    this.#recent.set(hash, false)
    setTimeout(() => {
      const hasChanged = this.#recent.get(hash)
      this.#recent.delete(hash)
      if (hasChanged) this.invalidate(queryKey)
    }, MIN_INTERVAL_MS)
    void this.#queries.invalidateQueries({ queryKey })
  }
}
