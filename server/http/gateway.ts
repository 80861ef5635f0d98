import { createServer } from 'node:http'
import express, { type Express, type Request } from 'express'
import { GATEWAY_CONTRACT, GATEWAY_ROUTES } from '../api/gateway.ts'
import { UNSUPPORTED } from '../api/gateway-unsupported.ts'
import type { ConversationService } from '../conversation/service.ts'
import { AppError } from '../errors.ts'
import { type Access, accessOf } from '../gateway/access.ts'
import type { GatewayServices } from '../gateway/services.ts'
import type { Log } from '../log.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { LocalApiKey } from '../secret/api-key.ts'
import { sandboxKey } from '../secret/sandbox-key.ts'
import { serveDocs } from './docs.ts'
import { errorReply } from './errors.ts'
import { mountGatewayBash } from './gateway-bash.ts'
import { mountGatewayConversations } from './gateway-conversations.ts'
import { mountGatewayFiles } from './gateway-files.ts'
import { mountGatewayGit } from './gateway-git.ts'
import { mountGatewayMcp } from './gateway-mcp.ts'
import { admitted } from './gateway-mount.ts'
import { mountGatewayProfiles } from './gateway-profiles.ts'
import { mountGatewayServer } from './gateway-server.ts'
import { mountGatewaySettings } from './gateway-settings.ts'
import { mountGatewaySkills } from './gateway-skills.ts'
import { attachGatewaySockets } from './gateway-sockets.ts'
import { allowLocalOrigins, createGuard, type Guard, keyOf, refuseForeign } from './guard.ts'
import type { Logins } from './logins.ts'
import { expressPath, refuseOtherMethods } from './mount.ts'
import { limitRate, RateLimiter } from './rate-limit.ts'
import { mayBeJson, parseQuery } from './requests.ts'
import { type HttpServer, listen } from './server.ts'

const BODY_LIMIT = '10mb'

export interface GatewayOptions {
  port: number
  services: GatewayServices
  conversations: ConversationService
  sandboxes: SandboxService
  /** The app's own key opens every sandbox. */
  apiKey: LocalApiKey
  logins: Logins
  allowedOrigins: readonly string[]
  version: string
  log: Log
}

type Admit = (key: string | undefined) => Promise<Access | undefined>

/** Serves the agent-server API on 127.0.0.1, for all sandboxes: the key says which one. A taken port falls back. */
export async function serveGateway(options: GatewayOptions): Promise<HttpServer> {
  const { services, conversations, log } = options
  const guard = createGuard({
    allowedOrigins: options.allowedOrigins,
    keys: () => [options.apiKey.current(), ...options.logins.keys()],
  })
  const admit: Admit = async key => {
    if (key === undefined) return undefined
    return guard.isKey(key)
      ? { kind: 'all' }
      : accessOf(key, options.sandboxes, id => sandboxKey(options.apiKey.current(), id))
  }
  let url = ''
  const server = createServer(
    { requestTimeout: 0, headersTimeout: 20_000 },
    createApp(options, { guard, admit, url: () => url }),
  )
  const sockets = attachGatewaySockets(server, { guard, admit, services, conversations, log })
  const unsubscribe = options.apiKey.subscribe(() => sockets.dropUnauthorized())
  const port = await listen(server, options.port, 'ATELIER_GATEWAY_PORT')
  url = `http://127.0.0.1:${port}`
  return {
    url,
    close: async () => {
      unsubscribe()
      sockets.close()
      await services.bash.close()
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

function createApp(
  options: GatewayOptions,
  { guard, admit, url }: { guard: Guard; admit: Admit; url: () => string },
): Express {
  const startedAt = Date.now()
  let lastRequestAt = startedAt
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', parseQuery)
  app.use(refuseForeign(guard))
  app.use(allowLocalOrigins(guard))
  app.use((_request, response, next) => {
    response.set({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-store' })
    next()
  })
  app.use(limitRate(new RateLimiter(), guard))
  serveDocs(app, GATEWAY_CONTRACT, { url, version: options.version, example: '/api/tools/' })
  app.use(admitted(request => admit(keyOf(request)), isOpen()))
  app.use((_request, _response, next) => {
    lastRequestAt = Date.now()
    next()
  })
  app.use(express.json({ limit: BODY_LIMIT, strict: false, type: mayBeJson }))
  mountGatewayServer(app, options.services, { version: options.version, startedAt, lastRequestAt: () => lastRequestAt })
  mountGatewayConversations(app, options.services)
  mountGatewayBash(app, options.services)
  mountGatewayFiles(app, options.services)
  mountGatewayGit(app, options.services)
  mountGatewaySkills(app, options.services)
  mountGatewayMcp(app, options.services)
  mountGatewayProfiles(app, options.services)
  mountGatewaySettings(app, options.services)
  refuseUnsupported(app)
  refuseOtherMethods(app, GATEWAY_ROUTES)
  app.use((_request, response) => {
    response.status(404).json({ detail: 'Not Found', code: 'not_found' })
  })
  app.use(errorReply(options.log))
  return app
}

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
