import { settledWithin } from '../../async/settled-within.ts'

/** One that takes longer puts the pause off; others are paused meanwhile. */
const MAX_WAIT_MS = 5_000

/** Who looks into sandboxes now. A pause in the middle would freeze what they ask, and with it their answer. */
export class Looks {
  readonly #under = new Map<string, Set<Promise<unknown>>>()

  async during<T>(id: string, work: () => Promise<T>): Promise<T> {
    const looking = work()
    const looks = this.#under.get(id) ?? new Set()
    this.#under.set(id, looks.add(looking))
    try {
      return await looking
    } finally {
      looks.delete(looking)
      if (looks.size === 0) this.#under.delete(id)
    }
  }

  isIn(id: string): boolean {
    return this.#under.has(id)
  }

  /** Resolves when those that look now have ended, or when they take too long. */
  async over(id: string): Promise<void> {
    await settledWithin(MAX_WAIT_MS, Promise.allSettled(this.#under.get(id) ?? []))
  }
}
