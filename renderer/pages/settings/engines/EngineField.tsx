import { useQuery } from '@tanstack/react-query'
import { DEFAULT_ENGINE } from '../../../../server/api/v1/system/engines.ts'
import { enginesQuery } from '../../../api/sandbox/engines.ts'
import { useClient } from '../../../api/session.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { t } from './text.ts'

interface Props {
  /** Its id; empty is the default one. */
  value: string
  error: string | undefined
  onChange: (engine: string) => void
}

/** Only where there is a choice. */
export function EngineField({ value, error, onChange }: Props) {
  const { data: engines = [] } = useQuery(enginesQuery(useClient()))
  if (engines.length < 2 && value === '') return null
  const isKnown = value === '' || engines.some(({ id }) => id === value)
  const options = [
    ...engines.map(({ id, name, is_default, status }) => ({
      value: id === DEFAULT_ENGINE ? '' : id,
      label: is_default ? t('defaultEngine', { name }) : name,
      ...(status.state !== 'ready' && { hint: t('notAvailable') }),
    })),
    ...(isKnown ? [] : [{ value, label: value, hint: t('engineIsGone') }]),
  ]
  return (
    <Field label={t('engine')} error={error}>
      <Select value={value} options={options} onValueChange={onChange} />
    </Field>
  )
}
