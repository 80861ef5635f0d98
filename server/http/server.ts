import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type Express } from 'express'
import { APP_CONTRACT, ROUTES } from '../api/routes.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { mountBrowser } from './browser.ts'
import { mountConfig } from './config.ts'
import { mountConversationWorkspace } from './conversation-workspace.ts'
import { serveDocs } from './docs.ts'
import { errorReply } from './errors.ts'
import { allowLocalOrigins, createGuard, type Guard, refuseForeign, requireKey } from './guard.ts'
import { mountLegacy } from './legacy.ts'
import { mountLlmProfiles } from './llm-profiles.ts'
import { mountLocalApiKey } from './local-api-key.ts'
import { mountMcp } from './mcp.ts'
import { refuseOtherMethods } from './mount.ts'
import { mountPendingMessages } from './pending-messages.ts'
import { limitRate, RateLimiter } from './rate-limit.ts'
import { mayBeJson, parseQuery } from './requests.ts'
import { mountSecrets } from './secrets.ts'
import type { Services } from './services.ts'
import { mountSkills } from './skills.ts'
import { createSocketIo, type SocketIo } from './socket-io.ts'
import { attachSockets } from './sockets.ts'
import { serveRenderer } from './static.ts'
import { mountV1 } from './v1.ts'
import { mountWebhooks } from './webhooks.ts'

const BODY_LIMIT = '10mb'

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
  /** Folder of the window's files, for a browser; null serves the API alone. */
  rendererDir: string | null
}

/** Starts the API on 127.0.0.1. A taken port falls back to a free one. */
export async function serve(options: Options): Promise<HttpServer> {
  const { services, bus, log } = options
  const guard = createGuard({
    allowedOrigins: options.allowedOrigins,
    keys: () => [services.apiKey.current(), ...services.logins.keys()],
  })
  let port = options.port
  const url = () => `http://127.0.0.1:${port}`
  const socketIo = createSocketIo({ guard, legacy: services.legacy, log })
  const app = createApp(options, { guard, url, socketIo })
  const server = createServer({ requestTimeout: 120_000, headersTimeout: 20_000 }, app)
  const sockets = attachSockets(server, { guard, conversations: services.conversations, bus, log, socketIo })
  const unsubscribe = services.apiKey.subscribe(() => {
    sockets.dropUnauthorized()
    socketIo.dropUnauthorized()
  })
  port = await listen(server, options.port, 'ATELIER_PORT')
  return {
    url: url(),
    close: async () => {
      unsubscribe()
      sockets.close()
      await socketIo.close()
      server.closeAllConnections()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}

function createApp(
  options: Options,
  { guard, url, socketIo }: { guard: Guard; url: () => string; socketIo: SocketIo },
): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', parseQuery)
  app.use(refuseForeign(guard))
  app.use(allowLocalOrigins(guard))
  app.use((_request, response, next) => {
    response.set({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' })
    next()
  })
  app.use(socketIo.middleware)
  app.use('/api', (_request, response, next) => {
    response.set('Cache-Control', 'no-store')
    next()
  })
  const open = new Set<string>(ROUTES.filter(route => route.open).map(route => `${route.method} ${route.path}`))
  const isOpen = (request: express.Request) =>
    open.has(`${request.method.toLowerCase()} ${request.baseUrl}${request.path}`)
  app.use('/api', limitRate(new RateLimiter(), guard))
  mountWebhooks(app, options.services, BODY_LIMIT)
  app.use('/api', requireKey(guard, isOpen))
  app.use('/api', express.json({ limit: BODY_LIMIT, strict: false, type: mayBeJson }))
  mountV1(app, options.services)
  mountConversationWorkspace(app, options.services)
  mountPendingMessages(app, options.services)
  mountSkills(app, options.services)
  mountBrowser(app, options.services)
  mountLegacy(app, options.services)
  mountSecrets(app, options.services)
  mountLlmProfiles(app, options.services)
  mountMcp(app, options.services)
  mountConfig(app, options.services)
  mountLocalApiKey(app, options.services)
  refuseOtherMethods(app, ROUTES)
  app.use('/api', (_request, response) => {
    response.status(404).json({ detail: 'Not Found', code: 'not_found' })
  })
  serveDocs(app, APP_CONTRACT, { url, version: options.version, example: '/api/v1/system' })
  if (options.rendererDir) serveRenderer(app, options.rendererDir)
  app.use((_request, response) => {
    response.status(404).json({ detail: 'Not Found', code: 'not_found' })
  })
  app.use(errorReply(options.log))
  return app
}

/** @param variable what sets the port, for the message when it can not be had */
export async function listen(server: Server, port: number, variable: string): Promise<number> {
  try {
    return await listenOn(server, port)
  } catch (error) {
    if (port === 0 || !isTaken(error)) {
      throw new AppError(
        'unavailable',
        `The API could not be served on port ${port}. Set ${variable} to another one.`,
        { cause: error },
      )
    }
    return listenOn(server, 0)
  }
}

function listenOn(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EADDRINUSE' || error.code === 'EACCES')
}
