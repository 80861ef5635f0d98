import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** Milliseconds for which what was just asked for is not asked for again. */
const REST_MS = 400

/**
 * Asks again for what has changed: at once, and once more after a rest if it has changed meanwhile. A step of an agent is
 * several changes of its conversation within a moment, and each answer is rendered.
 */
export class StaleQueries {
  readonly #queries: Pick<QueryClient, 'invalidateQueries'>
  /** Whether what was asked for has changed since, by its key. */
  readonly #resting = new Map<string, boolean>()

  constructor(queries: Pick<QueryClient, 'invalidateQueries'>) {
    this.#queries = queries
  }

  add(queryKey: QueryKey): void {
    const name = JSON.stringify(queryKey)
    if (this.#resting.has(name)) {
      this.#resting.set(name, true)
      return
    }
    this.#resting.set(name, false)
    setTimeout(() => {
      const hasChanged = this.#resting.get(name)
      this.#resting.delete(name)
      if (hasChanged) this.add(queryKey)
    }, REST_MS)
    void this.#queries.invalidateQueries({ queryKey })
  }
}
