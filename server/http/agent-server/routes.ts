import type { Express, NextFunction, Request, Response } from 'express'
import { type Access, accessOf } from '../../agent-server/access.ts'
import type { GatewayServices } from '../../agent-server/services.ts'
import { GATEWAY_CONTRACT, GATEWAY_ROUTES, GATEWAY_SOCKETS } from '../../api/agent-server/contract.ts'
import { UNSUPPORTED } from '../../api/agent-server/unsupported.ts'
import { createAsyncApi } from '../../api/contract/asyncapi.ts'
import type { ErrorCode } from '../../api/contract/failures.ts'
import { createOpenApi } from '../../api/contract/openapi.ts'
import type { ConversationService } from '../../conversation/service.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { AppError, isAppError } from '../../domain/errors.ts'
import type { Log } from '../../log.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { LocalApiKey } from '../../secret/api-key.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import { sandboxKey } from '../../secret/sandbox-key.ts'
import { createExpress } from '../core/app.ts'
import { serveDocs } from '../core/docs.ts'
import { createGuard, keyIn } from '../core/guard.ts'
import { jsonBody } from '../core/json-body.ts'
import { closePort, createPort, listen } from '../core/port.ts'
import { answerRepeatedRequests } from '../core/repeated-requests.ts'
import { RequestGate } from '../core/request-gate.ts'
import { mayBeJson } from '../core/requests.ts'
import type { HttpServer } from '../core/server.ts'
import { errorReply } from '../mount/errors.ts'
import { expressPath, refuseOtherMethods } from '../mount/mount.ts'
import type { Logins } from '../v1/logins.ts'
import { mountGatewayBash } from './bash.ts'
import { mountGatewayConversations } from './conversations.ts'
import { mountGatewayFiles } from './files.ts'
import { mountGatewayGit } from './git.ts'
import { mountGatewayMcp } from './mcp.ts'
import { admitted } from './mount.ts'
import { mountGatewayProfiles } from './profiles.ts'
import { mountGatewayServer } from './server.ts'
import { mountGatewaySettings } from './settings.ts'
import { mountGatewaySkills } from './skills.ts'
import { attachGatewaySockets } from './sockets.ts'

export interface GatewayOptions {
  port: number
  services: GatewayServices
  conversations: ConversationService
  sandboxes: SandboxService
  /** The app's own key opens every sandbox. */
  apiKey: LocalApiKey
  logins: Logins
  mask: Pick<Mask, 'mask'>
  allowedOrigins: readonly string[]
  version: string
  resourcesDir: string
  log: Log
}

type Admit = (key: string) => Promise<Access | undefined>

/** Serves the agent-server API on 127.0.0.1, for all sandboxes: the key says which one. A taken port falls back. */
export async function serveGateway(options: GatewayOptions): Promise<HttpServer> {
  const { services, conversations, log } = options
  const guard = createGuard({
    allowedOrigins: options.allowedOrigins,
    isKey: key => options.apiKey.is(key) || options.logins.is(key),
  })
  const gate = new RequestGate({ guard })
  const admit: Admit = async key => {
    return guard.isKey(key)
      ? { kind: 'all' }
      : accessOf(key, options.sandboxes, id => sandboxKey(options.apiKey.current(), id))
  }
  let url = ''
  const app = createApp(options, { gate, admit, url: () => url })
  const server = createPort(app, { gate, requestTimeout: BOUNDS.gatewayRequest.limit })
  const sockets = attachGatewaySockets(server, { gate, admit, services, conversations, log })
  const dropUnauthorized = () => {
    gate.forgetKeys()
    sockets.dropUnauthorized()
  }
  const unsubscribe = [
    options.apiKey.subscribe(dropUnauthorized),
    options.logins.subscribe(change => {
      if (change === 'ended') dropUnauthorized()
    }),
  ]
  const port = await listen(server, options.port, 'ATELIER_GATEWAY_PORT')
  url = `http://127.0.0.1:${port}`
  return {
    url,
    close: async () => {
      for (const end of unsubscribe) end()
      sockets.close()
      await services.bash.close()
      await closePort(server)
    },
  }
}

function createApp(
  options: GatewayOptions,
  { gate, admit, url }: { gate: RequestGate; admit: Admit; url: () => string },
): Express {
  const startedAt = Date.now()
  let lastRequestAt = startedAt
  const app = createExpress()
  gate.standBefore(app)
  app.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  serveDocs(app, {
    createOpenApi: examples => createOpenApi(GATEWAY_CONTRACT, { url: url(), version: options.version, examples }),
    createAsyncApi: () => createAsyncApi(GATEWAY_SOCKETS, { url: url(), version: options.version }),
    resourcesDir: options.resourcesDir,
    port: 'gateway',
  })
  app.use(admitted(admit, isOpen()))
  app.use((request, response, next) => {
    if (response.locals.access) gate.welcome(request, keyIn(response))
    lastRequestAt = Date.now()
    next()
  })
  app.use(jsonBody({ type: mayBeJson }))
  app.use(answerRepeatedRequests())
  mountGatewayServer(app, options.services, { version: options.version, startedAt, lastRequestAt: () => lastRequestAt })
  mountGatewayConversations(app, options.services)
  mountGatewayBash(app, options.services)
  mountGatewayFiles(app, options.services)
  mountGatewayGit(app, options.services)
  mountGatewaySkills(app, options.services)
  mountGatewayMcp(app, options.services)
  mountGatewaySettings(app, options.services)
  mountGatewayProfiles(app, options.services)
  refuseUnsupported(app)
  refuseOtherMethods(app, GATEWAY_ROUTES)
  app.use((_request, response) => {
    response.status(404).json({ detail: 'Not Found', code: 'not_found' })
  })
  app.use((error: unknown, _request: Request, _response: Response, next: NextFunction) => next(inKeysSandbox(error)))
  app.use(errorReply(options.log, options.mask))
  return app
}

/** A key was let in because its sandbox is there, or will be: one that is removed, or cannot be started, does not run. */
function inKeysSandbox(error: unknown): unknown {
  if (!isAppError(error) || !NO_SANDBOX.has(error.code)) return error
  const message =
    error.code === 'sandbox_not_found' ? 'The sandbox was removed meanwhile. Start a new one.' : error.message
  return new AppError('sandbox_not_running', message, { cause: error })
}

const NO_SANDBOX: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'sandbox_not_found',
  'sandbox_start_failed',
  'image_missing',
  'image_pull_failed',
  'image_build_failed',
])

function isOpen(): (request: Request) => boolean {
  const open = new Set(GATEWAY_ROUTES.filter(route => route.open).map(route => `${route.method} ${route.path}`))
  return request => open.has(`${request.method.toLowerCase()} ${request.path}`)
}

function refuseUnsupported(app: Express): void {
  for (const { method, path, reason } of UNSUPPORTED) {
    app[method](expressPath(path), () => {
      throw new AppError('not_supported', reason)
    })
  }
}
