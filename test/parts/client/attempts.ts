import { type AttemptSet, listAttempts } from '../../../server/api/v1/conversation/attempts.ts'
import type { Client } from '../../../server/client/client.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { until } from '../../../server/client/until.ts'

/** Waits until there are attempts that go on from a conversation, and all of them are as they should be. */
export function untilAttempts(
  service: { client: Client; url: string; key: string },
  conversation_id: string,
  isSo: (attempt: AttemptSet['attempts'][number]) => boolean,
): Promise<AttemptSet> {
  return until(
    { ...service, connect: openWebSocket },
    {
      concerns: ({ resource }) => resource === 'conversation' || resource === 'start-task',
      read: async () => {
        const { items } = await service.client.call(listAttempts, { params: { conversation_id } })
        return items.find(({ attempts }) => attempts.every(isSo))
      },
    },
  )
}
