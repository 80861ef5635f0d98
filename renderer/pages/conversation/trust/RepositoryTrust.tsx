import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { repositoryTrustQuery } from '../../../api/queries.ts'
import { usePostponeTrust, useSetUpRepository } from '../../../api/repository-trust.ts'
import { useClient } from '../../../api/session.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/ErrorNotice.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { useOpenConversation } from '../context.ts'
import { useSandbox } from '../use-sandbox.ts'
import { TrustCard } from './TrustCard.tsx'
import { t } from './text.ts'

/** What the repository goes without until a person decides, and what can be done once it is trusted. */
export function RepositoryTrust() {
  const { id } = useOpenConversation()
  const { data: trust } = useQuery(repositoryTrustQuery(useClient(), id))
  if (!trust) return null
  return (
    <>
      {trust.set_up.state === 'none' ? null : <SetUp id={id} setUp={trust.set_up} />}
      {trust.state === 'waiting' ? <TrustCard key={trust.digest} id={id} trust={trust} /> : null}
    </>
  )
}

interface SetUpProps {
  id: string
  setUp: { state: 'none' | 'offered' | 'running' | 'done' | 'failed'; detail: string | null }
}

function SetUp({ id, setUp: { state, detail } }: SetUpProps) {
  const setUp = useSetUpRepository(id)
  const postpone = usePostponeTrust(id)
  const { isUsable } = useSandbox()
  const [closed, setClosed] = useState<string | null>(null)
  const disabledReason = isUsable ? null : t('sandboxIsNotRunning')
  const run = { size: 'small' as const, busy: setUp.isPending, disabledReason, onClick: () => setUp.mutate() }
  switch (state) {
    case 'none':
      return null
    case 'offered':
      return (
        <Notice tone="wait" what={t('thisRepositoryIsTrusted')} meaning={t('stillToDo', { detail: detail ?? '' })}>
          <Button {...run}>{t('runNow')}</Button>
          <Button size="small" look="quiet" busy={postpone.isPending} onClick={() => postpone.mutate()}>
            {t('notNow')}
          </Button>
        </Notice>
      )
    case 'running':
      return (
        <p role="status" className="flex items-center gap-2 rounded-md border border-line px-3 py-2 text-soft">
          <Spinner />
          <span className="min-w-0 truncate">{t('settingUp', { detail: detail ?? '' })}</span>
        </p>
      )
    case 'failed':
      return (
        <Notice what={t('repositorySetupFailed')} meaning={detail}>
          <Button {...run}>{t('tryAgain')}</Button>
        </Notice>
      )
    case 'done':
      if (closed === detail) return null
      return (
        <p role="status" className="flex items-center gap-2 rounded-md border border-line px-3 py-2 text-soft">
          <CircleCheck size={14} aria-hidden className="shrink-0 text-good" />
          <span className="min-w-0 flex-1">{t('isSetUp', { detail: detail ?? '' })}</span>
          <Button size="small" look="quiet" onClick={() => setClosed(detail)}>
            {t('dismiss')}
          </Button>
        </p>
      )
  }
}
