import { useQuery } from '@tanstack/react-query'
import type { Checkpoint, CheckpointReason } from '../../../../../server/api/v1/conversation/checkpoints.ts'
import { checkpointsQuery, comparedWith } from '../../../../api/checkpoints.ts'
import { useClient } from '../../../../api/session.ts'
import { formatMoment } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Select } from '../../../../ui/field/Select.tsx'
import { runRules } from '../../composer/run-rules.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'
import type { Review } from './use-review.ts'

const REASONS: Record<CheckpointReason, string> = {
  turn: t('beforeAnAnswer'),
  step: t('afterStep'),
  before_restore: t('beforeRestoring'),
  restored: t('afterRestoring'),
}

/** Which checkpoint the files are compared with, and the way back to it. */
export function CheckpointChoice({ review: { compared, setCompared } }: { review: Review }) {
  const { id, info, status, ask } = useOpenConversation()
  const { data = [], isPending } = useQuery(checkpointsQuery(useClient(), id, null))
  const chosen = compared.base === 'checkpoint' ? data.find(checkpoint => checkpoint.id === compared.named) : undefined
  const placeholder = isPending ? 'loadingCheckpoints' : data.length === 0 ? 'noCheckpoints' : 'chooseCheckpoint'
  return (
    <>
      <Select
        aria-label={t('checkpoint')}
        value={chosen?.id ?? null}
        placeholder={t(placeholder)}
        options={data.map(checkpoint => ({ value: checkpoint.id, label: labelOf(checkpoint) }))}
        onValueChange={checkpointId => setCompared(comparedWith(checkpointId))}
        className="w-72"
      />
      <Button
        disabledReason={chosen ? runRules(status, info).branchReason : t('chooseCheckpoint')}
        onClick={() => chosen && ask({ eventId: null, checkpoint: chosen })}
      >
        {t('restoreFiles')}
      </Button>
    </>
  )
}

function labelOf({ created_at, reason }: Checkpoint): string {
  return t('checkpointOf', { moment: formatMoment(Date.parse(created_at)), reason: REASONS[reason] })
}
