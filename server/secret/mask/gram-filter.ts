/** One bit for each of so many hashes: most text has none of the beginnings that are looked for. */
const BITS = 18

/** Says quickly and for certain of most hashes that they were never added. */
export class GramFilter {
  readonly #bits = new Uint8Array(2 ** (BITS - 3))

  add(hash: number): void {
    const at = bitIndex(hash)
    this.#bits[at >> 3] = (this.#bits[at >> 3] ?? 0) | (1 << (at & 7))
  }

  mayHave(hash: number): boolean {
    const at = bitIndex(hash)
    return ((this.#bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0
  }
}

/** The upper bits of a product depend on all bits of its factors. */
function bitIndex(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> (32 - BITS)
}
