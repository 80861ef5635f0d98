import type { Express } from 'express'
import * as routes from '../../../api/v1/sandbox/services.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'

/** The project's services beside a sandbox. */
export function mountSandboxServices(app: Express, { engines, mask }: Pick<Services, 'engines' | 'mask'>): void {
  const of = (sandboxId: string) => engines.ofSandbox(sandboxId).services
  mount(app, routes.listSandboxServices, ({ params, signal }) => of(params.sandbox_id).list(params.sandbox_id, signal))
  mount(app, routes.startSandboxServices, ({ params, body, signal }) =>
    of(params.sandbox_id).begin(params.sandbox_id, body.names ?? null, signal),
  )
  mount(app, routes.stopSandboxServices, ({ params, body, signal }) =>
    of(params.sandbox_id).stop(params.sandbox_id, body.names ?? null, signal),
  )
  mount(app, routes.restartSandboxServices, ({ params, body, signal }) =>
    of(params.sandbox_id).restart(params.sandbox_id, body.names ?? null, signal),
  )
  mount(app, routes.deleteSandboxServices, ({ params, signal }) =>
    of(params.sandbox_id).remove(params.sandbox_id, signal),
  )
  mount(app, routes.getSandboxServiceLog, async ({ params, query }) => ({
    text: mask.mask(await of(params.sandbox_id).log(params.sandbox_id, params.name, query.tail)),
  }))
}
