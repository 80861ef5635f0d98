import { PolicyFields } from '../../../components/network/PolicyFields.tsx'
import { editedPolicy } from '../../../state/network/policy.ts'
import type { SpecDraft } from '../../../state/settings/spec-draft.ts'
import { t } from './text.ts'

export interface NetworkFieldsProps {
  draft: Pick<SpecDraft, 'network' | 'allowlist'>
  error: string | undefined
  onChange: (fields: Pick<SpecDraft, 'network' | 'allowlist'>) => void
}

/** What sandboxes of the spec reach at first. */
export function NetworkFields({ draft: { network, allowlist }, error, onChange }: NetworkFieldsProps) {
  const policy = { network, allowlist }
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-medium">{t('network')}</legend>
      <PolicyFields isDraft policy={policy} onEdit={edit => onChange(editedPolicy(policy, edit))} />
      {error && <p className="mt-1 text-bad text-sm">{error}</p>}
    </fieldset>
  )
}
