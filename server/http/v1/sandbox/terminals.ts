import type { Express } from 'express'
import * as routes from '../../../api/v1/sandbox/terminals.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'

/** Terminals of people; what is on their screens goes over a socket. */
export function mountTerminals(
  app: Express,
  { terminals, conversations }: Pick<Services, 'terminals' | 'conversations'>,
): void {
  mount(app, routes.listTerminals, ({ params }) => terminals.list(params.sandbox_id))
  mount(app, routes.createTerminal, ({ params, body, signal }) => {
    const { conversation_id, ...asked } = body
    const cwd = conversation_id === undefined ? undefined : conversations.find(conversation_id).working_dir
    return terminals.create(params.sandbox_id, { ...(cwd !== undefined && { cwd }), ...asked }, signal)
  })
  mount(app, routes.updateTerminal, ({ params, body }) => terminals.update(params.sandbox_id, params.terminal_id, body))
  mount(app, routes.restartTerminal, ({ params, signal }) =>
    terminals.restart(params.sandbox_id, params.terminal_id, signal),
  )
  mount(app, routes.closeTerminal, async ({ params, query }) => {
    await terminals.close(params.sandbox_id, params.terminal_id, { ifIdle: query.if_idle })
    return { success: true }
  })
}
