/**
 * Those who have shown no key yet. When there are too many, the oldest has to go: so nobody can take all places with
 * connections that say nothing, and whoever has a key gets in.
 */
export class UnauthenticatedClients<Item extends object> {
  readonly #max: number
  readonly #end: (item: Item) => void
  /** In the order in which they came. */
  readonly #waiting = new Set<Item>()

  constructor(max: number, end: (item: Item) => void) {
    this.#max = max
    this.#end = end
  }

  add(item: Item): void {
    this.#waiting.add(item)
    const [oldest] = this.#waiting
    if (this.#waiting.size <= this.#max || !oldest) return
    this.#waiting.delete(oldest)
    this.#end(oldest)
  }

  /** It has shown a key, or is gone. */
  remove(item: Item): void {
    this.#waiting.delete(item)
  }
}
