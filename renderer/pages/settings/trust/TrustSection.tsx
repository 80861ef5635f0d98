import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrustedRepository } from '../../../../server/api/v1/conversation/repository-trust.ts'
import { trustedRepositoriesQuery } from '../../../api/queries.ts'
import { useDistrustRepository } from '../../../api/repository-trust.ts'
import { useClient } from '../../../api/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { RelativeTime } from '../../../ui/RelativeTime.tsx'
import { TrustItem } from '../../conversation/trust/TrustItem.tsx'
import { RemoveDialog } from '../form/RemoveDialog.tsx'
import { LoadingRows, RowList } from '../form/RowList.tsx'
import { SettingAnchor } from '../form/SettingAnchor.tsx'
import { t } from './text.ts'

export function TrustSection() {
  return (
    <>
      <p className="text-soft">{t('setUpScripts')}</p>
      <SettingAnchor name="trusted_repositories">
        <TrustedRepositories />
      </SettingAnchor>
    </>
  )
}

function TrustedRepositories() {
  const { data: repositories, error, refetch, isFetching } = useQuery(trustedRepositoriesQuery(useClient()))
  const [removing, setRemoving] = useState<string | null>(null)
  if (error && !repositories) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!repositories) return <LoadingRows label={t('loadingTrustedRepositories')} />
  return (
    <>
      <RowList label={t('trustedRepositories')} empty={repositories.length === 0 ? t('youTrustNoRepositoryYet') : null}>
        {repositories.map(one => (
          <RepositoryRow key={one.repository} trusted={one} onRemove={() => setRemoving(one.repository)} />
        ))}
      </RowList>
      {removing === null ? null : <Distrust repository={removing} onClose={() => setRemoving(null)} />}
    </>
  )
}

function RepositoryRow({ trusted, onRemove }: { trusted: TrustedRepository; onRemove: () => void }) {
  const [open, setOpen] = useState(false)
  const { repository, trusted_at, items } = trusted
  return (
    <li className="border-b border-line py-2 pe-2 ps-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-40 flex-1">
          <span className="block [overflow-wrap:anywhere]">{repository}</span>
          <span className="block text-sm text-faint">
            {t.rich('trustedSince', {
              time: () => <RelativeTime ago time={trusted_at} />,
              parts: items.length,
            })}
          </span>
        </span>
        <Button size="small" look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('hide') : t('showWhatYouTrust')}
        </Button>
        <Button size="small" aria-label={t('stopTrustingRepository', { repository })} onClick={onRemove}>
          {t('stopTrusting')}
        </Button>
      </div>
      {open ? (
        <ul className="mt-1 divide-y divide-line">
          {items.map(item => (
            <TrustItem key={item.sha256} item={item} />
          ))}
        </ul>
      ) : null}
    </li>
  )
}

function Distrust({ repository, onClose }: { repository: string; onClose: () => void }) {
  return (
    <RemoveDialog
      title={t('stopTrustingThisRepository')}
      confirm={t('stopTrusting')}
      removal={useDistrustRepository()}
      id={repository}
      done={t('repositoryIsNoLongerTrusted', { repository })}
      onClose={onClose}
    >
      {t.rich('repositoryIsDistrusted', {
        repository,
        mono: chunks => <span className="font-mono text-sm wrap-anywhere">{chunks}</span>,
      })}
    </RemoveDialog>
  )
}
