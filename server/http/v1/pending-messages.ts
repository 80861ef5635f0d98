import type { Express } from 'express'
import {
  changePendingMessage,
  listPendingMessages,
  queuePendingMessage,
  withdrawPendingMessage,
} from '../../api/v1/conversation/pending-messages.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

export function mountPendingMessages(app: Express, { pending }: Services): void {
  mount(app, queuePendingMessage, ({ params, body }) => pending.add(params.conversation_id, body))
  mount(app, listPendingMessages, ({ params }) => pending.list(params.conversation_id))
  mount(app, changePendingMessage, ({ params, body }) =>
    pending.change(params.conversation_id, params.message_id, body),
  )
  mount(app, withdrawPendingMessage, ({ params }) => {
    pending.withdraw(params.conversation_id, params.message_id)
    return { success: true }
  })
}
