import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/session.ts'
import { removableQuery } from '../../api/storage.ts'
import { ChoiceRow } from '../../components/removal/ChoiceRow.tsx'
import { RemovalDialog } from '../../components/removal/RemovalDialog.tsx'
import { formatBytes } from '../../state/format.ts'
import { bytesOf, IDLE_DAYS, type IdleDays, idleSandboxes } from '../../state/storage/choices.ts'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { Field } from '../../ui/field/Field.tsx'
import { Select } from '../../ui/field/Select.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { t } from './text.ts'

const DAYS = IDLE_DAYS.map(days => ({ value: String(days), label: t('forDays', { days }) }))

/** All sandboxes that nobody has used for some days. What they are is asked when it opens: an older answer may lack a use since. */
export function DeleteUnused({ engineIds, onClose }: { engineIds: readonly string[]; onClose: () => void }) {
  const client = useClient()
  const [openedAt] = useState(Date.now)
  const [days, setDays] = useState<IdleDays>(7)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const asked = useQueries({
    queries: engineIds.map(id => ({ ...removableQuery(client, id), staleTime: 0, refetchOnWindowFocus: false })),
  })
  const engines = asked.flatMap(({ data, dataUpdatedAt }, index) =>
    data && dataUpdatedAt >= openedAt ? [{ engineId: engineIds[index] ?? '', items: data }] : [],
  )
  const isLooking = asked.some(({ isFetching }) => isFetching)
  const failed = asked.filter(({ isError }) => isError)
  const idle = idleSandboxes(engines, days, openedAt)
  const chosen = idle.filter(({ key }) => !left.has(key))
  function choose(key: string, isChosen: boolean) {
    setLeft(before => new Set(isChosen ? [...before].filter(each => each !== key) : [...before, key]))
  }
  return (
    <RemovalDialog
      title={t('deleteUnused')}
      choices={chosen}
      confirm={chosen.length > 0 ? t('deleteSandboxes', { count: chosen.length }) : t('delete')}
      disabledReason={chosen.length > 0 ? null : idle.length > 0 ? t('chooseOneFirst') : t('noneIsUnused')}
      onClose={onClose}
    >
      <Field label={t('notUsed')}>
        <Select
          value={String(days)}
          options={DAYS}
          onValueChange={value => setDays(IDLE_DAYS.find(each => String(each) === value) ?? days)}
        />
      </Field>
      {isLooking ? (
        <p role="status" className="flex items-center gap-2 text-faint">
          <Spinner /> {t('lookingForUnused')}
        </p>
      ) : null}
      {failed.map(({ error, refetch }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: engines that failed have nothing else to tell them by
        <ErrorNotice key={index} error={error} onRetry={() => void refetch()} />
      ))}
      {idle.length > 0 ? (
        <ul
          aria-label={t('unusedSandboxes')}
          className="max-h-64 shrink-0 overflow-y-auto rounded-md border border-line [&>:first-child]:border-t-0"
        >
          {idle.map(choice => (
            <ChoiceRow
              key={choice.key}
              choice={choice}
              isChosen={!left.has(choice.key)}
              onChoose={isChosen => choose(choice.key, isChosen)}
            />
          ))}
        </ul>
      ) : null}
      {idle.length === 0 && !isLooking && failed.length === 0 ? <p className="text-soft">{t('noneIsUnused')}</p> : null}
      {chosen.length > 0 ? (
        <p>
          {t('bytesAreFreed', { bytes: formatBytes(bytesOf(chosen)) })} {t('theirFilesAreLost')}
        </p>
      ) : null}
      <p className="text-soft">{t('whatIsKept')}</p>
    </RemovalDialog>
  )
}
