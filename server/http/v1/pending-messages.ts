import type { Express } from 'express'
import { listPendingMessages, queuePendingMessage } from '../../api/v1/conversation/pending-messages.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

export function mountPendingMessages(app: Express, { pending }: Services): void {
  mount(app, queuePendingMessage, ({ params, body }) => pending.add(params.conversation_id, body))
  mount(app, listPendingMessages, ({ params }) => pending.list(params.conversation_id))
}
