import type { ReviewThread, SuggestedChange } from '../../../api/v1/git/pull-request-status.ts'
import type { ProviderThread } from './pull-request-status.ts'

/** A line that begins a block of code, by https://spec.commonmark.org/0.31.2/#fenced-code-blocks, and what it says of it. */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/
/** GitLab may say how many lines above and below the comment's it replaces. */
const SUGGESTION = /^suggestion(?::-(\d{1,3})\+(\d{1,3}))?[ \t]*$/
const MAX_LINE = 10_000_000

/** None for a comment whose lines are those of another version, or of the file before the change. */
export function withSuggestions({ comments, isOutdated, ...thread }: ProviderThread): ReviewThread {
  const { path, start_line, line } = thread
  const read = (text: string) =>
    isOutdated || path === null || line === null ? [] : suggestionsIn(text, start_line ?? line, line)
  return { ...thread, comments: comments.map(comment => ({ ...comment, suggestions: read(comment.text) })) }
}

interface Block {
  fence: string
  /** null for a block that suggests nothing. */
  replaces: { start_line: number; end_line: number } | null
  lines: string[]
}

/**
 * The blocks of a comment that all four providers offer to apply, as in
 * https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests and
 * https://docs.gitlab.com/user/project/merge_requests/reviews/suggestions/.
 */
function suggestionsIn(text: string, start: number, end: number): SuggestedChange[] {
  const found: SuggestedChange[] = []
  let open: Block | null = null
  for (const whole of text.split('\n')) {
    const line = whole.replace(/\r$/, '')
    const [, fence = '', about = ''] = FENCE.exec(line) ?? []
    if (open) {
      if (fence.startsWith(open.fence) && about.trim() === '') {
        const { replaces, lines } = open
        if (replaces && isRange(replaces)) found.push({ ...replaces, text: lines.map(one => `${one}\n`).join('') })
        open = null
      } else open.lines.push(line)
    } else if (fence !== '') open = { fence, replaces: rangeOf(about.trim(), start, end), lines: [] }
  }
  return found
}

function rangeOf(about: string, start_line: number, end: number): Block['replaces'] {
  const [whole, above, below] = SUGGESTION.exec(about) ?? []
  if (whole === undefined) return null
  if (above === undefined) return { start_line, end_line: end }
  return { start_line: Math.max(1, end - Number(above)), end_line: end + Number(below) }
}

function isRange({ start_line, end_line }: NonNullable<Block['replaces']>): boolean {
  return start_line >= 1 && start_line <= end_line && end_line <= MAX_LINE
}
