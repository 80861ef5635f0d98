import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { comparedWith } from '../../../../api/checkpoints.ts'
import { reviewFilesQuery } from '../../../../api/review.ts'
import { useClient } from '../../../../api/session.ts'
import { formatMoment } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx'
import { RadioChoice } from '../../../../ui/field/RadioChoice.tsx'
import { Dialog } from '../../../../ui/overlay/Dialog.tsx'
import { Skeleton } from '../../../../ui/Skeleton.tsx'
import { runRules } from '../../composer/run-rules.ts'
import { type GoBack, useOpenConversation } from '../../context.ts'
import { t } from '../text.ts'
import { FilesBack } from './FilesBack.tsx'
import { useGoingBack, type Way } from './use-going-back.ts'

const WAYS = [
  { value: 'both', label: t('conversationAndFiles'), detail: t('agentGoesOnFromThere') },
  { value: 'files', label: t('filesOnly'), detail: t('conversationStays') },
  { value: 'conversation', label: t('conversationOnly'), detail: t('filesStay') },
] as const

/** Asks what goes back, and shows what becomes of the files. */
export function GoBackDialog({ goal, onClose }: { goal: GoBack; onClose: () => void }) {
  const { id, info, status } = useOpenConversation()
  const [chosen, setChosen] = useState<Way>(goal.eventId === null ? 'files' : 'both')
  const changes = useQuery(reviewFilesQuery(useClient(), id, comparedWith(goal.checkpoint.id), false))
  const { data } = changes
  const going = useGoingBack(goal, data?.version ?? null, onClose)
  // Without its sandbox only the conversation can go back.
  const isUnread = changes.error !== null && data === undefined
  const way = isUnread && goal.eventId !== null ? 'conversation' : chosen
  const reason = filesReason(way, { isKnown: data !== undefined, count: data?.files.length ?? 0 })
  return (
    <Dialog
      open
      onOpenChange={open => {
        if (!open) onClose()
      }}
      title={t(goal.eventId === null ? 'restoreFilesTitle' : 'goToThisPoint')}
      description={t('filesAsOf', { moment: formatMoment(Date.parse(goal.checkpoint.created_at)) })}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            look="primary"
            busy={going.isPending}
            disabledReason={runRules(status, info).branchReason ?? reason}
            onClick={() => going.mutate(way)}
          >
            {way === 'files' ? t('restoreFiles', { count: data?.files.length ?? 0 }) : t('goToThisPoint')}
          </Button>
        </>
      }
    >
      {going.error ? <ErrorNotice error={going.error} /> : null}
      {changes.error ? (
        <ErrorNotice error={changes.error} onRetry={() => void changes.refetch()} retrying={changes.isFetching} />
      ) : null}
      {goal.eventId !== null && (
        <RadioChoice
          aria-label={t('whatGoesBack')}
          options={isUnread ? WAYS.slice(2) : WAYS}
          value={way}
          onValueChange={setChosen}
        />
      )}
      {changes.isPending ? <Skeleton label={t('comparingFiles')} lines={3} /> : null}
      {data && way !== 'conversation' && (
        <FilesBack files={data.files} isComplete={data.complete} checkpointId={goal.checkpoint.id} />
      )}
    </Dialog>
  )
}

function filesReason(way: Way, { isKnown, count }: { isKnown: boolean; count: number }): string | null {
  if (way === 'conversation') return null
  if (!isKnown) return t('comparingFiles')
  return way === 'files' && count === 0 ? t('filesAreSame') : null
}
