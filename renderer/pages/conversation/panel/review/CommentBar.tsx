import { useMutation } from '@tanstack/react-query'
import { sendMessage } from '../../../../../server/api/v1/conversation/conversations.ts'
import { useClient } from '../../../../api/session.ts'
import { reviewMessage } from '../../../../state/conversation/review-comments.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { runRules } from '../../composer/run-rules.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from '../text.ts'
import { LastRevert } from './LastRevert.tsx'
import type { Review } from './use-review.ts'

/** The comments that wait, which go to the agent as one message; below them the keys. */
export function CommentBar({ review, onSent }: { review: Review; onSent: () => void }) {
  const { id, info, status, countSent } = useOpenConversation()
  const client = useClient()
  const { comments, forgetComments } = review
  const send = useMutation({
    mutationFn: () => {
      const content = [{ type: 'text' as const, text: reviewMessage(comments) }]
      return client.call(sendMessage, { params: { conversation_id: id }, body: { role: 'user', content, run: true } })
    },
    onSuccess: () => {
      forgetComments()
      countSent()
      onSent()
    },
  })
  return (
    <footer className="flex shrink-0 flex-wrap items-center gap-3 border-line border-t px-4 py-2">
      <p className="hidden min-w-0 flex-1 text-faint text-sm narrow:block">{t('reviewKeys')}</p>
      <LastRevert review={review} />
      {send.error ? <ErrorNotice error={send.error} /> : null}
      <Button
        look="primary"
        busy={send.isPending}
        disabledReason={comments.length === 0 ? t('commentFirst') : runRules(status, info).sendReason}
        onClick={() => send.mutate()}
      >
        {t('sendComments', { count: comments.length })}
      </Button>
    </footer>
  )
}
