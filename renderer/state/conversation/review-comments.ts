import { quotedLine, type ReviewComment } from '../../../server/api/event/review-comments.ts'

type Line = Pick<ReviewComment, 'path' | 'side' | 'line'>

export function isAt(comment: Line, place: Line): boolean {
  return comment.path === place.path && comment.side === place.side && comment.line === place.line
}

/** With one more, or with another text where there is one already; an empty text removes it. */
export function withComment(comments: readonly ReviewComment[], comment: ReviewComment): ReviewComment[] {
  const text = comment.text.trim()
  const others = comments.filter(other => !isAt(other, comment))
  const next = text === '' ? others : [...others, { ...comment, text }]
  return next.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
}

/** A comment with the line and its neighbours, by which it is found again. */
export function commentOn(place: Line, lines: readonly string[], text: string): ReviewComment {
  const at = place.line - 1
  return {
    ...place,
    quoted: quotedLine(lines[at] ?? ''),
    above: at > 0 ? quotedLine(lines[at - 1] ?? '') : null,
    below: at + 1 < lines.length ? quotedLine(lines[at + 1] ?? '') : null,
    text,
  }
}

/** Where the line of a comment is now. */
export interface FoundLine {
  line: number
  /** Whether it says something else now. */
  isChanged: boolean
}

/**
 * Looks for the line of a comment in its file: first the line itself, where its neighbours are the same or else the
 * nearest one; then what now stands between its neighbours.
 *
 * @returns null where nothing tells where it was
 */
export function findLine(
  { line, quoted, above = null, below = null }: Omit<ReviewComment, 'path' | 'side' | 'text'>,
  lines: readonly string[],
): FoundLine | null {
  const at = line - 1
  const isSame = (index: number, text: string | null) =>
    text !== null && index >= 0 && index < lines.length && quotedLine(lines[index] ?? '') === text
  let best: { index: number; score: number } | null = null
  const take = (index: number, score: number) => {
    if (!best || score > best.score || (score === best.score && isNearer(index, best.index, at)))
      best = { index, score }
  }
  for (const index of lines.keys()) {
    const around = (isSame(index - 1, above) ? 1 : 0) + (isSame(index + 1, below) ? 1 : 0)
    const isTold = (isSame(index - 1, above) && isTelling(above)) || (isSame(index + 1, below) && isTelling(below))
    if (isSame(index, quoted)) {
      if (around > 0 || index === at || isTelling(quoted)) take(index, SAME_LINE + around)
    } else if (around === 2 || isTold) take(index, around)
  }
  const found = best as { index: number; score: number } | null
  return found && { line: found.index + 1, isChanged: found.score < SAME_LINE }
}

/** More than its neighbours count together. */
const SAME_LINE = 3

function isNearer(index: number, other: number, to: number): boolean {
  return Math.abs(index - to) < Math.abs(other - to)
}

/** Whether a line is likely to be the only one of its kind: a bracket is not. */
function isTelling(text: string | null): boolean {
  return text !== null && /[\p{L}\p{N}].*[\p{L}\p{N}].*[\p{L}\p{N}]/u.test(text)
}
