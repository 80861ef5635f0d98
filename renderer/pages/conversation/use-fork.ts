import { useNavigate } from '@tanstack/react-router'
import { forkConversation } from '../../../server/api/v1/conversation/actions.ts'
import { useCommand } from '../../components/use-command.ts'
import { useOpenConversation } from './context.ts'

/** A new conversation with everything up to the given event, and opens it. */
export function useFork() {
  const { id } = useOpenConversation()
  const navigate = useNavigate()
  return useCommand(async (client, from_event_id: string | null) => {
    const fork = await client.call(forkConversation, { params: { conversation_id: id }, body: { from_event_id } })
    await navigate({ to: '/conversations/$conversationId', params: { conversationId: fork.id } })
  })
}
