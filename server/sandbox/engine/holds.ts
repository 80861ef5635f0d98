/** How many things under way need a sandbox. */
export class SandboxHolds {
  readonly #counts = new Map<string, number>()
  readonly #onRelease: (id: string) => void

  constructor(onRelease: (id: string) => void) {
    this.#onRelease = onRelease
  }

  has(id: string): boolean {
    return this.#counts.has(id)
  }

  count(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  /** Until the returned function is called. */
  begin(id: string): () => void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    let isHeld = true
    return () => {
      const count = this.#counts.get(id) ?? 0
      if (isHeld && count > 1) this.#counts.set(id, count - 1)
      else if (isHeld) this.#counts.delete(id)
      isHeld = false
      this.#onRelease(id)
    }
  }
}
