import { searchGatewayConversations } from '../../../server/api/agent-server/conversations.ts'
import { interruptConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { cancelStartTask, searchStartTasks } from '../../../server/api/v1/conversation/start-tasks.ts'
import { ApiError } from '../../../server/client/api-error.ts'
import { type Client, createClient } from '../../../server/client/client.ts'
import type { Service } from '../../../server/composition/service.ts'

/** Cancels what is starting and stops who works. The key of a window opens both ports and outlives a rotation. */
export async function endRuns({ url, gatewayUrl }: Service, key: string): Promise<void> {
  const app = createClient({ url, key })
  const gateway = createClient({ url: gatewayUrl, key })
  const elsewhere = new Set<string>()
  for (;;) {
    const starts = await starting(app)
    await Promise.all(starts.map(task_id => app.call(cancelStartTask, { params: { task_id } }).catch(ifEnded)))
    const runs = (await running(gateway)).filter(id => !elsewhere.has(id))
    await Promise.all(
      runs.map(conversation_id =>
        app.call(interruptConversation, { params: { conversation_id } }).catch(error => {
          ifEnded(error)
          // Reported by an agent server elsewhere: it never asks the model of this test.
          elsewhere.add(conversation_id)
        }),
      ),
    )
    if (starts.length === 0 && runs.length === 0) return
  }
}

async function starting(app: Client): Promise<string[]> {
  const { items } = await app.call(searchStartTasks, { query: { sort_order: 'UPDATED_AT_DESC', limit: 100 } })
  return items.filter(({ status }) => status !== 'READY' && status !== 'ERROR').map(({ id }) => id)
}

async function running(gateway: Client): Promise<string[]> {
  const { items } = await gateway.call(searchGatewayConversations, { query: { status: 'running', limit: 100 } })
  return items.map(({ id }) => id)
}

function ifEnded(error: unknown): void {
  const ended = error instanceof ApiError && (error.status === 404 || error.status === 409)
  if (!ended) throw error
}
