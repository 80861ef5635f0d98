import type { RouteBodyInput } from '../../../../server/api/contract/route.ts'
import { respondToConfirmation } from '../../../../server/api/v1/conversation/actions.ts'
import { useCommand } from '../composer/use-command.ts'
import { useOpenConversation } from '../context.ts'

export type Answer = RouteBodyInput<typeof respondToConfirmation>

/** Says yes or no to what waits: one answer for all calls of a step. */
export function useAnswer() {
  const { id } = useOpenConversation()
  return useCommand((client, answer: Answer) =>
    client.call(respondToConfirmation, { params: { conversation_id: id }, body: answer }),
  )
}
