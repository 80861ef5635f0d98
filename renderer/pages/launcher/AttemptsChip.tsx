import { Split } from 'lucide-react'
import { MAX_ATTEMPTS } from '../../../server/api/v1/conversation/attempts.ts'
import { AttemptCheck } from '../../components/attempts/AttemptCheck.tsx'
import { AttemptModels } from '../../components/attempts/AttemptModels.tsx'
import { resized } from '../../state/conversation/attempt-choice.ts'
import type { LaunchDraft } from '../../state/launch/launch.ts'
import { Field } from '../../ui/field/Field.tsx'
import { Select } from '../../ui/field/Select.tsx'
import { Chip } from './Chip.tsx'
import { t } from './text.ts'

interface AttemptsChipProps {
  draft: Pick<LaunchDraft, 'attempts' | 'check' | 'model' | 'profile'>
  fromSettings: string | null
  onChange: (fields: Partial<Pick<LaunchDraft, 'attempts' | 'check'>>) => void
}

const COUNTS = Array.from({ length: MAX_ATTEMPTS }, (_, index) => index + 1)

/** How often the task is tried, each time in a sandbox of its own; once is in the conversation itself. */
export function AttemptsChip({ draft, fromSettings, onChange }: AttemptsChipProps) {
  const { attempts, check, model, profile } = draft
  const count = Math.max(1, attempts.length)
  const change = (next: typeof attempts) => onChange({ attempts: next.length > 1 ? next : [] })
  const usual = profile || model.trim() || fromSettings
  return (
    <Chip
      icon={Split}
      name={t('attempts')}
      value={count === 1 ? null : t('attemptCount', { count })}
      empty={t('attemptCount', { count: 1 })}
    >
      <Field label={t('attempts')} hint={count === 1 ? t('triedOnce') : t('triedSeveralTimes')}>
        <Select
          value={String(count)}
          options={COUNTS.map(each => ({ value: String(each), label: String(each) }))}
          onValueChange={chosen => change(resized(attempts, Number(chosen)))}
        />
      </Field>
      {count > 1 && (
        <>
          <AttemptModels models={attempts} onChange={change} usual={usual} emptyMeans={t('emptyIsModelOfTask')} />
          <AttemptCheck check={check} onChange={next => onChange({ check: next })} />
        </>
      )}
    </Chip>
  )
}
