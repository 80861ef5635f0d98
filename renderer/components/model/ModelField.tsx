import { useQuery } from '@tanstack/react-query'
import { localModelsQuery, modelsQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { Field } from '../../ui/field/Field.tsx'
import { Suggest, type Suggestion } from '../../ui/field/Suggest.tsx'
import { t } from '../text.ts'

/** Models of the servers on this machine first, then the known ones. */
export function useModelSuggestions(provider?: string): Suggestion[] {
  const client = useClient()
  const { data: known = [] } = useQuery(modelsQuery(client))
  const { data: servers = [] } = useQuery(localModelsQuery(client))
  const local = servers.flatMap(({ name, models }) => models.map(value => ({ value, hint: name })))
  const listed = known.map(({ name, context_window }) => ({
    value: name,
    ...(context_window ? { hint: `${Math.round(context_window / 1000)}k` } : {}),
  }))
  const all = [...local, ...listed]
  return provider === undefined ? all : all.filter(({ value }) => value.startsWith(`${provider}/`))
}

export interface ModelFieldProps {
  value: string
  onChange: (value: string) => void
  /** Offers only this provider's models. */
  provider?: string
  hint?: string
  label?: string
  error?: string | undefined
}

export function ModelField({ value, onChange, provider, hint, label = t('model'), error }: ModelFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <Suggest
        value={value}
        onValueChange={onChange}
        suggestions={useModelSuggestions(provider)}
        placeholder={`${provider ?? 'provider'}/model`}
        mono
      />
    </Field>
  )
}
