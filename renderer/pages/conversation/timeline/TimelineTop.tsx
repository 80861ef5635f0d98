import { hasOlder } from '../../../state/conversation/conversation.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { useOpenConversation, useSnapshot } from '../context.ts'
import { t } from './text.ts'

/** Above the oldest loaded event: whether there is more, and that it comes. */
export function TimelineTop() {
  const { feed } = useOpenConversation()
  const history = useSnapshot(snapshot => snapshot.history)
  const isOlderLeft = useSnapshot(({ conversation }) => hasOlder(conversation))
  if (history.kind === 'ready' && !isOlderLeft) return <div className="h-4" />
  return (
    <div className="mx-auto flex min-h-10 max-w-190 items-center justify-center px-6 pt-3 text-faint text-sm">
      {history.kind === 'failed' ? (
        <ErrorNotice error={history.error} onRetry={() => void feed.loadOlder()} />
      ) : history.kind === 'loading_older' ? (
        <span role="status" className="flex items-center gap-2">
          <Spinner size={12} /> {t('loadingOlderEvents')}
        </span>
      ) : (
        <Button size="small" look="quiet" onClick={() => void feed.loadOlder()}>
          {t('loadOlderEvents')}
        </Button>
      )}
    </div>
  )
}
