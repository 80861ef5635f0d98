import type { Express } from 'express'
import { previewRetention } from '../../api/v1/system/retention.ts'
import * as routes from '../../api/v1/system/storage.ts'
import { alive, health, login } from '../../api/v1/system/system.ts'
import type { Retention } from '../../conversation/retention.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import type { Log } from '../../log.ts'
import type { LocalApiKey } from '../../secret/api-key.ts'
import type { StorageService } from '../../system/storage.ts'
import { createExpress } from '../core/app.ts'
import { createGuard, requireKey } from '../core/guard.ts'
import { jsonBody } from '../core/json-body.ts'
import { closePort, createPort, listen } from '../core/port.ts'
import { RequestGate } from '../core/request-gate.ts'
import { mayBeJson } from '../core/requests.ts'
import { serveRenderer } from '../core/static.ts'
import { errorReply } from '../mount/errors.ts'
import { mount } from '../mount/mount.ts'
import { browserName } from './browser-name.ts'
import type { Logins } from './logins.ts'

export function mountRetention(app: Express, { retention }: { retention: Pick<Retention, 'preview'> }): void {
  mount(app, previewRetention, ({ query: { archive_after_days = null, delete_after_days = null } }) =>
    retention.preview({ archive_after_days, delete_after_days }),
  )
}

export function mountStorage(app: Express, { storage }: { storage: StorageService }): void {
  mount(app, routes.getStorage, () => storage.status())
  mount(app, routes.makeBackup, () => storage.makeBackup())
  mount(app, routes.deleteBackup, ({ params }) => storage.deleteBackup(params.name))
  mount(app, routes.restoreBackup, async ({ params }) => {
    await storage.restore(params.name)
    return { restarting: true as const }
  })
  mount(app, routes.freeStorage, ({ body }) => storage.free(body.kinds))
  mount(app, routes.answerStorage, ({ body }) => {
    storage.answer(body.choice, body.backup ?? null)
    return { restarting: true as const }
  })
}

interface Options {
  port: number
  storage: StorageService
  logins: Logins
  apiKey: LocalApiKey
  allowedOrigins: readonly string[]
  rendererDir: string | null
  log: Log
}

/** Serves the window and the questions about the database, and nothing else, until they are answered. */
export async function serveStorageQuestion(options: Options): Promise<{ url: string; close(): Promise<void> }> {
  const { logins, apiKey, allowedOrigins, log } = options
  const guard = createGuard({ allowedOrigins, isKey: key => apiKey.is(key) || logins.is(key), returnPaths: [] })
  const gate = new RequestGate({ guard })
  const app = createExpress()
  gate.standBefore(app)
  mount(app, alive, () => ({ status: 'ok' as const }))
  mount(app, health, () => 'OK' as const)
  app.use(
    '/api',
    requireKey(guard, request => request.path === '/v1/login'),
  )
  app.use('/api', jsonBody({ type: mayBeJson }))
  mount(app, login, ({ body, caller }) => ({
    session_api_key: logins.redeem(body.code, browserName(caller.userAgent)),
  }))
  mountStorage(app, options)
  app.use('/api', (_request, response) => {
    response.status(503).json({ detail: UNDECIDED, code: 'storage_undecided' })
  })
  if (options.rendererDir) serveRenderer(app, options.rendererDir)
  app.use(errorReply(log))
  const server = createPort(app, { gate, requestTimeout: BOUNDS.request.limit })
  const port = await listen(server, options.port, 'ATELIER_PORT')
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => closePort(server),
  }
}

const UNDECIDED =
  'The database of this data folder cannot be used as it is. Say what to do: GET /api/v1/storage tells what there is, POST /api/v1/storage/answer decides.'
