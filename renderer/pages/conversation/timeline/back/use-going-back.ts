import { useMutation } from '@tanstack/react-query'
import { navigateConversation } from '../../../../../server/api/v1/conversation/actions.ts'
import { restoreCheckpoint } from '../../../../../server/api/v1/conversation/checkpoints.ts'
import { useRefresh } from '../../../../api/review.ts'
import { useClient } from '../../../../api/session.ts'
import { activeEvents } from '../../../../state/conversation/branch.ts'
import { notifyDone, notifyError } from '../../../../ui/overlay/toast.ts'
import { type GoBack, useOpenConversation } from '../../context.ts'
import { t } from '../text.ts'

/** What goes back. */
export type Way = 'both' | 'files' | 'conversation'

interface Goal {
  /** null is where the files stay. */
  checkpointId: string | null
  /** null is where the conversation stays. */
  eventId: string | null
  /** What the files have to be; null is anything. */
  version: string | null
}

/**
 * Takes the files, the conversation or both to another point, and offers the way forward again.
 * @param version of the files for which it was shown what becomes of them
 */
export function useGoingBack({ eventId, checkpoint }: GoBack, version: string | null, onDone: () => void) {
  const { id, feed } = useOpenConversation()
  const client = useClient()
  const refresh = useRefresh(id)
  async function go(goal: Goal) {
    const params = { conversation_id: id }
    const restored = goal.checkpointId
      ? await client.call(restoreCheckpoint, {
          params: { ...params, checkpoint_id: goal.checkpointId },
          query: goal.version === null ? {} : { version: goal.version },
        })
      : null
    if (goal.eventId) await client.call(navigateConversation, { params, body: { event_id: goal.eventId } })
    return restored
  }
  return useMutation({
    mutationFn: async (way: Way) => {
      const stood = way === 'files' ? null : (activeEvents(feed.snapshot().conversation.events).at(-1)?.id ?? null)
      const restored = await go({
        checkpointId: way === 'conversation' ? null : checkpoint.id,
        eventId: way === 'files' ? null : eventId,
        version,
      })
      return { restored, stood }
    },
    onSettled: refresh,
    onSuccess: ({ restored, stood }) => {
      onDone()
      if (!restored) return
      const undo = () =>
        go({ checkpointId: restored.before.id, eventId: stood, version: null }).then(refresh, notifyError)
      notifyDone(t('filesWentBack', { count: restored.files }), { label: t('undo'), act: () => void undo() })
    },
  })
}
