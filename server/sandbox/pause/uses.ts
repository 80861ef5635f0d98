/** What uses sandboxes now, and when each was used last. */
export class SandboxUses {
  readonly #counts = new Map<string, number>()
  readonly #lastAt = new Map<string, number>()

  /** Until the returned function is called it is in use. */
  begin(id: string): () => void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      const count = this.#counts.get(id) ?? 0
      if (count > 1) this.#counts.set(id, count - 1)
      else this.#counts.delete(id)
      this.touch(id)
    }
  }

  isInUse(id: string): boolean {
    return this.#counts.has(id)
  }

  touch(id: string): void {
    this.#lastAt.set(id, performance.now())
  }

  /** As `performance.now`; now while it is in use. */
  lastAt(id: string): number {
    const now = performance.now()
    if (this.#counts.has(id)) return now
    const known = this.#lastAt.get(id)
    if (known === undefined) this.#lastAt.set(id, now)
    return known ?? now
  }

  forgetAllBut(ids: ReadonlySet<string>): void {
    for (const id of this.#lastAt.keys()) if (!ids.has(id)) this.#lastAt.delete(id)
  }
}
