import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TrustedRepository } from '../../../server/api/repository-trust.ts'
import { trustedRepositoriesQuery } from '../../api/queries.ts'
import { useDistrustRepository } from '../../api/repository-trust.ts'
import { useClient } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TrustItem } from '../conversation/trust/TrustItem.tsx'
import { Place } from './Place.tsx'
import { RemoveDialog } from './RemoveDialog.tsx'
import { RowList } from './RowList.tsx'

export function TrustSection() {
  return (
    <>
      <p className="text-soft">
        Set-up scripts, git hooks and sub-agents of a repository get none of your secrets until you trust them. A
        conversation asks when it finds some. Trust holds for the content that you were shown; changed content asks
        again.
      </p>
      <Place name="trusted_repositories">
        <TrustedRepositories />
      </Place>
    </>
  )
}

function TrustedRepositories() {
  const { data: repositories, error, refetch, isFetching } = useQuery(trustedRepositoriesQuery(useClient()))
  const [removing, setRemoving] = useState<string | null>(null)
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} retrying={isFetching} />
  if (!repositories) return <Skeleton label="Loading the trusted repositories" />
  return (
    <>
      <RowList label="Trusted repositories" empty={repositories.length === 0 ? 'No repository is trusted.' : null}>
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
    <li className="border-b border-line py-2 pr-2 pl-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-40 flex-1">
          <span className="block [overflow-wrap:anywhere]">{repository}</span>
          <span className="block text-sm text-faint">
            Trusted <RelativeTime ago time={trusted_at} /> · {items.length === 1 ? '1 part' : `${items.length} parts`}
          </span>
        </span>
        <Button size="small" look="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide what was trusted' : 'Show what was trusted'}
        </Button>
        <Button size="small" aria-label={`Remove the trust of ${repository}`} onClick={onRemove}>
          Remove
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
      title="Trust this repository no more?"
      confirm="Remove"
      removal={useDistrustRepository()}
      id={repository}
      done={`${repository} is not trusted any more.`}
      onClose={onClose}
    >
      <span className="font-mono text-sm wrap-anywhere">{repository}</span> gets no secrets from now on, and its git
      hook is removed from sandboxes. Secrets that it got before may be known to others: change those you worry about.
    </RemoveDialog>
  )
}
