import type { Bus } from '../../bus.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { BashHistory } from './history.ts'

interface Dependencies {
  bus: Pick<Bus, 'subscribe'>
  /** In the order of the ids; null for a sandbox that is gone. */
  batch: (ids: readonly string[]) => Promise<readonly unknown[]>
}

/** The histories of all sandboxes: bounded together, and each released with its sandbox. */
export class BashHistories {
  readonly #batch: Dependencies['batch']
  /** The one that was used least recently comes first. */
  readonly #bySandbox = new Map<string, BashHistory>()
  readonly #unsubscribe: () => void

  constructor({ bus, batch }: Dependencies) {
    this.#batch = batch
    this.#unsubscribe = bus.subscribe(change => {
      if (change.resource === 'sandbox' && this.#bySandbox.has(change.id)) void this.#releaseDeleted(change.id)
    })
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

  async #releaseDeleted(sandboxId: string): Promise<void> {
    const [found] = await this.#batch([sandboxId])
    if (found === null) this.#bySandbox.delete(sandboxId)
  }
}
