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
const MOST_COMPARISONS = 5_000_000

export interface Found {
  /** Every place where the lines stand; the first is the one that is meant. */
  starts: number[]
  fuzz: number
}

/** @param options `atEnd`: preferably as the file's last lines, which costs nothing then */
export function findLines(
  lines: readonly string[],
  wanted: readonly string[],
  { from, atEnd }: { from: number; atEnd: boolean },
): Found | undefined {
  for (const { fuzz, normal } of STEPS) {
    const all = lines.map(normal)
    const pattern = wanted.map(normal)
    const fits = (start: number) => pattern.every((line, index) => line === all[start + index])
    const last = lines.length - wanted.length
    if (atEnd && last >= from && fits(last)) return { starts: [last], fuzz }
    const starts: number[] = []
    for (let start = from; start <= last; start++) if (fits(start)) starts.push(start)
    if (starts.length > 0) return { starts, fuzz: fuzz + (atEnd ? NOT_AT_END : 0) }
  }
  return undefined
}

/** The line that the anchor names: the whole of it, or its beginning as diffs show it. */
export function findAnchor(lines: readonly string[], anchor: string, from: number): number | undefined {
  const wanted = plain(anchor).trim()
  const tests = [
    (line: string) => plain(line).trim() === wanted,
    (line: string) => plain(line).trim().startsWith(wanted),
  ]
  for (const test of tests) {
    const at = lines.findIndex((line, index) => index >= from && test(line))
    if (at >= 0) return at
  }
  return undefined
}

/** The place where most of the lines stand, and the first that differs there; undefined where hardly any do. */
export function nearest(
  lines: readonly string[],
  wanted: readonly string[],
): { start: number; line: number; found: string; wanted: string } | undefined {
  if (lines.length * wanted.length > MOST_COMPARISONS) return undefined
  const all = lines.map(line => plain(line).trim())
  const pattern = wanted.map(line => plain(line).trim())
  let best = { start: -1, same: 0 }
  for (let start = 0; start < all.length; start++) {
    const same = pattern.filter((line, index) => line !== '' && line === all[start + index]).length
    if (same > best.same) best = { start, same }
  }
  if (best.start < 0) return undefined
  const differs = pattern.findIndex((line, index) => line !== all[best.start + index])
  const line = best.start + Math.max(0, differs)
  const end = '(the end of the file)'
  return { start: best.start, line, found: lines[line] ?? end, wanted: wanted[Math.max(0, differs)] ?? '' }
}

/** Typographic characters as a keyboard has them. */
function plain(line: string): string {
  return line
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, ' ')
}
