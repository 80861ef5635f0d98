import type { ReviewThread, SuggestedChange } from '../../../api/v1/git/pull-request-status.ts'
import type { ProviderThread } from './pull-request-status.ts'

/** Behind it GitLab may say how many lines above and below the comment's it replaces. */
const FENCE = /^ {0,3}(`{3,})suggestion(?::-(\d{1,3})\+(\d{1,3}))?[ \t]*$/

export function withSuggestions({ comments, ...thread }: ProviderThread): ReviewThread {
  const { path, start_line, line } = thread
  const read = (text: string) => (path === null || line === null ? [] : suggestionsIn(text, start_line ?? line, line))
  return { ...thread, comments: comments.map(comment => ({ ...comment, suggestions: read(comment.text) })) }
}

/**
 * The blocks of a comment that all four providers offer to apply, as in
 * https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/reviewing-changes-in-pull-requests and
 * https://docs.gitlab.com/user/project/merge_requests/reviews/suggestions/.
 */
function suggestionsIn(text: string, start: number, end: number): SuggestedChange[] {
  const found: SuggestedChange[] = []
  let open: { fence: string; start: number; end: number; lines: string[] } | null = null
  for (const whole of text.split('\n')) {
    const line = whole.replace(/\r$/, '')
    if (open) {
      if (line.trim().startsWith(open.fence) && line.trim().replaceAll('`', '') === '') {
        const replaced = open.lines.map(one => `${one}\n`).join('')
        found.push({ start_line: open.start, end_line: open.end, text: replaced })
        open = null
      } else open.lines.push(line)
      continue
    }
    const [, fence, above, below] = FENCE.exec(line) ?? []
    if (fence === undefined) continue
    const isRelative = above !== undefined
    open = {
      fence,
      start: isRelative ? Math.max(1, end - Number(above)) : start,
      end: isRelative ? end + Number(below) : end,
      lines: [],
    }
  }
  return found
}
