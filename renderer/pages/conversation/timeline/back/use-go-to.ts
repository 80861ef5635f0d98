import { useQueryClient } from '@tanstack/react-query'
import { navigateConversation } from '../../../../../server/api/v1/conversation/actions.ts'
import type { Client } from '../../../../../server/client/client.ts'
import { checkpointsQuery, comparedWith } from '../../../../api/checkpoints.ts'
import { keys } from '../../../../api/query-keys.ts'
import { reviewFilesQuery } from '../../../../api/review.ts'
import { useCommand } from '../../../../components/use-command.ts'
import { useOpenConversation } from '../../context.ts'

/**
 * Goes on after an event; what came after it is set aside. Where the files were others then, a dialog asks first whether
 * they go back too. What is chosen twice is done once.
 */
export function useGoTo() {
  const { id, askLate } = useOpenConversation()
  const queries = useQueryClient()
  const mutationKey = keys.goTo(id)
  const act = async (client: Client, event_id: string) => {
    // The menus in which it is chosen are gone by then, and know nothing of each other. This one counts too.
    const pending = queries.getMutationCache().findAll({ mutationKey, status: 'pending' })
    if (pending.filter(({ state }) => state.variables === event_id).length > 1) return
    const [checkpoint] = await queries.fetchQuery(checkpointsQuery(client, id, event_id))
    if (checkpoint) {
      const changes = queries.fetchQuery(reviewFilesQuery(client, id, comparedWith(checkpoint.id), false))
      const areSame = await changes.then(
        ({ files }) => files.length === 0,
        () => false,
      )
      if (!areSame) return askLate({ eventId: event_id, checkpoint })
    }
    return client.call(navigateConversation, { params: { conversation_id: id }, body: { event_id } })
  }
  return useCommand(act, { mutationKey })
}
