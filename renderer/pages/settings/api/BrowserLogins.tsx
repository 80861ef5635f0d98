import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BrowserLogin } from '../../../../server/api/v1/system/logins.ts'
import { useEndLogin, useEndLogins } from '../../../api/logins.ts'
import { loginsQuery } from '../../../api/queries.ts'
import { useClient } from '../../../api/session.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { AlertDialog } from '../../../ui/overlay/AlertDialog.tsx'
import { notifyDone, notifyError } from '../../../ui/overlay/toast.ts'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { LoadingRows, RowList } from '../form/RowList.tsx'
import { t } from './text.ts'

/** The browsers that are logged in; each can be put out, and all at once. */
export function BrowserLogins() {
  const { data: logins, error, refetch, isFetching } = useQuery(loginsQuery(useClient()))
  const [asking, setAsking] = useState(false)
  const end = useEndLogin()
  const endAll = useEndLogins()
  if (error && !logins) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!logins) return <LoadingRows label={t('loadingLogins')} />
  const others = logins.filter(({ is_current }) => !is_current)
  const confirm = () =>
    endAll.mutate(undefined, {
      onSuccess: () => notifyDone(t('otherBrowsersAreLoggedOut')),
      onError: notifyError,
      onSettled: () => setAsking(false),
    })
  return (
    <>
      <RowList label={t('browsers')} empty={logins.length === 0 ? t('noBrowserIsLogged') : null}>
        {logins.map(login => (
          <LoginRow
            key={login.id}
            login={login}
            busy={end.isPending && end.variables === login.id}
            onEnd={() => end.mutate(login.id, { onError: notifyError })}
          />
        ))}
      </RowList>
      {others.length < 2 ? null : (
        <Button size="small" className="self-start" onClick={() => setAsking(true)}>
          {t('endAll')}
        </Button>
      )}
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('logBrowsersOut', { count: others.length })}
        confirm={t('confirmEndAll')}
        busy={endAll.isPending}
        onConfirm={confirm}
      >
        {t('theyAreRefusedAtOnce')}
      </AlertDialog>
    </>
  )
}

export function LoginRow({ login, busy, onEnd }: { login: BrowserLogin; busy: boolean; onEnd: () => void }) {
  const { browser, created_at, last_used_at, is_current } = login
  const name = browser ?? t('anotherProgram')
  return (
    <li className="flex flex-wrap items-center gap-2 border-b border-line py-2 pe-2 ps-3 last:border-b-0">
      <span className="min-w-40 flex-1">
        <span className="block">{name}</span>
        <span className="block text-sm text-faint">
          {t.rich('loggedInAndUsed', {
            created: () => <RelativeTime ago time={created_at} />,
            used: () => <RelativeTime ago time={last_used_at} />,
          })}
        </span>
      </span>
      {is_current ? <Badge>{t('thisBrowser')}</Badge> : null}
      <Button
        size="small"
        aria-label={t('endLoginOfName', { name })}
        busy={busy}
        disabledReason={is_current ? t('itIsLoginYou') : null}
        onClick={onEnd}
      >
        {t('end')}
      </Button>
    </li>
  )
}
