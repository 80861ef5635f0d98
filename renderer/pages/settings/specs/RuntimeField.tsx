import { useQuery } from '@tanstack/react-query'
import { DEFAULT_ENGINE } from '../../../../server/api/v1/system/engines.ts'
import { enginesQuery } from '../../../api/sandbox/engines.ts'
import { useClient } from '../../../api/session.ts'
import { Field } from '../../../ui/field/Field.tsx'
import { Select } from '../../../ui/field/Select.tsx'
import { t } from './text.ts'

interface Props {
  /** Empty is the default one. */
  engineId: string
  value: string
  onChange: (runtime: string) => void
}

/** Only where there is a choice: most engines have their default alone. */
export function RuntimeField({ engineId, value, onChange }: Props) {
  const { data: engines = [] } = useQuery(enginesQuery(useClient()))
  const status = engines.find(({ id }) => id === (engineId || DEFAULT_ENGINE))?.status
  const runtimes = status?.state === 'ready' ? status.runtimes : []
  const [first, ...others] = runtimes
  if (others.length === 0 && value === '') return null
  const isKnown = value === '' || runtimes.some(({ name }) => name === value)
  const options = [
    { value: '', label: first ? t('defaultRuntime', { name: first.name }) : t('default'), ...hint(first) },
    ...runtimes.map(runtime => ({ value: runtime.name, label: runtime.name, ...hint(runtime) })),
    ...(isKnown ? [] : [{ value, label: value, hint: t('engineLacksRuntime') }]),
  ]
  return (
    <Field label={t('runtime')}>
      <Select value={value} options={options} onValueChange={onChange} />
    </Field>
  )
}

function hint(runtime: { has_kernel_network: boolean } | undefined): { hint?: string } {
  return runtime && !runtime.has_kernel_network ? { hint: t('needsNetworkNone') } : {}
}
