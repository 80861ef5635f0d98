import type { Express } from 'express'
import { freeEngineStorage, getEngineStorage } from '../../api/v1/sandbox/engine-storage.ts'
import { listRemovable, removeRemovable } from '../../api/v1/sandbox/removable.ts'
import * as routes from '../../api/v1/system/engines.ts'
import type { Services } from '../core/services.ts'
import { mount } from '../mount/mount.ts'

export function mountEngines(app: Express, { engines }: Pick<Services, 'engines'>): void {
  mount(app, routes.listEngines, () => ({ items: engines.list() }))
  mount(app, routes.listAvailableEngines, async () => ({ items: await engines.available() }))
  mount(app, routes.addEngine, ({ body }) => engines.add(body.name, body.address))
  mount(app, routes.renameEngine, ({ params, body }) => engines.rename(params.engine_id, body.name))
  mount(app, routes.removeEngine, async ({ params, query }) => {
    await engines.remove(params.engine_id, query.forget_sandboxes)
    return { success: true }
  })
  mount(app, routes.checkEngine, ({ params }) => engines.check(params.engine_id))
  const engine = (id: string | null | undefined) => engines.get(id ?? routes.DEFAULT_ENGINE)
  const storage = (id: string | null | undefined) => engine(id).storage
  mount(app, getEngineStorage, ({ query, signal }) => storage(query.engine_id).status(signal))
  mount(app, freeEngineStorage, ({ body, signal }) => storage(body.engine_id).free(body.kinds, signal))
  mount(app, listRemovable, async ({ query, signal }) => ({
    items: await engine(query.engine_id).removable.list(signal),
  }))
  mount(app, removeRemovable, async ({ body, signal }) => ({
    items: await engine(body.engine_id).removable.remove(body.items, signal),
  }))
}
