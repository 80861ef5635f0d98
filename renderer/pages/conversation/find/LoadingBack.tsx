import { Button } from '../../../ui/Button.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { useOpenConversation, useSnapshot } from '../context.ts'
import { t } from './text.ts'

/** How far the way back to an event is, which can be given up. */
export function LoadingBack() {
  const { cancelJump } = useOpenConversation()
  const history = useSnapshot(snapshot => snapshot.history)
  if (history.kind !== 'loading_back') return null
  return (
    <div
      role="status"
      className="popup absolute top-2 left-1/2 z-10 flex -translate-x-1/2 animate-appear items-center gap-2 px-3 py-1.5 text-sm"
    >
      <Spinner size={12} />
      <span className="tabular whitespace-nowrap">
        {t('loadingBack', { loaded: history.loaded, wanted: history.wanted })}
      </span>
      <Button size="small" look="quiet" onClick={cancelJump}>
        {t('cancel')}
      </Button>
    </div>
  )
}
