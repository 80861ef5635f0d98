import { WebSocket } from 'ws'
import type { z } from 'zod'
import { batchGetStartTasks } from '../../../server/api/v1/conversation/start-tasks.ts'
import {
  type AppConversationStartTask,
  createAppConversation,
  type newAppConversation,
} from '../../../server/api/v1/conversation/starts.ts'
import type { Client } from '../../../server/client/client.ts'
import { openWebSocket } from '../../../server/client/node/connect.ts'
import { until } from '../../../server/client/until.ts'

type StartBody = z.input<typeof newAppConversation>

/** Starts a conversation and waits until its start has ended. */
export async function startConversation(
  service: { client: Client; url: string; key: string },
  body: StartBody,
): Promise<AppConversationStartTask> {
  return settled(service, await service.client.call(createAppConversation, { body }))
}

/** Waits for the end of a start, told by the change feed. */
export function settled(
  service: { client: Client; url: string; key: string },
  { id }: Pick<AppConversationStartTask, 'id'>,
): Promise<AppConversationStartTask> {
  return until(
    { ...service, connect: openWebSocket },
    {
      concerns: change => change.resource === 'start-task' && change.id === id,
      read: async () => {
        const [now] = await service.client.call(batchGetStartTasks, { query: { ids: [id] } })
        return now?.status === 'READY' || now?.status === 'ERROR' ? now : undefined
      },
    },
  )
}

/** The feed of what changed. */
export async function openChanges(service: { url: string; key: string }) {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/sockets/updates`, {
    headers: { 'X-Session-API-Key': service.key },
  })
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return {
    socket,
    next: () => new Promise<unknown>(resolve => socket.once('message', data => resolve(JSON.parse(String(data))))),
    close: () => socket.close(),
  }
}

/** What a person would write. */
export function said(text: string) {
  return { role: 'user' as const, content: [{ type: 'text' as const, text }], run: true }
}
