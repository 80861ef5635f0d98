import type { Express, Request } from 'express'
import { createAsyncApi } from '../../api/contract/asyncapi.ts'
import { createOpenApi } from '../../api/contract/openapi.ts'
import { APP_CONTRACT, APP_SOCKETS, ROUTES } from '../../api/contract/routes.ts'
import { startReplay } from '../../api/v1/conversation/replays.ts'
import { endMcpSignIn } from '../../api/v1/settings/mcp-sign-in.ts'
import type { Bus } from '../../bus.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import type { Log } from '../../log.ts'
import { mountLegacy } from '../legacy/routes.ts'
import { createSocketIo, type SocketIo } from '../legacy/socket-io.ts'
import { errorReply } from '../mount/errors.ts'
import { refuseOtherMethods } from '../mount/mount.ts'
import { attachSockets } from '../sockets/sockets.ts'
import { mountTasksMcp } from '../tasks-mcp.ts'
import { mountBrowser } from '../v1/browser.ts'
import { mountConfig } from '../v1/config.ts'
import { mountAttachments } from '../v1/conversation/attachments.ts'
import { mountAttempts } from '../v1/conversation/attempts.ts'
import { mountComparisons } from '../v1/conversation/comparisons.ts'
import { mountConversationFiles } from '../v1/conversation/files.ts'
import { mountConversationGit } from '../v1/conversation/git.ts'
import { mountConversationWorkspace } from '../v1/conversation/workspace.ts'
import { mountDiagnosis } from '../v1/diagnosis.ts'
import { mountEngines } from '../v1/engines.ts'
import { mountGitSignIns } from '../v1/git-sign-ins.ts'
import { mountLlmProfiles } from '../v1/llm-profiles.ts'
import { mountLocalApiKey } from '../v1/local-api-key.ts'
import type { LoginChange } from '../v1/logins.ts'
import { mountMcp } from '../v1/mcp.ts'
import { mountPendingMessages } from '../v1/pending-messages.ts'
import { mountRepositoryTrust } from '../v1/repository-trust.ts'
import { mountV1 } from '../v1/routes.ts'
import { mountSandboxLogs } from '../v1/sandbox/logs.ts'
import { mountPorts } from '../v1/sandbox/ports.ts'
import { mountSandboxServices } from '../v1/sandbox/services.ts'
import { mountSpecFiles } from '../v1/sandbox/spec-files.ts'
import { mountSpecImages } from '../v1/sandbox/spec-images.ts'
import { mountTerminals } from '../v1/sandbox/terminals.ts'
import { mountSearch } from '../v1/search.ts'
import { mountSecrets } from '../v1/secrets.ts'
import { mountSkills } from '../v1/skills.ts'
import { mountRetention, mountStorage } from '../v1/storage.ts'
import { mountTransfer } from '../v1/transfer.ts'
import { mountWebhooks } from '../v1/webhooks.ts'
import { createExpress } from './app.ts'
import { serveDocs } from './docs.ts'
import { createGuard, type Guard, requireKey } from './guard.ts'
import { jsonBody } from './json-body.ts'
import { closePort, createPort, listen } from './port.ts'
import { answerRepeatedRequests } from './repeated-requests.ts'
import { RequestGate } from './request-gate.ts'
import { mayBeJson } from './requests.ts'
import type { Services } from './services.ts'
import { serveRenderer } from './static.ts'

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
  const gate = new RequestGate({ guard })
  let port = options.port
  const url = () => `http://127.0.0.1:${port}`
  const socketIo = createSocketIo({ gate, guard, legacy: services.legacy, log })
  const app = createApp(options, { gate, guard, url, socketIo })
  const server = createPort(app, { gate, requestTimeout: BOUNDS.request.limit })
  const { conversations, settings, terminals, agentShells } = services
  const sockets = attachSockets(server, {
    gate,
    guard,
    conversations,
    terminals,
    agentShells,
    settings,
    bus,
    log,
    socketIo,
  })
  const dropUnauthorized = () => {
    gate.forgetKeys()
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
  { gate, guard, url, socketIo }: { gate: RequestGate; guard: Guard; url: () => string; socketIo: SocketIo },
): Express {
  const app = createExpress()
  gate.standBefore(app)
  app.use(socketIo.middleware)
  app.use('/api', (_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  const open = new Set<string>(ROUTES.filter(route => route.open).map(route => `${route.method} ${route.path}`))
  const isOpen = (request: Request) => open.has(`${request.method.toLowerCase()} ${request.baseUrl}${request.path}`)
  mountWebhooks(app, { ...options.services, gate })
  mountTasksMcp(app, { guard, tools: options.services.taskTools, url })
  app.use('/api', requireKey(guard, isOpen))
  app.use('/api', jsonBody({ type: mayBeJson, largeBodies: [startReplay.path] }))
  app.use('/api', answerRepeatedRequests())
  mountV1(app, options.services)
  mountAttachments(app, options.services)
  mountConversationFiles(app, options.services)
  mountConversationWorkspace(app, options.services)
  mountAttempts(app, options.services)
  mountComparisons(app, options.services)
  mountConversationGit(app, options.services)
  mountSearch(app, options.services)
  mountDiagnosis(app, options.services)
  mountSpecImages(app, options.services)
  mountSpecFiles(app, options.services)
  mountPendingMessages(app, options.services)
  mountSkills(app, options.services)
  mountRepositoryTrust(app, options.services)
  mountBrowser(app, options.services)
  mountTerminals(app, options.services)
  mountPorts(app, options.services)
  mountSandboxServices(app, options.services)
  mountSandboxLogs(app, options.services)
  mountLegacy(app, options.services)
  mountSecrets(app, options.services)
  mountLlmProfiles(app, options.services)
  mountMcp(app, options.services)
  mountGitSignIns(app, options.services)
  mountConfig(app, options.services)
  mountLocalApiKey(app, options.services)
  mountStorage(app, options.services)
  mountRetention(app, options.services)
  mountTransfer(app, options.services)
  mountEngines(app, options.services)
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
