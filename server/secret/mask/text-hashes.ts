const BASES = { first: 0x01000193, second: 0x85ebca6b } as const
const MAX_KEPT = 2 ** 16

/**
 * Polynomial hashes of every part of a text in constant time each, after one pass over it (Rabin and Karp 1987,
 * https://doi.org/10.1147/rd.312.0249). Two of them together tell texts apart; one alone is a first look.
 */
export class TextHashes {
  readonly length: number
  readonly #text: string
  readonly #first: Int32Array
  #second: Int32Array | undefined

  constructor(text: string) {
    this.length = text.length
    this.#text = text
    this.#first = prefixes(text, BASES.first)
  }

  first(from: number, length: number): number {
    return part(this.#first, from, length, POWERS.first)
  }

  second(from: number, length: number): number {
    this.#second ??= prefixes(this.#text, BASES.second)
    return part(this.#second, from, length, POWERS.second)
  }
}

function prefixes(text: string, base: number): Int32Array {
  const hashes = new Int32Array(text.length + 1)
  let hash = 0
  for (let at = 0; at < text.length; at++) {
    hash = (Math.imul(hash, base) + text.charCodeAt(at) + 1) | 0
    hashes[at + 1] = hash
  }
  return hashes
}

function part(hashes: Int32Array, from: number, length: number, powers: Powers): number {
  return ((hashes[from + length] ?? 0) - Math.imul(hashes[from] ?? 0, powers.of(length))) | 0
}

/** Of a base modulo 2³²; those of short lengths are made once. */
class Powers {
  readonly #base: number
  readonly #kept = new Int32Array(MAX_KEPT)
  #known = 1

  constructor(base: number) {
    this.#base = base
    this.#kept[0] = 1
  }

  of(exponent: number): number {
    if (exponent >= MAX_KEPT) return Math.imul(this.of(exponent >> 1), this.of(exponent - (exponent >> 1)))
    for (; this.#known <= exponent; this.#known++) {
      this.#kept[this.#known] = Math.imul(this.#kept[this.#known - 1] ?? 1, this.#base)
    }
    return this.#kept[exponent] ?? 1
  }
}

const POWERS = { first: new Powers(BASES.first), second: new Powers(BASES.second) }
