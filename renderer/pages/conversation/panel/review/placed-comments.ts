import type { SentComment } from '../../../../../server/api/event/review-comments.ts'
import { type FoundLine, findLine } from '../../../../state/conversation/review-comments.ts'
import type { DiffHunk } from '../../timeline/action/diff-lines.ts'

type Side = 'before' | 'after'

/** The lines of a file on both sides. */
export type SideLines = Readonly<Record<Side, readonly string[]>>

/** A comment and where its line is now; null where it is not there any more. */
export interface PlacedComment {
  comment: SentComment
  found: FoundLine | null
}

/** The comments of a file by the rows that are shown, and those without a row. */
export interface PlacedComments {
  at: (place: { side: Side; line: number }) => readonly PlacedComment[]
  elsewhere: readonly PlacedComment[]
}

export function placeComments(
  comments: readonly SentComment[],
  lines: SideLines,
  hunks: readonly DiffHunk[],
): PlacedComments {
  const rows = rowsOfLines(hunks)
  const byRow = new Map<string, PlacedComment[]>()
  const elsewhere: PlacedComment[] = []
  for (const comment of comments) {
    const found = findLine(comment, lines[comment.side])
    const row = found && rows.get(keyOf(comment.side, found.line))
    const known = row ? byRow.get(row) : elsewhere
    if (known) known.push({ comment, found })
    else if (row) byRow.set(row, [{ comment, found }])
  }
  return { at: ({ side, line }) => byRow.get(keyOf(side, line)) ?? [], elsewhere }
}

/** Where the file's lines are not known. */
export function unplaced(comments: readonly SentComment[]): PlacedComment[] {
  return comments.map(comment => ({ comment, found: { line: comment.line, isChanged: false } }))
}

/** By line and side, the line and side under which its row is commented on: one that did not change is the one after. */
export function rowsOfLines(hunks: readonly DiffHunk[]): ReadonlyMap<string, string> {
  const rows = new Map<string, string>()
  for (const { before, after } of hunks.flatMap(({ lines }) => lines)) {
    const row = after === null ? keyOf('before', before) : keyOf('after', after)
    if (before !== null) rows.set(keyOf('before', before), row)
    if (after !== null) rows.set(keyOf('after', after), row)
  }
  return rows
}

export function keyOf(side: Side, line: number | null): string {
  return `${side} ${line}`
}

/** As `diffHunks` counts them. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
