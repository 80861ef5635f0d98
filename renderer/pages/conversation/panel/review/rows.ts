import { diffWordsWithSpace } from 'diff'
import type { ReviewHunk } from '../../../../../server/api/v1/conversation/review.ts'
import type { Stretch } from '../../../../ui/code/CodeText.tsx'
import type { DiffHunk, DiffLine } from '../../timeline/action/diff-lines.ts'

/** Lines that stand beside each other; in the unified view the left one stands above the right one. */
interface Row {
  left: DiffLine | null
  right: DiffLine | null
}

/** Longer lines are not compared word by word. */
const MAX_COMPARED = 500

/** Removed lines beside the added ones that follow them. */
export function rowsOf(lines: readonly DiffLine[]): Row[] {
  const rows: Row[] = []
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]
    if (line?.kind === 'same') {
      rows.push({ left: line, right: line })
      at++
      continue
    }
    const removed = takeWhile(lines, at, 'removed')
    const added = takeWhile(lines, at + removed.length, 'added')
    at += removed.length + added.length
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      rows.push({ left: removed[index] ?? null, right: added[index] ?? null })
    }
  }
  return rows
}

/** The same rows as single lines: those of a block that are removed come before those that are added. */
export function unified(rows: readonly Row[]): { line: DiffLine; row: Row }[] {
  const lines: { line: DiffLine; row: Row }[] = []
  let added: { line: DiffLine; row: Row }[] = []
  for (const row of rows) {
    const isSame = row.left?.kind === 'same'
    if (isSame) {
      lines.push(...added)
      added = []
    }
    if (row.left) lines.push({ line: row.left, row })
    if (row.right && !isSame) added.push({ line: row.right, row })
  }
  return [...lines, ...added]
}

/** What a line has of its own beside its counterpart; null where there is nothing to compare. */
export function stretchesOf({ left, right }: Row, side: 'left' | 'right'): Stretch[] | null {
  if (!left || !right || left.kind === 'same') return null
  if (left.text.length > MAX_COMPARED || right.text.length > MAX_COMPARED) return null
  const parts = diffWordsWithSpace(left.text, right.text, { maxEditLength: 200 })
  // With nothing in common every word would be marked, which says nothing.
  if (!parts?.some(({ added, removed, value }) => !added && !removed && value.trim() !== '')) return null
  const other = side === 'left' ? 'added' : 'removed'
  return parts
    .filter(part => !part[other])
    .map(({ value, added, removed }) => ({ text: value, changed: added || removed }))
}

/** The lines of a hunk, for its revert; null for one that is not exact. */
export function rangeOf({ lines, begins }: DiffHunk): ReviewHunk | null {
  if (!begins) return null
  return {
    original_start: Math.max(1, begins.before),
    original_lines: lines.filter(({ before }) => before !== null).length,
    modified_start: Math.max(1, begins.after),
    modified_lines: lines.filter(({ after }) => after !== null).length,
  }
}

function takeWhile(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): DiffLine[] {
  let end = from
  while (lines[end]?.kind === kind) end++
  return lines.slice(from, end)
}
