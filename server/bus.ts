import type { ChangeFrame } from './api/v1/system/system.ts'

/** What has changed, for those who show it. Never carries data: a reader fetches what it needs. */
export type Change = ChangeFrame

export type ChangeListener = (change: Change) => void

/** In-process publish and subscribe. Listeners must not throw. */
export class Bus {
  readonly #listeners = new Set<ChangeListener>()

  publish(change: Change): void {
    for (const listener of [...this.#listeners]) listener(change)
  }

  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
