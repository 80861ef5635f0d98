import { isCannedReason } from '../../../../../server/api/event/rejection-reasons.ts'
import type { ActionItem } from '../../../../state/conversation/item.ts'
import { mayChangeFiles, StepMenu } from '../back/StepMenu.tsx'
import { TextBlock } from '../message/TextBlock.tsx'
import { t } from '../text.ts'
import { RequestBody } from './RequestBody.tsx'
import { ResultBody } from './ResultBody.tsx'

/** What an action's line unfolds to. */
export function ActionBody({ item }: { item: ActionItem }) {
  const { event, outcome } = item
  return (
    <div className="flex flex-col gap-2 py-1">
      {event.summary && <p className="hidden text-soft max-[640px]:block">{event.summary}</p>}
      <RequestBody event={event} answered={'event' in outcome} />
      {outcome.state === 'failed' && <TextBlock text={outcome.event.error} label={t('error')} tone="bad" />}
      {outcome.state === 'stopped' && <p className="text-soft">{outcome.event.error}</p>}
      {outcome.state === 'rejected' && <Rejection item={outcome.event} />}
      {(outcome.state === 'ok' || outcome.state === 'error') && (
        <ResultBody action={event.action} event={outcome.event} />
      )}
      {'event' in outcome && mayChangeFiles(event) && <StepMenu event={event} />}
    </div>
  )
}

type Rejected = Extract<ActionItem['outcome'], { state: 'rejected' }>

function Rejection({ item: { rejection_reason, rejection_source } }: { item: Rejected['event'] }) {
  if (isCannedReason(rejection_reason)) return <p className="text-soft">{t('notCarriedOut')}</p>
  return (
    <p className="whitespace-pre-wrap text-soft [overflow-wrap:anywhere]">
      {rejection_source === 'user'
        ? t('rejectedYouSaid', { reason: rejection_reason })
        : t('rejectedHookSaid', { reason: rejection_reason })}
    </p>
  )
}
