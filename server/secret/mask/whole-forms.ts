import { GramFilter } from './gram-filter.ts'
import { TextHashes } from './text-hashes.ts'

interface Form {
  length: number
  hashes: TextHashes
}

const MIN_LENGTH = 6
/** Longer forms are looked for by their beginning of so many characters, then as a whole. */
const PROBE = 24
/** With more of the same beginning, which no real secret has, the beginning alone is hidden. */
const MAX_SAME_PREFIX = 8

/**
 * Texts of at least 6 characters that are found as a whole. Adding one costs its length; finding all of them costs the
 * length of the text, whatever was added.
 */
export class WholeForms {
  readonly #known = new Set<string>()
  readonly #beginnings = new GramFilter()
  /** By the length of the probe, by its hash; the longest first. */
  readonly #byProbe: (Map<number, Form[]> | undefined)[] = []
  /** Hashes of the proper beginnings, by their length. */
  readonly #prefixes: (Set<number> | undefined)[] = []

  add(text: string): void {
    if (text.length < MIN_LENGTH || this.#known.has(text)) return
    this.#known.add(text)
    const hashes = new TextHashes(text)
    const probe = Math.min(text.length, PROBE)
    const table: Map<number, Form[]> = this.#byProbe[probe] ?? new Map()
    this.#byProbe[probe] = table
    const alike = table.get(hashes.first(0, probe)) ?? []
    if (alike.length >= MAX_SAME_PREFIX) {
      this.add(text.slice(0, PROBE - 1))
      return
    }
    alike.push({ length: text.length, hashes })
    alike.sort((a, b) => b.length - a.length)
    table.set(hashes.first(0, probe), alike)
    this.#beginnings.add(hashes.first(0, MIN_LENGTH))
    this.addBeginning(text, hashes)
  }

  /** Text that begins like this is held back while it grows, as one of a form is. */
  addBeginning(text: string, hashes: TextHashes = new TextHashes(text.slice(0, PROBE))): void {
    for (let length = 1; length < Math.min(text.length, PROBE); length++) {
      const prefixes = this.#prefixes[length] ?? new Set()
      this.#prefixes[length] = prefixes.add(hashes.first(0, length))
    }
  }

  /** @returns the length of the longest form that begins there, 0 for none */
  longestAt(text: TextHashes, at: number): number {
    const room = text.length - at
    if (room < MIN_LENGTH || !this.#beginnings.mayHave(text.first(at, MIN_LENGTH))) return 0
    for (let probe = Math.min(PROBE, room); probe >= MIN_LENGTH; probe--) {
      const alike = this.#byProbe[probe]?.get(text.first(at, probe))
      const found = alike?.find(form => form.length <= room && isSame(text, at, form, form.length))
      if (found) return found.length
    }
    return 0
  }

  /** Whether the text from there to its end is the beginning of a form that is longer. */
  mayGoOn(text: TextHashes, at: number): boolean {
    const length = text.length - at
    if (length < PROBE) return this.#prefixes[length]?.has(text.first(at, length)) ?? false
    const alike = this.#byProbe[PROBE]?.get(text.first(at, PROBE))
    return alike?.some(form => form.length > length && isSame(text, at, form, length)) ?? false
  }
}

function isSame(text: TextHashes, at: number, form: Form, length: number): boolean {
  return (
    text.first(at, length) === form.hashes.first(0, length) && text.second(at, length) === form.hashes.second(0, length)
  )
}
