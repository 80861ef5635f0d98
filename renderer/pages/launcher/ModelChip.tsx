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
  const { data: saved } = useQuery(profilesQuery(useClient()))
  const profiles = saved?.profiles ?? []
  const options = profiles.map(({ name, model: itsModel }) => ({
    value: name,
    label: name,
    detail: <span className="block font-mono text-xs break-all">{itsModel}</span>,
  }))
  return (
    <Chip icon={Cpu} name={t('model')} value={profile || model.trim() || null} empty={fromSettings ?? t('noModel')}>
      <Field label={t('model')} hint={fromSettings ? t('emptyAsInSettings', { fromSettings }) : 'provider/model'}>
        <Suggest
          value={model}
          onValueChange={next => onChange({ model: next, profile: '' })}
          suggestions={suggestions}
          placeholder={fromSettings ?? 'provider/model'}
          mono
        />
      </Field>
      {options.length > 0 ? (
        <RadioChoice
          aria-label={t('savedModels')}
          options={[{ value: '', label: t('noSavedModel'), detail: model.trim() || fromSettings }, ...options]}
          value={profile}
          onValueChange={next => onChange({ model: next === '' ? model : '', profile: next })}
        />
      ) : null}
    </Chip>
  )
}
