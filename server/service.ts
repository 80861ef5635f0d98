import { join } from 'node:path'
import { Bus } from './bus.ts'
import { openConversations } from './conversations.ts'
import { writeDiscoveryFile } from './discovery-file.ts'
import { verifyToken } from './git/providers.ts'
import { serveGateway } from './http/gateway.ts'
import { Logins } from './http/logins.ts'
import { type HttpServer, serve } from './http/server.ts'
import { openSandboxes } from './sandbox/open.ts'
import { createMask } from './secret/mask.ts'
import { sandboxKey } from './secret/sandbox-key.ts'
import { createSecretStore } from './secret/user-secrets.ts'
import type { ServiceOptions } from './service-options.ts'
import { SettingsService } from './settings/service.ts'
import { Database } from './store/database.ts'
import { instanceId } from './store/meta.ts'
import { SettingTable } from './store/settings.ts'
import { SystemService } from './system.ts'

export interface Service {
  url: string
  gatewayUrl: string
  /** A new one-time link that logs a browser in. */
  loginLink(): string
  /** A new key for a window of this process: it ends with it, and outlives a rotation of the API's own key. */
  windowKey(): string
  /** How many agents work now. */
  working(): number
  close(): Promise<void>
}

/** The composition root: everything is made here, started in order, and closed in the reverse order. */
export async function createService(options: ServiceOptions): Promise<Service> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return await open(options, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function open(options: ServiceOptions, closers: (() => unknown)[], close: () => Promise<void>): Promise<Service> {
  const { log, vault } = options
  const bus = new Bus()
  const database = Database.open(join(options.dataDir, 'atelier.db'))
  closers.push(() => database.close())
  const mask = createMask([options.apiKey.current()])
  closers.push(options.apiKey.subscribe(mask.add))
  const secrets = createSecretStore({ database, vault, mask, bus, log, verify: verifyToken })
  closers.push(secrets.close)
  secrets.start()
  const settings = new SettingsService({ table: new SettingTable(database), vault, mask, bus, secrets })
  let gateway: HttpServer | undefined
  let server: HttpServer | undefined
  const url = () => server?.url ?? ''
  const gatewayUrl = () => gateway?.url ?? null
  const docker = await openSandboxes({
    ...options,
    bus,
    database,
    settings,
    instanceId: instanceId(database),
    sessionKeyFor: id => sandboxKey(options.apiKey.current(), id),
    agentServerUrl: gatewayUrl,
  })
  closers.push(docker.close)
  const conversations = openConversations(options, {
    bus,
    database,
    mask,
    secrets,
    settings,
    sandboxes: docker.sandboxes,
    url,
  })
  closers.push(conversations.close)

  const logins = new Logins()
  const system = new SystemService({
    version: options.version,
    dataDir: options.dataDir,
    url,
    gatewayUrl,
    connection: docker.connection,
    images: docker.images,
    sandboxes: docker.sandboxes,
    vault,
    settings,
    bus,
  })
  const services = {
    ...conversations.services,
    sandboxes: docker.sandboxes,
    specs: docker.specs,
    settings,
    secrets: secrets.secrets,
    tokens: secrets.tokens,
    environment: secrets.environment,
    system,
    logins,
    apiKey: options.apiKey,
  }
  gateway = await serveGateway({
    ...options,
    port: options.gatewayPort,
    services: { ...conversations.gateway, system },
    conversations: conversations.services.conversations,
    sandboxes: docker.sandboxes,
    logins,
  })
  closers.push(gateway.close)
  server = await serve({ ...options, services, bus })
  closers.push(server.close)
  closers.push(writeDiscoveryFile({ ...options, url: server.url, gatewayUrl: gateway.url }))
  log.info({ url: server.url, gatewayUrl: gateway.url, dataDir: options.dataDir }, 'Ready')
  return {
    url: server.url,
    gatewayUrl: gateway.url,
    loginLink: () => `${url()}/#login=${logins.createCode()}`,
    windowKey: () => logins.createKey(),
    working: () => conversations.services.conversations.working(),
    close,
  }
}
