import type { RouteBodyInput } from '../../../../server/api/contract/route.ts'
import { respondToConfirmation } from '../../../../server/api/v1/conversation/actions.ts'
import { runConversation } from '../../../../server/api/v1/conversation/conversations.ts'
import { useCommand } from '../../../components/use-command.ts'
import { waitingCalls } from '../../../state/conversation/waiting-calls.ts'
import { useOpenConversation } from '../context.ts'

export type Answer = Omit<RouteBodyInput<typeof respondToConfirmation>, 'action_ids'>

/**
 * Says yes or no to what waits: one answer for all calls of a step. Who says why not says what to do otherwise, so the
 * agent goes on with that; after a plain no it waits. Where something else waits by then, nothing is answered.
 */
export function useAnswer() {
  const { id, feed } = useOpenConversation()
  const params = { conversation_id: id }
  return useCommand(async (client, answer: Answer) => {
    const action_ids = waitingCalls(feed.snapshot().conversation.items).map(call => call.id)
    await client.call(respondToConfirmation, { params, body: { ...answer, action_ids } })
    if (!answer.accept && answer.reason) await client.call(runConversation, { params })
  })
}
