import { pauseConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { MAX_PENDING_MESSAGES, queuePendingMessage } from '../../../server/api/v1/conversation/pending-messages.ts'
import { startConversation } from '../client/conversation.ts'
import { once } from './folders.ts'
import type { Around } from './things.ts'

const HELLO = [{ type: 'text' as const, text: 'Hello' }]

/** A start that goes on for ever, and nobody may say more to it. */
export async function crowded({ service }: Around, starting: string): Promise<string> {
  const params = { conversation_id: starting }
  for (let said = 0; said < MAX_PENDING_MESSAGES; said++) {
    await service.client.call(queuePendingMessage, { params, body: { content: HELLO } })
  }
  return starting
}

/** A conversation whose agent was stopped, and two messages that wait until it has finished. */
export function messageThings(around: () => Around): Record<string, () => Promise<string>> {
  const holding = once(async () => {
    const { service, sandboxId } = around()
    const task = await startConversation(service, { sandbox_id: sandboxId })
    const params = { conversation_id: task.app_conversation_id ?? '' }
    await service.client.call(pauseConversation, { params })
    const queue = () =>
      service.client.call(queuePendingMessage, { params, body: { content: HELLO, waits_for: 'agent' } })
    return { conversation: params.conversation_id, first: (await queue()).id, second: (await queue()).id }
  })
  return {
    holding: async () => (await holding()).conversation,
    waitingMessage: async () => (await holding()).first,
    withdrawnMessage: async () => (await holding()).second,
  }
}
