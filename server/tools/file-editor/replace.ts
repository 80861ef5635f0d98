import { BOUNDS } from '../../domain/bounds.ts'
import { codeUnits, occurrences } from '../../text/occurrences.ts'
import { lineAt, lineEnd, linesOf, withLineEnd } from './lines.ts'

interface Match {
  start: number
  end: number
}

export type Replacement =
  | { kind: 'replaced'; text: string; start: number; length: number }
  | { kind: 'not-found'; similar: { first: number; last: number; difference: string } | undefined }
  /** `more`: there are other lines than those that are named. */
  | { kind: 'several'; lines: number[]; more: boolean }

/** So many places are named where a text stands several times. */
const MAX_PLACES = 50

/**
 * Replaces the one place where the old text stands. Line ends do not have to match, and the file keeps its own; what is
 * not replaced stays byte for byte. Where nothing matches, white space around the old and the new text is left out.
 */
export function replaceOnce(text: string, oldText: string, newText: string): Replacement {
  const places = new LineNumbers(text)
  let matches = places.of(oldText)
  let replacement = newText
  if (matches.length === 0 && oldText.trim() !== '' && oldText.trim() !== oldText) {
    matches = places.of(oldText.trim())
    replacement = newText.trim()
  }
  const [match] = matches
  if (!match) return { kind: 'not-found', similar: findSimilar(text, oldText) }
  if (matches.length > 1) {
    const lines = matches.slice(0, MAX_PLACES).map(({ start }) => lineAt(text, start))
    return { kind: 'several', lines, more: matches.length > MAX_PLACES }
  }
  const written = withLineEnd(replacement, lineEnd(text))
  const edited = text.slice(0, match.start) + written + text.slice(match.end)
  return { kind: 'replaced', text: edited, start: match.start, length: written.length }
}

/** Finds texts in a file, whatever line ends either has. */
class LineNumbers {
  readonly #units: Uint16Array
  /** Where each unit begins in the file, and the end of the file; undefined where every unit is its own place. */
  readonly #starts: Uint32Array | undefined

  constructor(text: string) {
    const all = codeUnits(text)
    if (!text.includes('\r\n')) {
      this.#units = all
      return
    }
    const starts = new Uint32Array(all.length + 1)
    let kept = 0
    for (let at = 0; at < all.length; at++) {
      starts[kept] = at
      if (all[at] === RETURN && all[at + 1] === NEWLINE) at++
      all[kept++] = all[at] ?? 0
    }
    starts[kept] = all.length
    this.#units = all.subarray(0, kept)
    this.#starts = starts
  }

  /** Places that overlap are places too: which of them is meant nobody can say. One more than can be named is enough. */
  of(wanted: string): Match[] {
    const units = codeUnits(wanted.replaceAll('\r\n', '\n'))
    const found = occurrences(this.#units, units, { limit: MAX_PLACES + 1 })
    return found.map(at => ({ start: this.#start(at), end: this.#start(at + units.length) }))
  }

  #start(at: number): number {
    return this.#starts ? (this.#starts[at] ?? 0) : at
  }
}

const NEWLINE = 10
const RETURN = 13

/** Lines that differ from the wanted ones in white space only: what models most often get wrong. */
function findSimilar(text: string, wanted: string): { first: number; last: number; difference: string } | undefined {
  if (Math.max(text.length, wanted.length) > BOUNDS.similarLines.limit) return undefined
  const wantedLines = linesOf(wanted)
  const isBlank = (line: string | undefined) => line?.trim() === ''
  const from = wantedLines.findIndex(line => !isBlank(line))
  if (from < 0) return undefined
  const meant = wantedLines.slice(from, wantedLines.findLastIndex(line => !isBlank(line)) + 1)
  const lines = linesOf(text)
  const numbers = new Map<string, number>()
  const numberOf = (line: string) => {
    const key = collapseWhitespace(line)
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    return number
  }
  const [at] = occurrences(lines.map(numberOf), meant.map(numberOf), { limit: 1 })
  if (at === undefined) return undefined
  const difference = describe(meant, lines.slice(at, at + meant.length))
  return { first: at + 1, last: at + meant.length, difference }
}

function collapseWhitespace(line: string): string {
  return line.trim().replace(/\s+/g, ' ')
}

function describe(wanted: string[], found: string[]): string {
  const indent = (lines: string[]) => lines.map(line => /^\s*/.exec(line)?.[0] ?? '').join('')
  const tabs = (lines: string[]) => indent(lines).includes('\t')
  if (tabs(wanted) !== tabs(found)) {
    return tabs(found)
      ? 'the file is indented with tabs, old_str with spaces'
      : 'the file is indented with spaces, old_str with tabs'
  }
  if (indent(wanted) !== indent(found)) return 'the indentation is not the same'
  if (wanted.some((line, index) => line.trimEnd() === found[index]?.trimEnd()))
    return 'white space at the end of a line is not the same'
  return 'white space within a line is not the same'
}
