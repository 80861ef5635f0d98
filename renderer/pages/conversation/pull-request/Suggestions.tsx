import { Check } from 'lucide-react'
import type { RevertedFile } from '../../../../server/api/v1/conversation/review.ts'
import type { ReviewThread, SuggestedChange } from '../../../../server/api/v1/git/pull-request-status.ts'
import { useApplySuggestion } from '../../../api/git-state.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { useOpenConversation } from '../context.ts'
import { t } from './text.ts'
import { useReasonAgainst } from './use-reason-against.ts'

/** A file was changed; in words, and what takes it back. */
export type OnChange = (change: { words: string; reverted: RevertedFile }) => void

interface Props {
  thread: ReviewThread
  suggestions: readonly SuggestedChange[]
  onChange: OnChange
}

/** Writes what a comment suggests into the sandbox, one click each. */
export function Suggestions({ thread, suggestions, onChange }: Props) {
  const { id } = useOpenConversation()
  const apply = useApplySuggestion(id)
  const reason = useReasonAgainst()
  if (suggestions.length === 0) return null
  const path = thread.path ?? ''

  function start(suggested: SuggestedChange) {
    if (apply.isPending) return
    // The thread may be gone before the answer: what was applied can be undone all the same.
    apply.mutateAsync({ thread: thread.id, suggested }).then(
      reverted => onChange({ words: t('suggestionApplied', { path }), reverted }),
      () => {},
    )
  }

  return (
    <div className="flex flex-col gap-2 pt-1">
      {apply.error ? <ErrorNotice error={apply.error} /> : null}
      <div className="flex flex-wrap gap-2">
        {suggestions.map((suggested, index) => (
          <Button
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no name of their own, and keep their order
            key={index}
            size="small"
            icon={<Check size={12} aria-hidden />}
            busy={apply.isPending}
            disabledReason={reason}
            onClick={() => start(suggested)}
          >
            {suggestions.length === 1
              ? t('applySuggestion')
              : t('applySuggestionNumber', { number: String(index + 1) })}
          </Button>
        ))}
      </div>
    </div>
  )
}
