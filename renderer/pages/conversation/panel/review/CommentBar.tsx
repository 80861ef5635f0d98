import { MAX_REVIEW_COMMENTS } from '../../../../../server/api/event/review-comments.ts'
import { useSendComments } from '../../../../api/review.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { runRules } from '../../composer/run-rules.ts'
import { useOpenConversation } from '../../context.ts'
import { LastRevert } from './LastRevert.tsx'
import { t } from './text.ts'
import type { Review } from './use-review.ts'

/** The comments that wait, which go to the agent as one message; below them the keys. */
export function CommentBar({ review, onSent }: { review: Review; onSent: () => void }) {
  const { id, info, status, countSent } = useOpenConversation()
  const { comments, forgetComments } = review
  const sending = useSendComments(id)
  function send() {
    const onSuccess = () => {
      forgetComments()
      countSent()
      onSent()
    }
    sending.mutate(comments, { onSuccess })
  }
  return (
    <footer className="flex shrink-0 flex-wrap items-center gap-3 border-line border-t px-4 py-2">
      <p className="hidden min-w-0 flex-1 text-faint text-sm narrow:block">{t('reviewKeys')}</p>
      <LastRevert review={review} />
      {sending.error ? <ErrorNotice error={sending.error} /> : null}
      <Button
        look="primary"
        busy={sending.isPending}
        disabledReason={countReason(comments.length) ?? runRules(status, info).sendReason}
        onClick={send}
      >
        {t('sendComments', { count: comments.length })}
      </Button>
    </footer>
  )
}

function countReason(count: number): string | null {
  if (count === 0) return t('commentFirst')
  return count > MAX_REVIEW_COMMENTS ? t('tooManyComments', { max: String(MAX_REVIEW_COMMENTS) }) : null
}
