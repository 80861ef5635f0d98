import { lineAt, lineEnd, linesOf, withLineEnd } from './lines.ts'

export interface Match {
  start: number
  end: number
}

export type Replacement =
  | { kind: 'replaced'; text: string; start: number; length: number }
  | { kind: 'not-found'; similar: { first: number; last: number; difference: string } | undefined }
  | { kind: 'several'; lines: number[] }

/**
 * Replaces the one place where the old text stands. Line ends do not have to match, and the file keeps its own; what is
 * not replaced stays byte for byte. Where nothing matches, white space around the old and the new text is left out.
 */
export function replaceOnce(text: string, oldText: string, newText: string): Replacement {
  let matches = findAll(text, oldText)
  let replacement = newText
  if (matches.length === 0 && oldText.trim() !== '' && oldText.trim() !== oldText) {
    matches = findAll(text, oldText.trim())
    replacement = newText.trim()
  }
  const [match] = matches
  if (!match) return { kind: 'not-found', similar: findSimilar(text, oldText) }
  if (matches.length > 1) return { kind: 'several', lines: matches.map(({ start }) => lineAt(text, start)) }
  const written = withLineEnd(replacement, lineEnd(text))
  const edited = text.slice(0, match.start) + written + text.slice(match.end)
  return { kind: 'replaced', text: edited, start: match.start, length: written.length }
}

/** Places that overlap are places too: which of them is meant nobody can say. */
function findAll(text: string, wanted: string): Match[] {
  const lines = wanted.split(/\r?\n/).map(line => line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const pattern = new RegExp(`(?=(${lines.join('\\r?\\n')}))`, 'g')
  return [...text.matchAll(pattern)].map(found => ({ start: found.index, end: found.index + (found[1] ?? '').length }))
}

/** Lines that differ from the wanted ones in white space only: what models most often get wrong. */
function findSimilar(text: string, wanted: string): { first: number; last: number; difference: string } | undefined {
  const wantedLines = linesOf(wanted)
  while (wantedLines[0]?.trim() === '') wantedLines.shift()
  while (wantedLines.at(-1)?.trim() === '') wantedLines.pop()
  const squeezed = wantedLines.map(squeeze)
  if (squeezed.length === 0) return undefined
  const lines = linesOf(text)
  const all = lines.map(squeeze)
  for (let at = 0; at + squeezed.length <= all.length; at++) {
    if (!squeezed.every((line, index) => line === all[at + index])) continue
    const difference = describe(wantedLines, lines.slice(at, at + squeezed.length))
    return { first: at + 1, last: at + squeezed.length, difference }
  }
  return undefined
}

function squeeze(line: string): string {
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
