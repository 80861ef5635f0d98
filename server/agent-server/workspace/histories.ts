import { BOUNDS } from '../../domain/bounds.ts'
import { onSandboxGone, type SandboxesToFollow } from '../../sandbox/engine/gone.ts'
import { BashHistory } from './history.ts'

/** The histories of all sandboxes: bounded together, and each released with its sandbox. */
export class BashHistories {
  /** The one that was used least recently comes first. */
  readonly #bySandbox = new Map<string, BashHistory>()
  readonly #unsubscribe: () => void

  constructor(sandboxes: SandboxesToFollow) {
    this.#unsubscribe = onSandboxGone(sandboxes, id => this.#bySandbox.delete(id))
  }

  of(sandboxId: string): BashHistory {
    const history = this.#bySandbox.get(sandboxId) ?? new BashHistory(() => this.#keepWithinBound())
    this.#bySandbox.delete(sandboxId)
    this.#bySandbox.set(sandboxId, history)
    return history
  }

  /** In characters, of all sandboxes. */
  get size(): number {
    return [...this.#bySandbox.values()].reduce((sum, { size }) => sum + size, 0)
  }

  close(): void {
    this.#unsubscribe()
    this.#bySandbox.clear()
  }

  #keepWithinBound(): void {
    let excess = this.size - BOUNDS.bashHistories.limit
    for (const history of this.#bySandbox.values()) {
      while (excess > 0 && history.size > 0) {
        const before = history.size
        history.forgetOldest()
        excess -= before - history.size
      }
    }
  }
}
