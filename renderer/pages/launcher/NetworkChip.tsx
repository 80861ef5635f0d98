import { useQuery } from '@tanstack/react-query'
import { Globe } from 'lucide-react'
import { SANDBOX_NETWORKS } from '../../../server/api/network-policy.ts'
import { specsQuery } from '../../api/queries.ts'
import { useClient } from '../../api/session.ts'
import { AllowlistFields } from '../../components/network/AllowlistFields.tsx'
import type { LaunchDraft } from '../../state/launch/launch.ts'
import { editedPolicy } from '../../state/network/policy.ts'
import { NETWORK_WORDS } from '../../state/network/words.ts'
import { RadioChoice } from '../../ui/field/RadioChoice.tsx'
import { Chip } from './Chip.tsx'
import { t } from './text.ts'

export interface NetworkChipProps {
  draft: LaunchDraft
  onChange: (fields: Partial<LaunchDraft>) => void
}

/** What the sandbox of the conversation reaches. */
export function NetworkChip({ draft: { spec, network, allowlist }, onChange }: NetworkChipProps) {
  const { data: specs = [] } = useQuery(specsQuery(useClient()))
  const ofSpec = (specs.find(({ id }) => id === spec) ?? specs[0])?.network ?? 'full'
  const options = [
    { value: '' as const, label: t('asSpecSays'), detail: NETWORK_WORDS[ofSpec].label },
    ...SANDBOX_NETWORKS.map(value => ({ value, ...NETWORK_WORDS[value] })),
  ]
  return (
    <Chip
      icon={Globe}
      name={t('network')}
      value={network === '' ? null : NETWORK_WORDS[network].label}
      empty={NETWORK_WORDS[ofSpec].label}
    >
      <RadioChoice
        aria-label={t('network')}
        value={network}
        options={options}
        onValueChange={next => onChange({ network: next })}
      />
      {network === 'allowlist' && (
        <AllowlistFields
          isDraft
          fixedReason={null}
          allowlist={allowlist}
          onEdit={edit => onChange({ allowlist: editedPolicy({ network, allowlist }, edit).allowlist })}
        />
      )}
      <p className="text-faint text-sm">{t('changeWhileItWorks')}</p>
    </Chip>
  )
}
