import type { Express } from 'express'
import * as routes from '../../../api/v1/sandbox/ports.ts'
import type { Services } from '../../core/services.ts'
import { mount } from '../../mount/mount.ts'

export function mountPorts(app: Express, { previews }: Pick<Services, 'previews'>): void {
  mount(app, routes.listPorts, ({ params, query, signal }) => previews.ports(params.sandbox_id, { ...query, signal }))
  mount(app, routes.previewPort, async ({ params }) => ({
    url: await previews.address({ sandboxId: params.sandbox_id, port: params.port }),
  }))
  mount(app, routes.openSandboxProxy, ({ params }) => previews.proxy(params.sandbox_id))
}
