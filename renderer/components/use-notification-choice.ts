import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import type { NotificationChoice } from '../../electron/ipc.ts'
import { respondToConfirmation } from '../../server/api/v1/conversation/actions.ts'
import { searchConversationEvents } from '../../server/api/v1/conversation/event-routes.ts'
import type { Client } from '../../server/client/client.ts'
import { askedCommand } from '../state/notice/asked.ts'
import { notifyDone } from '../ui/overlay/toast.ts'
import { t } from './text.ts'
import { useCommand } from './use-command.ts'

/** As many of the newest events as hold all calls of a step. */
const NEWEST = 50

/** What a conversation asks for, where that can be answered without looking at it. */
export async function readAskedCommand(client: Client, conversation: string) {
  const { items } = await client.call(searchConversationEvents, {
    params: { conversation_id: conversation },
    query: { sort_order: 'TIMESTAMP_DESC', limit: NEWEST },
  })
  return askedCommand(items.toReversed())
}

/** Does what a person has chosen in a notification of the desktop. */
export function useNotificationChoice(): void {
  const navigate = useNavigate()
  const answer = useCommand(async (client, { conversation, call, choice }: NotificationChoice) => {
    // The notification may have been there for hours, and the agent may ask for something else by now.
    const asked = await readAskedCommand(client, conversation)
    if (asked === null || call === null || asked.call !== call) {
      void navigate({ to: '/conversations/$conversationId', params: { conversationId: conversation } })
      return notifyDone(t('askedIsGone'))
    }
    const body = { accept: choice === 'accept', action_ids: [call] }
    await client.call(respondToConfirmation, { params: { conversation_id: conversation }, body })
  })
  const heard = useEffectEvent((choice: NotificationChoice) => answer.mutate(choice))
  useEffect(() => window.atelier?.onNotificationChoice(choice => heard(choice)), [])
}
