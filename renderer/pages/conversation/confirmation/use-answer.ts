import { respondToConfirmation } from '../../../../server/api/conversation-actions.ts'
import type { RouteBodyInput } from '../../../../server/api/route.ts'
import { useOpenConversation } from '../conversation-context.ts'
import { useCommand } from '../use-command.ts'

export type Answer = RouteBodyInput<typeof respondToConfirmation>

/** Says yes or no to what waits: one answer for all calls of a step. */
export function useAnswer() {
  const { id } = useOpenConversation()
  return useCommand((client, answer: Answer) =>
    client.call(respondToConfirmation, { params: { conversation_id: id }, body: answer }),
  )
}
