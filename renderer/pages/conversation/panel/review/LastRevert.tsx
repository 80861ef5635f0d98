import { useUndoRevert } from '../../../../api/review.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'
import type { Review } from './use-review.ts'

/** What was reverted last, and the way back. */
export function LastRevert({ review }: { review: Review }) {
  const { id } = useOpenConversation()
  const undo = useUndoRevert(id)
  const { last, setReverted } = review
  if (!last) return null
  return (
    <div role="status" className="flex items-center gap-2">
      <span>{last.words}</span>
      <Button
        size="small"
        busy={undo.isPending}
        onClick={() => undo.mutate(last.reverted, { onSuccess: () => setReverted(null) })}
      >
        {t('undo')}
      </Button>
      {undo.error ? <ErrorNotice error={undo.error} /> : null}
    </div>
  )
}
