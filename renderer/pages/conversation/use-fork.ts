import { useNavigate } from '@tanstack/react-router'
import { forkConversation } from '../../../server/api/v1/conversation/actions.ts'
import { useStart } from '../../api/start.ts'
import { useCommand } from '../../components/use-command.ts'
import { notifyError } from '../../ui/overlay/toast.ts'
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

/** The same in a copy of the sandbox, with the files of then; its start is shown. It may outlast the menu that it is in. */
export function useForkInOwnSandbox() {
  const { id } = useOpenConversation()
  const start = useStart()
  return (eventId: string | null) =>
    void start.mutateAsync({ forked_from_conversation_id: id, forked_from_event_id: eventId }).catch(notifyError)
}
