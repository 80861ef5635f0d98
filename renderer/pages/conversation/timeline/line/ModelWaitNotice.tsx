import { retryModel } from '../../../../../server/api/v1/conversation/actions.ts'
import { interruptConversation } from '../../../../../server/api/v1/conversation/conversations.ts'
import { useCommand } from '../../../../components/use-command.ts'
import { useNow } from '../../../../state/clock.ts'
import type { ModelWait } from '../../../../state/conversation/model-wait.ts'
import { formatTime } from '../../../../state/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { Notice } from '../../../../ui/ErrorNotice.tsx'
import { useOpenConversation } from '../../context.ts'
import { t } from '../text.ts'

/** Says that nothing comes from the model, since when or until when, and lets a person end the wait. */
export function ModelWaitNotice({ wait }: { wait: ModelWait }) {
  const { id } = useOpenConversation()
  const params = { conversation_id: id }
  const retry = useCommand(client => client.call(retryModel, { params }))
  const stop = useCommand(client => client.call(interruptConversation, { params }))
  const now = useNow(1_000)
  // The last of the wait and the time until the answer begins look the same.
  if (wait.kind === 'retry' && wait.at <= now) return null
  const { what, meaning } = words(wait, now)
  return (
    <div className="py-2">
      <Notice tone="wait" what={what} meaning={<span aria-live="off">{meaning}</span>}>
        <Button size="small" look="primary" busy={retry.isPending} onClick={() => retry.mutate()}>
          {t('retry')}
        </Button>
        <Button size="small" busy={stop.isPending} onClick={() => stop.mutate()}>
          {t('stop')}
        </Button>
      </Notice>
    </div>
  )
}

function words(wait: ModelWait, now: number): { what: string; meaning: string } {
  if (wait.kind === 'silent') {
    return {
      what: t('modelHasBeenSilentSince', { since: formatTime(wait.since) }),
      meaning: t('localModelMayBeLoading'),
    }
  }
  const seconds = Math.max(1, Math.round((wait.at - now) / 1000))
  return { what: wait.reason, meaning: t('nextAttempt', { attempt: wait.attempt, seconds }) }
}
