import type { Express } from 'express'
import { listPendingMessages, queuePendingMessage } from '../api/pending-messages.ts'
import { mount } from './mount.ts'
import type { Services } from './services.ts'

export function mountPendingMessages(app: Express, { pending }: Services): void {
  mount(app, queuePendingMessage, ({ params, body }) => pending.add(params.conversation_id, body))
  mount(app, listPendingMessages, ({ params }) => pending.list(params.conversation_id))
}
