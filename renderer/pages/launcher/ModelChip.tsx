import { useQuery } from '@tanstack/react-query'
import { Cpu } from 'lucide-react'
import { profilesQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { useModelSuggestions } from '../../components/model/ModelField.tsx'
import type { LaunchDraft } from '../../state/launch/launch.ts'
import { Field } from '../../ui/field/Field.tsx'
import { RadioChoice } from '../../ui/field/RadioChoice.tsx'
import { Suggest } from '../../ui/field/Suggest.tsx'
import { Chip } from './Chip.tsx'
import { t } from './text.ts'

interface ModelChipProps {
  draft: Pick<LaunchDraft, 'model' | 'profile'>
  fromSettings: string | null
  onChange: (fields: Pick<LaunchDraft, 'model' | 'profile'>) => void
}

/** The model of the conversation: that of the settings, another one, or one that was saved with its address and key. */
export function ModelChip({ draft: { model, profile }, fromSettings, onChange }: ModelChipProps) {
  const suggestions = useModelSuggestions()
  const { data } = useQuery(profilesQuery(useClient()))
  const profiles = data?.profiles ?? []
  const isGone = profile !== '' && data !== undefined && profiles.every(({ name }) => name !== profile)
  const saved = profiles.map(({ name, model: itsModel }) => option(name, name, itsModel ?? ''))
  return (
    <Chip icon={Cpu} name={t('model')} value={profile || model.trim() || null} empty={fromSettings ?? t('noModel')}>
      <Field
        label={t('model')}
        hint={profile ? undefined : fromSettings ? t('emptyAsInSettings', { fromSettings }) : 'provider/model'}
      >
        <Suggest
          value={profile ? '' : model}
          onValueChange={next => onChange({ model: next, profile: '' })}
          suggestions={suggestions}
          placeholder={fromSettings ?? 'provider/model'}
          mono
        />
      </Field>
      {saved.length > 0 || isGone ? (
        <>
          <p aria-hidden className="mt-2">
            {t('savedModels')}
          </p>
          <RadioChoice
            aria-label={t('savedModels')}
            options={[
              option('', t('noSavedModel'), model.trim() || (fromSettings ?? '')),
              ...saved,
              ...(isGone ? [{ value: profile, label: profile, detail: t('savedModelGone') }] : []),
            ]}
            value={profile}
            onValueChange={next => onChange({ model, profile: next })}
          />
        </>
      ) : null}
    </Chip>
  )
}

function option(value: string, label: string, model: string) {
  return { value, label, detail: <span className="block font-mono text-xs break-all">{model}</span> }
}
