import { useQueryClient } from '@tanstack/react-query'
import { navigateConversation } from '../../../../../server/api/v1/conversation/actions.ts'
import { checkpointsQuery, comparedWith } from '../../../../api/checkpoints.ts'
import { reviewFilesQuery } from '../../../../api/review.ts'
import { useCommand } from '../../../../components/use-command.ts'
import { useOpenConversation } from '../../context.ts'

/**
 * Goes on after an event; what came after it is set aside. Where the files were others then, a dialog asks first whether
 * they go back too.
 */
export function useGoTo() {
  const { id, ask } = useOpenConversation()
  const queries = useQueryClient()
  return useCommand(async (client, event_id: string) => {
    const [checkpoint] = await queries.fetchQuery(checkpointsQuery(client, id, event_id))
    if (checkpoint) {
      const changes = queries.fetchQuery(reviewFilesQuery(client, id, comparedWith(checkpoint.id), false))
      const areSame = await changes.then(
        ({ files }) => files.length === 0,
        () => false,
      )
      if (!areSame) return ask({ eventId: event_id, checkpoint })
    }
    return client.call(navigateConversation, { params: { conversation_id: id }, body: { event_id } })
  })
}
