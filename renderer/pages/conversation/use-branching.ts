import { useNavigate } from '@tanstack/react-router'
import { forkConversation, navigateConversation } from '../../../server/api/v1/conversation/actions.ts'
import { useCommand } from './composer/use-command.ts'
import { useOpenConversation } from './context.ts'

/** Goes on after the given event; what came after it is set aside. */
export function useNavigateTo() {
  const { id } = useOpenConversation()
  return useCommand((client, event_id: string) =>
    client.call(navigateConversation, { params: { conversation_id: id }, body: { event_id } }),
  )
}

/** A new conversation with everything up to the given event, and opens it. */
export function useFork() {
  const { id } = useOpenConversation()
  const navigate = useNavigate()
  return useCommand(async (client, from_event_id: string | null) => {
    const fork = await client.call(forkConversation, { params: { conversation_id: id }, body: { from_event_id } })
    await navigate({ to: '/conversations/$conversationId', params: { conversationId: fork.id } })
  })
}
