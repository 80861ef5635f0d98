import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { LogLevel } from '../../../../server/api/v1/system/log.ts'
import { useClient } from '../../../api/session.ts'
import { logQuery, useEarlierLines } from '../../../api/system/log.ts'
import { LogControls } from '../../../components/log/LogControls.tsx'
import { filtered, logText, MAX_LOG_LINES } from '../../../state/log-view.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { FullDialog } from '../../../ui/overlay/FullDialog.tsx'
import { notifyError } from '../../../ui/overlay/toast.ts'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { LogList } from './LogList.tsx'
import { t } from './text.ts'

const LEVELS: { value: LogLevel; label: string }[] = [
  { value: 'trace', label: t('allLevels') },
  { value: 'info', label: t('levelInfo') },
  { value: 'warn', label: t('levelWarn') },
  { value: 'error', label: t('levelError') },
]

/** The log of the service, from its end. What is shown is bounded; older lines are read on request. */
export function LogDialog({ onClose }: { onClose: () => void }) {
  const [level, setLevel] = useState<LogLevel>('info')
  const [text, setText] = useState('')
  const [follows, setFollows] = useState(true)
  const { data, error, refetch, isFetching } = useQuery(logQuery(useClient(), useQueryClient(), { follows }))
  const earlier = useEarlierLines()
  const shown = data ? filtered(data.lines, { level, text }) : []
  const before = data && data.lines.length < MAX_LOG_LINES ? data.before : null
  const toolbar = (
    <>
      <Select
        aria-label={t('level')}
        value={level}
        options={LEVELS}
        onValueChange={setLevel}
        className="max-narrow:w-full"
      />
      <LogControls
        filter={text}
        onFilter={setText}
        follows={follows}
        onFollows={setFollows}
        shownText={() => logText(shown)}
      />
    </>
  )
  return (
    <FullDialog title={t('log')} onClose={onClose} toolbar={toolbar} onKeyDown={() => {}}>
      {error && !data ? (
        <div className="max-w-160 p-4">
          <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
        </div>
      ) : null}
      {!error && !data ? <Skeleton label={t('loadingLog')} lines={8} className="p-4" /> : null}
      {data ? (
        <>
          {before ? (
            <Button
              size="small"
              look="quiet"
              className="mx-4 mt-2 self-start"
              busy={earlier.isPending}
              onClick={() => earlier.mutate(before, { onError: notifyError })}
            >
              {t('loadEarlier')}
            </Button>
          ) : null}
          {data.before && !before ? <p className="px-4 pt-2 text-faint text-sm">{t('olderInFiles')}</p> : null}
          {shown.length > 0 ? (
            <LogList lines={shown} follows={follows} />
          ) : (
            <p className="p-4 text-faint">{data.lines.length > 0 ? t('noMatch') : t('noLines')}</p>
          )}
        </>
      ) : null}
    </FullDialog>
  )
}
