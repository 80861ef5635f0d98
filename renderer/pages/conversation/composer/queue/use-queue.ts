import { useQuery } from '@tanstack/react-query'
import type { RouteBodyInput } from '../../../../../server/api/contract/route.ts'
import {
  changePendingMessage,
  listPendingMessages,
  type PendingMessage,
  queuePendingMessage,
  withdrawPendingMessage,
} from '../../../../../server/api/v1/conversation/pending-messages.ts'
import { keys } from '../../../../api/query-keys.ts'
import { useClient } from '../../../../api/session.ts'
import { useCommand } from '../../../../components/use-command.ts'
import { notifyDone } from '../../../../ui/overlay/toast.ts'
import { useOpenConversation } from '../../context.ts'
import { t } from './text.ts'

interface Change {
  message: PendingMessage
  to: RouteBodyInput<typeof changePendingMessage>
  /** Once it is changed, before anything else is read again. */
  onDone?: () => void
}

/** What waits for the agent of this conversation to finish, and what can be done with it. */
export function useQueue() {
  const { id } = useOpenConversation()
  const client = useClient()
  const { data: messages = [] } = useQuery({
    queryKey: keys.pendingMessages(id),
    queryFn: ({ signal }) => client.call(listPendingMessages, { params: { conversation_id: id }, signal }),
  })
  const change = useCommand(async (service, { message, to, onDone }: Change) => {
    await service.call(changePendingMessage, { params: paramsOf(message), body: to })
    onDone?.()
  })
  const putBack = useCommand(async (service, { message, at }: { message: PendingMessage; at: number }) => {
    const { role, content } = message
    const params = { conversation_id: id }
    const put = await service.call(queuePendingMessage, { params, body: { role, content, waits_for: 'agent' } })
    if (!put.queued || put.position === at) return
    await service.call(changePendingMessage, { params: { ...params, message_id: put.id }, body: { position: at } })
  })
  const withdraw = useCommand(async (service, message: PendingMessage) => {
    await service.call(withdrawPendingMessage, { params: paramsOf(message) })
    const at = messages.indexOf(message) + 1
    notifyDone(t('isWithdrawn'), { label: t('undo'), act: () => putBack.mutate({ message, at }) })
  })
  return { messages, change, withdraw }
}

function paramsOf({ conversation_id, id }: PendingMessage) {
  return { conversation_id, message_id: id }
}
