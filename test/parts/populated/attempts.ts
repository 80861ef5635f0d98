import { beginAttempts, listAttempts } from '../../../server/api/v1/conversation/attempts.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { until } from '../../../server/client/until.ts'
import { startConversation } from '../client/conversation.ts'
import { once } from './folders.ts'
import type { Around } from './things.ts'

/** Conversations from which attempts were begun. */
export function attemptThings(around: () => Around): Record<string, () => Promise<string>> {
  const kept = once(() => begin(around()))
  const deleted = once(() => begin(around()))
  return {
    tried: async () => (await kept()).conversation,
    attempts: async () => (await kept()).attempts,
    attempt: async () => (await kept()).attempt,
    triedInVain: async () => (await deleted()).conversation,
    attemptsInVain: async () => (await deleted()).attempts,
  }
}

async function begin({ service, sandboxId }: Around) {
  const task = await startConversation(service, { sandbox_id: sandboxId })
  const params = { conversation_id: task.app_conversation_id ?? '' }
  const body = { task: 'Finish', models: [null], check: 'true' }
  const { id, attempts } = await service.client.call(beginAttempts, { params, body })
  await until(
    { ...service, connect: openWebSocket },
    {
      concerns: ({ resource }) => resource === 'conversation',
      read: async () => {
        const { items } = await service.client.call(listAttempts, { params })
        return items[0]?.attempts.every(({ state }) => state === 'done') || undefined
      },
    },
  )
  return { conversation: params.conversation_id, attempts: id, attempt: attempts[0]?.conversation_id ?? '' }
}
