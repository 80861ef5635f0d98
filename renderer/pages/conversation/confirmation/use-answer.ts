import type { RouteBodyInput } from '../../../../server/api/contract/route.ts'
import { respondToConfirmation } from '../../../../server/api/v1/conversation/actions.ts'
import { runConversation } from '../../../../server/api/v1/conversation/conversations.ts'
import { useCommand } from '../../../components/use-command.ts'
import { useOpenConversation } from '../context.ts'

export type Answer = RouteBodyInput<typeof respondToConfirmation>

/**
 * Says yes or no to what waits: one answer for all calls of a step. Who says why not says what to do otherwise, so the
 * agent goes on with that; after a plain no it waits.
 */
export function useAnswer() {
  const { id } = useOpenConversation()
  const params = { conversation_id: id }
  return useCommand(async (client, answer: Answer) => {
    await client.call(respondToConfirmation, { params, body: answer })
    if (!answer.accept && answer.reason) await client.call(runConversation, { params })
  })
}
