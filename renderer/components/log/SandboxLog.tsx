import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { type LogSource, printedLogQuery, sandboxServicesQuery } from '../../api/sandbox/services.ts'
import { useClient } from '../../api/session.ts'
import { printedLines } from '../../state/printed-lines.ts'
import { saveFile } from '../../state/save-file.ts'
import { IconButton } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Select } from '../../ui/field/Select.tsx'
import { FullDialog } from '../../ui/overlay/FullDialog.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { LogControls } from './LogControls.tsx'
import { PrintedLines } from './PrintedLines.tsx'
import { t } from './text.ts'

interface SandboxLogProps {
  sandboxId: string
  isPaused: boolean
  onClose: () => void
}

const OWN = ''

/** What the command of a sandbox, or a service beside it, prints. Only the end of it is read, again and again while it follows. */
export function SandboxLog({ sandboxId, isPaused, onClose }: SandboxLogProps) {
  const client = useClient()
  const [service, setService] = useState(OWN)
  const [words, setWords] = useState('')
  const [follows, setFollows] = useState(true)
  const { data: services } = useQuery(sandboxServicesQuery(client, sandboxId))
  const source: LogSource = { sandboxId, service: service === OWN ? null : service }
  const { data, error, refetch, isFetching } = useQuery(printedLogQuery(client, source, { follows }))
  const shown = printedLines(data?.text ?? '', words)
  const name = [sandboxId, service].filter(Boolean).join('-')
  const begun = (services?.services ?? []).filter(({ state }) => state !== 'not_started')
  const toolbar = (
    <>
      {begun.length > 0 ? (
        <Select
          aria-label={t('logOf')}
          value={service}
          options={[
            { value: OWN, label: t('sandbox') },
            ...begun.map(each => ({ value: each.name, label: each.name })),
          ]}
          onValueChange={setService}
          className="max-narrow:w-full"
        />
      ) : null}
      <LogControls
        filter={words}
        onFilter={setWords}
        follows={follows}
        onFollows={setFollows}
        shownText={() => shown.join('\n')}
      />
      <IconButton
        size="small"
        label={t('saveLog')}
        icon={<Download size={13} aria-hidden />}
        disabledReason={data?.text ? null : t('nothingPrinted')}
        onClick={() => saveFile(new Blob([data?.text ?? ''], { type: 'text/plain' }), `${name}.log`)}
      />
    </>
  )
  return (
    <FullDialog title={t('log')} onClose={onClose} toolbar={toolbar} onKeyDown={() => {}}>
      {error ? (
        <div className="max-w-160 p-4">
          <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
        </div>
      ) : null}
      {!error && !data ? <Skeleton label={t('loadingLog')} lines={8} className="p-4" /> : null}
      {isPaused ? <p className="px-4 pt-2 text-soft">{t('pausedPrintsNothing')}</p> : null}
      {data && shown.length > 0 ? <PrintedLines key={service} lines={shown} follows={follows} /> : null}
      {data && shown.length === 0 ? (
        <div className="flex max-w-160 flex-col gap-1 p-4">
          <p>{data.text === null ? t('noLogIsKept') : data.text === '' ? t('nothingPrinted') : t('noLineMatches')}</p>
          {data.text ? null : <p className="text-soft">{t('whereOutputIs')}</p>}
        </div>
      ) : null}
    </FullDialog>
  )
}
