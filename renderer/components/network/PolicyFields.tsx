import { SANDBOX_NETWORKS } from '../../../server/api/network-policy.ts'
import type { NetworkPolicyInfo } from '../../../server/api/v1/sandbox/network.ts'
import type { PolicyEdit } from '../../state/network/policy.ts'
import { t } from '../../state/network/text.ts'
import { NETWORK_WORDS } from '../../state/network/words.ts'
import { RadioChoice } from '../../ui/field/RadioChoice.tsx'
import { AllowlistFields } from './AllowlistFields.tsx'

export interface PolicyFieldsProps {
  policy: NetworkPolicyInfo
  onEdit: (edit: PolicyEdit) => void
  /** Why it cannot be changed now. */
  fixedReason?: string | null
  /** It is saved with other fields, so a host that was typed is meant although nobody pressed Add. */
  isDraft?: boolean
}

const OPTIONS = SANDBOX_NETWORKS.map(value => ({ value, ...NETWORK_WORDS[value] }))

/** What a sandbox reaches. */
export function PolicyFields({ policy, onEdit, fixedReason = null, isDraft = false }: PolicyFieldsProps) {
  return (
    <div className="flex flex-col gap-3">
      <RadioChoice
        aria-label={t('whatSandboxReaches')}
        value={policy.network}
        options={OPTIONS}
        disabled={fixedReason !== null}
        onValueChange={network => onEdit({ kind: 'network', network })}
      />
      {policy.network === 'allowlist' && (
        <AllowlistFields allowlist={policy.allowlist} fixedReason={fixedReason} isDraft={isDraft} onEdit={onEdit} />
      )}
    </div>
  )
}
