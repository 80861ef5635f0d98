/** Over so long a rate is measured, and after so long there is one, in milliseconds. */
const WINDOW_MS = 5000
const FIRST_MS = 1000
const SAMPLE_MS = 100

/** How quick a transfer is lately. */
export class TransferRate {
  #samples: { at: number; bytes: number }[] = []

  /**
   * @param bytes that have come so far
   * @param now in milliseconds
   * @returns bytes a second; undefined where that cannot be said yet
   */
  after(bytes: number, now: number): number | undefined {
    const last = this.#samples.at(-1)
    // What begins anew, as a layer whose connection broke does, has no rate yet.
    if (last && bytes < last.bytes) this.#samples = []
    const kept = this.#samples.filter(({ at }) => now - at <= WINDOW_MS)
    // Many layers report often: what came at nearly the same time says nothing more.
    const isNew = kept.length === 0 || now - (kept.at(-1)?.at ?? 0) >= SAMPLE_MS
    this.#samples = isNew ? [...kept, { at: now, bytes }] : kept
    const first = this.#samples[0] ?? { at: now, bytes }
    const elapsed = now - first.at
    return elapsed < FIRST_MS ? undefined : ((bytes - first.bytes) / elapsed) * 1000
  }
}
