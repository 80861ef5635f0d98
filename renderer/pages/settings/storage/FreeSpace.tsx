import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { StorageStatus } from '../../../../server/api/v1/system/storage.ts'
import { useClient } from '../../../api/session.ts'
import { removableQuery } from '../../../api/storage.ts'
import { RemovalDialog } from '../../../components/removal/RemovalDialog.tsx'
import { useNow } from '../../../state/clock.ts'
import { formatBytes } from '../../../state/format.ts'
import { bytesOf, type Choice, choicesOf, UNUSED_DAYS, type UnusedDays } from '../../../state/storage/choices.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Field } from '../../../ui/field/Field.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { ChoiceGroup } from './ChoiceGroup.tsx'
import { Losses } from './Losses.tsx'
import { t } from './text.ts'

const DAYS = UNUSED_DAYS.map(days => ({ value: String(days), label: t('unusedForDays', { days }) }))

/** Everything that can go, with boxes to check; what is lost for good is never checked before a person does it. */
export function FreeSpace({ storage, engineId }: { storage: StorageStatus; engineId: string }) {
  const engine = useQuery(removableQuery(useClient(), engineId))
  const [days, setDays] = useState<UnusedDays>(30)
  /** What a person has changed of what is chosen at first. */
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [asked, setAsked] = useState<readonly Choice[] | null>(null)
  const now = useNow(60_000)
  const choices = choicesOf({
    own: storage.reclaimable,
    engine: { engineId, items: engine.data ?? [] },
    days,
    now,
  })
  const chosen = choices.filter(({ key, mayHoldWork }) => changed.get(key) ?? !mayHoldWork)
  const chosenKeys = new Set(chosen.map(({ key }) => key))
  const choose = (keys: readonly string[], isChosen: boolean) =>
    setChanged(before => new Map([...before, ...keys.map(key => [key, isChosen] as const)]))
  const kinds = [...new Set(choices.map(({ kind }) => kind))]
  return (
    <div className="flex flex-col gap-3">
      <Field label={t('sandboxesNotUsed')} hint={t('archivedAreShownAlways')} error={undefined}>
        <Select
          value={String(days)}
          options={DAYS}
          onValueChange={value => setDays(UNUSED_DAYS.find(each => String(each) === value) ?? days)}
          className="max-w-60"
        />
      </Field>
      <div className="overflow-hidden rounded-md border border-line">
        {kinds.map(kind => (
          <ChoiceGroup
            key={kind}
            kind={kind}
            choices={choices.filter(choice => choice.kind === kind)}
            chosen={chosenKeys}
            onChoose={choose}
          />
        ))}
        {engine.isPending ? (
          <p role="status" className="flex items-center justify-center gap-2 px-3 py-4 text-faint">
            <Spinner /> {t('measuring')}
          </p>
        ) : null}
        {choices.length === 0 && !engine.isPending ? (
          <p className="px-3 py-4 text-center text-faint">{t('thereIsNothingHere')}</p>
        ) : null}
      </div>
      {engine.error ? (
        <ErrorNotice error={engine.error} onRetry={() => void engine.refetch()} retrying={engine.isFetching} />
      ) : null}
      {choices.length > 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="tabular text-soft">
            {t('chosenBytes', { count: chosen.length, bytes: formatBytes(bytesOf(chosen)) })}
          </p>
          <Button
            look="primary"
            disabledReason={chosen.length === 0 ? t('chooseSomethingFirst') : null}
            onClick={() => setAsked(chosen)}
          >
            {t('deleteBytesAsks', { bytes: formatBytes(bytesOf(chosen)) })}
          </Button>
        </div>
      ) : null}
      {asked ? (
        <RemovalDialog
          title={t('deleteWhatIsChosen')}
          choices={asked}
          confirm={t('deleteBytes', { bytes: formatBytes(bytesOf(asked)) })}
          onClose={() => setAsked(null)}
        >
          <Losses choices={asked} />
        </RemovalDialog>
      ) : null}
    </div>
  )
}
