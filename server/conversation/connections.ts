/** How many clients follow each conversation over the legacy socket. */
export class Connections {
  readonly #counts = new Map<string, number>()

  count(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  /** Returns what ends the connection; more than one call ends it once. */
  enter(id: string): () => void {
    this.#counts.set(id, this.count(id) + 1)
    let left = false
    return () => {
      if (left) return
      left = true
      const others = this.count(id) - 1
      if (others > 0) this.#counts.set(id, others)
      else this.#counts.delete(id)
    }
  }
}
