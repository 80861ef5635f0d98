import type { EngineWatch } from '../engine.ts'

/** The watches of an engine that nobody has closed yet. */
export class OpenWatches {
  readonly #open = new Set<EngineWatch>()

  /** @returns the watch as its user closes it */
  add(inner: EngineWatch): EngineWatch {
    const watch = {
      close: () => {
        this.#open.delete(watch)
        inner.close()
      },
    }
    this.#open.add(watch)
    return watch
  }

  close(): void {
    for (const watch of [...this.#open]) watch.close()
  }
}
