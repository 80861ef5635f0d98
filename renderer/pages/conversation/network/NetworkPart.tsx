import { useState } from 'react'
import { PolicyFields } from '../../../components/network/PolicyFields.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Section } from '../panel/Section.tsx'
import { AllowPrivateDialog } from './AllowPrivateDialog.tsx'
import { AttemptList } from './AttemptList.tsx'
import { NETWORK_PART } from './show-network.ts'
import { t } from './text.ts'
import { useNetwork } from './use-network.ts'

/** What the sandbox reaches, and what its programs tried to reach. */
export function NetworkPart() {
  const [privateHost, setPrivateHost] = useState<string | null>(null)
  const { network, rows, error, refetch, isFetching, fixedReason, edit } = useNetwork()
  return (
    <div id={NETWORK_PART} tabIndex={-1} className="relative outline-none">
      <Section title={t('network')}>
        {fixedReason !== null && <p className="mb-1 text-sm text-wait">{fixedReason}</p>}
        {network === undefined && error && (
          <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
        )}
        {network === undefined && !error && <Skeleton lines={3} label={t('loadingNetwork')} />}
        {network && (
          <div className="flex flex-col gap-4">
            <PolicyFields
              policy={network}
              fixedReason={fixedReason}
              onEdit={each => edit(each, { isSaid: each.kind !== 'add' })}
            />
            {(network.network === 'allowlist' || rows.length > 0) && (
              <AttemptList
                rows={rows}
                fixedReason={fixedReason}
                onAllow={host => edit({ kind: 'add', hosts: [host] })}
                onAllowPrivate={setPrivateHost}
              />
            )}
          </div>
        )}
      </Section>
      {privateHost !== null && <AllowPrivateDialog host={privateHost} onClose={() => setPrivateHost(null)} />}
    </div>
  )
}
