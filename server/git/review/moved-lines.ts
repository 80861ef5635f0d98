import { applyPatch } from 'diff'

/** So many lines around them have to be there still. */
const CONTEXT = 3

/**
 * Replaces lines of one text in another that has come from it: where they stand there now, moved up or down by what has
 * changed elsewhere.
 * @returns null when the lines, or those next to them, are not there as they were
 */
export function replaceMovedLines(
  original: string,
  modified: string,
  { first, last, text }: { first: number; last: number; text: string },
): string | null {
  const lines = linesOf(original)
  if (first > last || last > lines.length) return null
  const from = Math.max(0, first - 1 - CONTEXT)
  const before = lines.slice(from, first - 1)
  const removed = lines.slice(first - 1, last)
  const after = lines.slice(last, last + CONTEXT)
  const added = linesOf(text)
  // The last line of a file keeps its end, or the lack of it.
  if (after.length === 0 && !original.endsWith('\n') && added.length > 0) added.push(withoutEnd(added.pop() ?? ''))
  const hunk = {
    oldStart: from + 1,
    oldLines: before.length + removed.length + after.length,
    newStart: from + 1,
    newLines: before.length + added.length + after.length,
    lines: [...signed(' ', before), ...signed('-', removed), ...signed('+', added), ...signed(' ', after)],
  }
  const patch = { oldFileName: '', newFileName: '', oldHeader: '', newHeader: '', hunks: [hunk] }
  const replaced = applyPatch(modified, patch, { fuzzFactor: 0 })
  return replaced === false ? null : replaced
}

/** Each with its end; the last may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** As a patch has them, https://www.gnu.org/software/diffutils/manual/html_node/Incomplete-Lines.html. */
function signed(sign: string, lines: readonly string[]): string[] {
  return lines.flatMap(line =>
    line.endsWith('\n') ? [`${sign}${withoutEnd(line)}`] : [`${sign}${line}`, '\\ No newline at end of file'],
  )
}

function withoutEnd(line: string): string {
  return line.replace(/\n$/, '')
}
