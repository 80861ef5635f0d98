import type { CommentAnswer } from '../../../server/api/event/review-comments.ts'
import { Badge } from '../../ui/Badge.tsx'
import { t } from './text.ts'

const OUTCOMES = {
  done: { tone: 'good', word: t('commentDone') },
  explained: { tone: 'accent', word: t('commentExplained') },
  declined: { tone: 'bad', word: t('commentDeclined') },
  question: { tone: 'wait', word: t('commentQuestion') },
} as const satisfies Record<CommentAnswer['outcome'], object>

/** What became of a comment of a review. */
export function OutcomeBadge({ outcome }: Pick<CommentAnswer, 'outcome'>) {
  const { tone, word } = OUTCOMES[outcome]
  return <Badge tone={tone}>{word}</Badge>
}
