import { useQuery } from '@tanstack/react-query'
import { GitMerge, GitPullRequest, GitPullRequestClosed } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { PullRequestStatus } from '../../../../server/api/v1/git/pull-request-status.ts'
import { pullRequestStatusQuery } from '../../../api/git-state.ts'
import { useClient } from '../../../api/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorNotice } from '../../../ui/ErrorNotice.tsx'
import { Popover } from '../../../ui/overlay/Popover.tsx'
import { useOpenConversation } from '../context.ts'
import { Checks } from './Checks.tsx'
import { Comments } from './Comments.tsx'
import { Overview } from './Overview.tsx'
import { type SummaryTone, summaryOf } from './summary.ts'
import { Tasks } from './Tasks.tsx'
import { t } from './text.ts'

const INKS: Record<SummaryTone, string> = {
  good: 'text-good',
  bad: 'text-bad',
  wait: 'text-wait',
  rest: 'text-faint',
}

const ICONS = { OPEN: GitPullRequest, MERGED: GitMerge, CLOSED: GitPullRequestClosed }

/** What became of the pull request of the branch, and what the agent can do about it. */
export function PullRequestChip() {
  const { id, info, status: run } = useOpenConversation()
  const [open, setOpen] = useState(false)
  const { data: status, error, refetch } = useQuery(pullRequestStatusQuery(useClient(), id, run === 'running'))
  useEffect(() => {
    // Whoever comes back from the provider's page has perhaps merged it there.
    const ask = () => void refetch()
    window.addEventListener('focus', ask)
    return () => window.removeEventListener('focus', ask)
  }, [refetch])
  const number = status?.pull_request.number ?? info.pr_number.at(-1)
  if (number === undefined || status === null) return null
  const { word, tone } = status
    ? summaryOf(status)
    : { word: error ? t('unknown') : t('loading'), tone: 'rest' as const }
  function show(next: boolean) {
    setOpen(next)
    if (next) void refetch()
  }
  const Icon = ICONS[status?.state ?? 'OPEN']
  const trigger = (
    <Button look="quiet" size="small" aria-label={t('chip', { number: String(number), word })}>
      <Icon size={13} aria-hidden className={INKS[tone]} />
      {t('number', { number: String(number) })}
      <span className={`@[900px]:inline hidden ${INKS[tone]}`}>{word}</span>
    </Button>
  )
  return (
    <Popover title={t('title', { number: String(number) })} wide trigger={trigger} open={open} onOpenChange={show}>
      {status ? <Content status={status} onTold={() => setOpen(false)} /> : null}
      {error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : null}
      {!status && !error ? <p className="text-faint">{t('loading')}</p> : null}
    </Popover>
  )
}

function Content({ status, onTold }: { status: PullRequestStatus; onTold: () => void }) {
  return (
    <>
      <Overview status={status} />
      <div className="-mx-3 flex max-h-[50vh] flex-col gap-3 overflow-y-auto px-3">
        <Checks checks={status.checks} />
        <Comments reviews={status.reviews} threads={status.threads} />
      </div>
      {status.state === 'OPEN' && <Tasks status={status} onTold={onTold} />}
    </>
  )
}
