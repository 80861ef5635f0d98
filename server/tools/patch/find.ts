import { BOUNDS } from '../../domain/bounds.ts'
import { occurrences } from '../../text/occurrences.ts'
import { Problem } from '../file-editor/problem.ts'

/**
 * Lines of a patch in a file: first to the letter, then without what models most often get wrong. Each step costs fuzz,
 * as in the format's first implementation: https://github.com/openai/codex (apply-patch, seek_sequence).
 */
const STEPS: readonly { fuzz: number; normal: (line: string) => string }[] = [
  { fuzz: 0, normal: line => line },
  { fuzz: 1, normal: line => line.trimEnd() },
  { fuzz: 10, normal: line => plain(line).trimEnd() },
  { fuzz: 100, normal: line => plain(line).trim() },
]
const NOT_AT_END = 10_000
/** So many places are named where lines stand several times. */
const MAX_PLACES = 10

export interface Found {
  /** Places where the lines stand, the first few of them; the first is the one that is meant. */
  starts: number[]
  fuzz: number
}

/** Lines of one step as numbers: two are equal where their lines are. */
interface Numbered {
  numbers: Map<string, number>
  lines: Int32Array
}

/**
 * The lines of a file, prepared for being searched many times. Each search takes time in proportion to the file.
 * @throws Problem from each search that goes beyond what one patch may cost
 */
export class SearchedLines {
  readonly lines: readonly string[]
  readonly #steps: (Numbered | undefined)[] = []
  #trimmed: string[] | undefined
  #spent = 0

  constructor(lines: readonly string[]) {
    this.lines = lines
  }

  /** @param options `atEnd`: preferably as the file's last lines, which costs nothing then */
  find(wanted: readonly string[], { from, atEnd }: { from: number; atEnd: boolean }): Found | undefined {
    const last = this.lines.length - wanted.length
    for (const [step, { fuzz, normal }] of STEPS.entries()) {
      this.#spend(this.lines.length + wanted.length)
      const { numbers, lines } = this.#step(step)
      const pattern = wanted.map(line => numbers.get(normal(line)) ?? UNKNOWN)
      if (pattern.includes(UNKNOWN)) continue
      if (atEnd && last >= from && occurrences(lines, pattern, { from: last }).length > 0)
        return { starts: [last], fuzz }
      const starts = occurrences(lines, pattern, { from, limit: MAX_PLACES })
      if (starts.length > 0) return { starts, fuzz: fuzz + (atEnd ? NOT_AT_END : 0) }
    }
    return undefined
  }

  /** The line that the anchor names: the whole of it, or its beginning as diffs show it. */
  findAnchor(anchor: string, from: number): number | undefined {
    const wanted = plain(anchor).trim()
    this.#trimmed ??= this.lines.map(line => plain(line).trim())
    const all = this.#trimmed
    for (const test of [(line: string) => line === wanted, (line: string) => line.startsWith(wanted)]) {
      this.#spend(all.length)
      for (let at = from; at < all.length; at++) if (test(all[at] ?? '')) return at
    }
    return undefined
  }

  /** The place where most of the lines stand, and the first that differs there; undefined where hardly any do. */
  nearest(wanted: readonly string[]): { start: number; line: number; found: string; wanted: string } | undefined {
    if (this.lines.length * wanted.length > BOUNDS.nearestLines.limit) return undefined
    const { numbers, lines: all } = this.#step(STEPS.length - 1)
    const pattern = wanted.map(line => {
      const trimmed = plain(line).trim()
      return trimmed === '' ? BLANK : (numbers.get(trimmed) ?? UNKNOWN)
    })
    let best = { start: -1, same: 0 }
    for (let start = 0; start < all.length; start++) {
      let same = 0
      for (let index = 0; index < pattern.length; index++) if (pattern[index] === all[start + index]) same++
      if (same > best.same) best = { start, same }
    }
    if (best.start < 0) return undefined
    const differs = wanted.findIndex((line, index) => !isSame(line, this.lines[best.start + index]))
    const line = best.start + Math.max(0, differs)
    const end = '(the end of the file)'
    return { start: best.start, line, found: this.lines[line] ?? end, wanted: wanted[Math.max(0, differs)] ?? '' }
  }

  #step(step: number): Numbered {
    const normal = STEPS[step]?.normal ?? (line => line)
    this.#steps[step] ??= numbered(this.lines, normal)
    return this.#steps[step]
  }

  #spend(lines: number): void {
    this.#spent += lines
    if (this.#spent > BOUNDS.patchComparisons.limit) {
      throw new Problem(
        'The patch has too many changes for a file of this length. Nothing was changed. Send them in several patches, or make them with a script in the terminal.',
      )
    }
  }
}

/** Numbers of no line of the file. */
const UNKNOWN = -1
const BLANK = -2

function numbered(lines: readonly string[], normal: (line: string) => string): Numbered {
  const numbers = new Map<string, number>()
  const all = Int32Array.from(lines, line => {
    const key = normal(line)
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  })
  return { numbers, lines: all }
}

function isSame(one: string, other: string | undefined): boolean {
  return other !== undefined && plain(one).trim() === plain(other).trim()
}

/** Typographic characters as a keyboard has them. */
function plain(line: string): string {
  return line
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ')
}
