import { updateAppConversation } from '../../../../server/api/v1/conversation/conversations.ts'
import { useCommand } from '../../../components/use-command.ts'
import {
  type ConfirmationChoice,
  choiceOf,
  confirmationFields,
} from '../../../state/conversation/confirmation-choice.ts'
import { useOpenConversation } from '../context.ts'

/** When the agent waits for a person's word in this conversation; a change counts from the next step on. */
export function useConfirmation() {
  const { id, info } = useOpenConversation()
  const save = useCommand((client, choice: ConfirmationChoice) =>
    client.call(updateAppConversation, {
      params: { conversation_id: id },
      body: confirmationFields(choice, info.security_analyzer),
    }),
  )
  const choice = save.isPending ? save.variables : choiceOf(info.confirmation_policy)
  return { choice, choose: save.mutate, isSaving: save.isPending }
}
