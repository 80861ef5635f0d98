import { GramFilter } from './gram-filter.ts'
import { TextHashes } from './text-hashes.ts'

interface GramPosition {
  code: string
  at: number
}

export interface Run {
  start: number
  end: number
  /** It reaches the end of the text and may go on after it. */
  mayGoOn: boolean
}

/** A run of so many characters of a code tells what is encoded; fewer come about by themselves. */
const MIN_RUN = 16
/** Of every run of 16 characters, wherever it begins, at least one such part is in the table. */
const GRAM = 8
const STEP = 8
/** Of a code that repeats itself, so many places are looked at. */
const MAX_POSITIONS = 8

/**
 * Finds parts of long codes, as base64 and hexadecimal of a secret, wherever they are cut and broken into lines. Adding a
 * code costs its length, and finding parts of all of them the length of the text.
 */
export class EncodedRuns {
  readonly #filter = new GramFilter()
  readonly #places = new Map<number, GramPosition[]>()

  /** @param code of at least 16 characters, without line breaks */
  add(code: string): void {
    const hashes = new TextHashes(code)
    for (let at = 0; at + GRAM <= code.length; at += STEP) {
      const hash = hashes.first(at, GRAM)
      const places = this.#places.get(hash) ?? []
      if (places.length >= MAX_POSITIONS) continue
      places.push({ code, at })
      this.#places.set(hash, places)
      this.#filter.add(hash)
    }
  }

  /**
   * @param at where 8 characters of the code are looked for
   * @param from where the run may begin at the earliest
   * @returns the longest run around these characters
   */
  around(text: string, hashes: TextHashes, at: number, from: number): Run | undefined {
    if (at + GRAM > text.length) return undefined
    const hash = hashes.first(at, GRAM)
    if (!this.#filter.mayHave(hash)) return undefined
    let longest: Run | undefined
    for (const place of this.#places.get(hash) ?? []) {
      const run = runAround(text, at, from, place)
      if (run && (!longest || run.end - run.start > longest.end - longest.start)) longest = run
    }
    return longest
  }
}

function runAround(text: string, at: number, from: number, place: GramPosition): Run | undefined {
  const { code } = place
  let start = at
  let first = place.at
  for (;;) {
    const before = afterLineBreakBackwards(text, start)
    if (first === 0 || before <= from || text[before - 1] !== code[first - 1]) break
    start = before - 1
    first--
  }
  let end = at
  let next = place.at
  let mayGoOn = false
  for (;;) {
    const after = afterLineBreak(text, end, next > first)
    if (next === code.length) break
    if (after >= text.length) {
      mayGoOn = true
      break
    }
    if (text[after] !== code[next]) break
    end = after + 1
    next++
  }
  return next - first >= MIN_RUN ? { start, end, mayGoOn } : undefined
}

/** Where the text goes on after a line break, if there is one. A carriage return alone may become one. */
function afterLineBreak(text: string, at: number, inside: boolean): number {
  if (!inside) return at
  if (text[at] === '\n') return at + 1
  if (text[at] === '\r' && (text[at + 1] === '\n' || at + 1 === text.length)) return Math.min(at + 2, text.length)
  return at
}

function afterLineBreakBackwards(text: string, at: number): number {
  if (text[at - 1] !== '\n') return at
  return text[at - 2] === '\r' ? at - 2 : at - 1
}
