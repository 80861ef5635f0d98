import type { Express, Request } from 'express'
import { createAsyncApi } from '../api/asyncapi.ts'
import { endMcpSignIn } from '../api/mcp-sign-in.ts'
import { createOpenApi } from '../api/openapi.ts'
import { startReplay } from '../api/replays.ts'
import { APP_CONTRACT, APP_SOCKETS, ROUTES } from '../api/routes.ts'
import type { Bus } from '../bus.ts'
import { BOUNDS } from '../domain/bounds.ts'
import type { Log } from '../log.ts'
import { mountBrowser } from './browser.ts'
import { mountConfig } from './config.ts'
import { mountConversationWorkspace } from './conversation-workspace.ts'
import { createExpress } from './core/app.ts'
import { FrontDoor } from './core/front-door.ts'
import { createGuard, type Guard, requireKey } from './core/guard.ts'
import { jsonBody } from './core/json-body.ts'
import { closePort, createPort, listen } from './core/port.ts'
import { serveDocs } from './docs.ts'
import { errorReply } from './errors.ts'
import { mountLegacy } from './legacy.ts'
import { mountLlmProfiles } from './llm-profiles.ts'
import { mountLocalApiKey } from './local-api-key.ts'
import type { LoginChange } from './logins.ts'
import { mountMcp } from './mcp.ts'
import { refuseOtherMethods } from './mount.ts'
import { mountPendingMessages } from './pending-messages.ts'
import { mountRepositoryTrust } from './repository-trust.ts'
import { mayBeJson } from './requests.ts'
import { mountSecrets } from './secrets.ts'
import type { Services } from './services.ts'
import { mountSkills } from './skills.ts'
import { createSocketIo, type SocketIo } from './socket-io.ts'
import { attachSockets } from './sockets.ts'
import { serveRenderer } from './static.ts'
import { mountEngineStorage, mountStorage } from './storage.ts'
import { mountTasksMcp } from './tasks-mcp.ts'
import { mountV1 } from './v1.ts'
import { mountWebhooks } from './webhooks.ts'

export interface HttpServer {
  url: string
  close(): Promise<void>
}

interface Options {
  port: number
  services: Services
  bus: Bus
  log: Log
  allowedOrigins: readonly string[]
  version: string
  resourcesDir: string
  /** Folder of the window's files, for a browser; null serves the API alone. */
  rendererDir: string | null
}

/** Starts the API on 127.0.0.1. A taken port falls back to a free one. */
export async function serve(options: Options): Promise<HttpServer> {
  const { services, bus, log } = options
  const guard = createGuard({
    allowedOrigins: options.allowedOrigins,
    isKey: key => services.apiKey.is(key) || services.logins.is(key),
    returnPaths: [endMcpSignIn.path],
  })
  const door = new FrontDoor({ guard })
  let port = options.port
  const url = () => `http://127.0.0.1:${port}`
  const socketIo = createSocketIo({ door, guard, legacy: services.legacy, log })
  const app = createApp(options, { door, guard, url, socketIo })
  const server = createPort(app, { door, requestTimeout: BOUNDS.request.limit })
  const { conversations, settings } = services
  const sockets = attachSockets(server, { door, guard, conversations, settings, bus, log, socketIo })
  const dropUnauthorized = () => {
    door.forgetKeys()
    sockets.dropUnauthorized()
    socketIo.dropUnauthorized()
  }
  const loginsChanged = (change: LoginChange) => {
    if (change === 'ended') dropUnauthorized()
    bus.publish({ resource: 'system' })
  }
  const unsubscribe = [services.apiKey.subscribe(dropUnauthorized), services.logins.subscribe(loginsChanged)]
  port = await listen(server, options.port, 'ATELIER_PORT')
  return {
    url: url(),
    close: async () => {
      for (const end of unsubscribe) end()
      sockets.close()
      await socketIo.close()
      await closePort(server)
    },
  }
}

function createApp(
  options: Options,
  { door, guard, url, socketIo }: { door: FrontDoor; guard: Guard; url: () => string; socketIo: SocketIo },
): Express {
  const app = createExpress()
  door.standBefore(app)
  app.use(socketIo.middleware)
  app.use('/api', (_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  const open = new Set<string>(ROUTES.filter(route => route.open).map(route => `${route.method} ${route.path}`))
  const isOpen = (request: Request) => open.has(`${request.method.toLowerCase()} ${request.baseUrl}${request.path}`)
  mountWebhooks(app, { ...options.services, door })
  mountTasksMcp(app, { guard, tools: options.services.taskTools, url })
  app.use('/api', requireKey(guard, isOpen))
  app.use('/api', jsonBody({ type: mayBeJson, largeBodies: [startReplay.path] }))
  mountV1(app, options.services)
  mountConversationWorkspace(app, options.services)
  mountPendingMessages(app, options.services)
  mountSkills(app, options.services)
  mountRepositoryTrust(app, options.services)
  mountBrowser(app, options.services)
  mountLegacy(app, options.services)
  mountSecrets(app, options.services)
  mountLlmProfiles(app, options.services)
  mountMcp(app, options.services)
  mountConfig(app, options.services)
  mountLocalApiKey(app, options.services)
  mountStorage(app, options.services)
  mountEngineStorage(app, options.services)
  refuseOtherMethods(app, ROUTES)
  app.use('/api', (_request, response) => {
    response.status(404).json({ detail: 'Not Found', code: 'not_found' })
  })
  serveDocs(app, {
    createOpenApi: examples => createOpenApi(APP_CONTRACT, { url: url(), version: options.version, examples }),
    createAsyncApi: () => createAsyncApi(APP_SOCKETS, { url: url(), version: options.version }),
    resourcesDir: options.resourcesDir,
    port: 'app',
  })
  if (options.rendererDir) serveRenderer(app, options.rendererDir)
  app.use((_request, response) => {
    response.status(404).json({ detail: 'Not Found', code: 'not_found' })
  })
  app.use(errorReply(options.log, options.services.mask))
  return app
}
