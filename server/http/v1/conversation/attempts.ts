import type { Express } from 'express'
import * as routes from '../../../api/v1/conversation/attempts.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'

const OK = { success: true }

/** One task, tried several times. */
export function mountAttempts(app: Express, { attempts }: Services): void {
  mount(app, routes.beginAttempts, ({ params, body }) => attempts.begin(params.conversation_id, body))
  mount(app, routes.listAttempts, ({ params }) => attempts.list(params.conversation_id))
  mount(app, routes.keepAttempt, async ({ params, body }) => {
    await attempts.keep(params.conversation_id, params.attempts_id, body.conversation_id)
    return OK
  })
  mount(app, routes.deleteAttempts, async ({ params }) => {
    await attempts.delete(params.conversation_id, params.attempts_id)
    return OK
  })
}
