import { t } from '../text.ts'

/** A remark on one line of the changes. */
export interface ReviewComment {
  path: string
  side: 'before' | 'after'
  line: number
  /** The line as it was shown. */
  quoted: string
  text: string
}

export function isAt(comment: ReviewComment, place: Pick<ReviewComment, 'path' | 'side' | 'line'>): boolean {
  return comment.path === place.path && comment.side === place.side && comment.line === place.line
}

/** With one more, or with another text where there is one already; an empty text removes it. */
export function withComment(comments: readonly ReviewComment[], comment: ReviewComment): ReviewComment[] {
  const text = comment.text.trim()
  const others = comments.filter(other => !isAt(other, comment))
  const next = text === '' ? others : [...others, { ...comment, text }]
  return next.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1))
}

/** All of them as one message for the agent: path, line, the line itself, the remark. */
export function reviewMessage(comments: readonly ReviewComment[]): string {
  const remarks = comments.map(({ path, side, line, quoted, text }) => {
    const place = `${code(path)}, line ${line}${side === 'before' ? ' (before your change)' : ''}`
    return `${place}:\n> ${code(quoted.trim()) || '(empty line)'}\n\n${text}`
  })
  return [t('pleaseAddressReview'), ...remarks].join('\n\n')
}

/** In a fence that is longer than any in the text. */
function code(text: string): string {
  if (text === '') return ''
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map(run => run.length))
  const fence = '`'.repeat(longest + 1)
  const pad = longest > 0 ? ' ' : ''
  return `${fence}${pad}${text}${pad}${fence}`
}
