import { useSyncExternalStore } from 'react'
import { useSession } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/ErrorNotice.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { useOpenConversation, useSnapshot } from './context.ts'
import { t } from './text.ts'

/** What stands between the window and the live events; nothing while they come. */
export function ConnectionLine() {
  const { feed } = useOpenConversation()
  const { socket, history, conversation } = useSnapshot(snapshot => snapshot)
  const { updates } = useSession()
  const service = useSyncExternalStore(updates.subscribe, updates.state)
  if (conversation.serverError)
    return (
      <Notice what={conversation.serverError.detail} meaning={t('requestFailed')}>
        <Button size="small" onClick={feed.dismissError}>
          {t('hide')}
        </Button>
      </Notice>
    )
  if (socket.kind === 'refused')
    return (
      <Notice
        what={socket.reason === 'unauthorized' ? t('serviceRefusedThisWindowsKey') : t('serviceNoLonger')}
        meaning={t('whatIsShown')}
      >
        <Button size="small" onClick={feed.retry}>
          {t('tryAgain')}
        </Button>
      </Notice>
    )
  // A service that does not answer at all is said above every page.
  if (socket.kind !== 'waiting' || history.kind === 'failed' || service === 'lost') return null
  return (
    <p role="status" className="flex animate-appear items-center gap-2 text-soft">
      <Spinner size={13} />
      {socket.reason === 'busy' ? t('tooManyWindowsFollow') : t('connectionLost')}
    </p>
  )
}
