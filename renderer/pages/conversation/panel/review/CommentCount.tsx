import { MessageSquareText } from 'lucide-react'
import type { SentComment } from '../../../../../server/api/event/review-comments.ts'
import { t } from './text.ts'

/** How many comments on a file the agent has answered. */
export function CommentCount({ comments }: { comments: readonly SentComment[] }) {
  if (comments.length === 0) return null
  const answered = comments.filter(({ answer }) => answer !== null).length
  const words = t('commentsAnswered', { answered: String(answered), count: comments.length })
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className={`flex items-center gap-1 ${answered < comments.length ? 'text-accent' : 'text-faint'}`}
    >
      <MessageSquareText size={12} aria-hidden />
      <span aria-hidden>
        {answered}/{comments.length}
      </span>
    </span>
  )
}
