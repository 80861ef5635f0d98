import { homedir } from 'node:os'
import { join } from 'node:path'
import { Bus } from './bus.ts'
import { createAgentParts } from './conversation/agent-parts.ts'
import { Branching } from './conversation/branching.ts'
import { ConversationFiles } from './conversation/conversation-files.ts'
import { createLegacy } from './conversation/legacy.ts'
import { PendingMessages } from './conversation/pending-messages.ts'
import { Questions } from './conversation/questions.ts'
import { ReportedConversations } from './conversation/reported-conversations.ts'
import { Runner } from './conversation/runner.ts'
import { ConversationService } from './conversation/service.ts'
import { Spending } from './conversation/spending.ts'
import { StartTasks } from './conversation/start.ts'
import { Starter } from './conversation/starter.ts'
import { createSubAgents } from './conversation/sub-agents.ts'
import { ToolServers } from './conversation/tool-servers.ts'
import { writeDiscoveryFile } from './discovery-file.ts'
import { activeBranch } from './event/branch.ts'
import { EventLog } from './event/log.ts'
import { createGateway } from './gateway/create.ts'
import { GatewayModels } from './gateway/models.ts'
import { verifyToken } from './git/providers.ts'
import { serveGateway } from './http/gateway.ts'
import { Logins } from './http/logins.ts'
import { type HttpServer, serve } from './http/server.ts'
import type { ConversationId } from './ids.ts'
import { Knowledge } from './knowledge/knowledge.ts'
import type { Log } from './log.ts'
import { openToolServers } from './mcp/open.ts'
import { openSandboxes } from './sandbox/open.ts'
import type { SandboxService } from './sandbox/service.ts'
import type { LocalApiKey } from './secret/api-key.ts'
import { createMask, type Mask } from './secret/mask.ts'
import { sandboxKey } from './secret/sandbox-key.ts'
import { createSecretStore, type SecretStore } from './secret/user-secrets.ts'
import type { Vault } from './secret/vault.ts'
import { SettingsService } from './settings/service.ts'
import { ConversationKnowledgeTable } from './store/conversation-knowledge.ts'
import { ConversationTable } from './store/conversations.ts'
import { Database } from './store/database.ts'
import { EventTable } from './store/events.ts'
import { GatewayConversationTable } from './store/gateway-conversations.ts'
import { GatewaySandboxRow, instanceId } from './store/meta.ts'
import { PendingMessageTable } from './store/pending-messages.ts'
import { ReportedConversationTable } from './store/reported-conversations.ts'
import { SettingTable } from './store/settings.ts'
import { StartTaskTable } from './store/start-tasks.ts'
import { UsageTable } from './store/usage.ts'
import { SystemService } from './system.ts'

export interface ServiceOptions {
  dataDir: string
  /** 0 is any free port; a taken one falls back to a free one. */
  port: number
  gatewayPort: number
  /** Holds the bundled sandbox image and the demonstration. */
  resourcesDir: string
  /** The window's files, to be served to a browser; null for the API alone. */
  rendererDir: string | null
  /** Stays the caller's to close, as the log does. */
  vault: Vault
  /** Whose folders hold the user's own skills; the home of whoever runs this when absent. */
  userHome?: string
  apiKey: LocalApiKey
  /** Origins beside those of this machine's web servers, like the window's own. */
  allowedOrigins: string[]
  version: string
  log: Log
}

export interface Service {
  url: string
  gatewayUrl: string
  /** A new one-time link that logs a browser in. */
  loginLink(): string
  /** A new key for a window of this process: it ends with it, and outlives a rotation of the API's own key. */
  windowKey(): string
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
    close,
  }
}

function openConversations(
  options: ServiceOptions,
  dependencies: {
    bus: Bus
    database: Database
    mask: Mask
    secrets: SecretStore
    settings: SettingsService
    sandboxes: SandboxService
    /** Where a browser reaches the service. */
    url: () => string
  },
) {
  const { bus, database, mask, secrets, settings, sandboxes } = dependencies
  const { log: logger } = options
  const log = new EventLog(database, new EventTable(database))
  const conversations = new ConversationTable(database)
  const table = new GatewayConversationTable(database)
  const models = new GatewayModels({ table, settings, mask })
  const chosen = new GatewaySandboxRow(database)
  const gatewayParts = { bus, rows: conversations, table, models, settings, sandboxes, chosen }
  const userHome = options.userHome ?? homedir()
  const knowledge = new Knowledge({
    table: new ConversationKnowledgeTable(database),
    sandboxes,
    userHome,
    defaultModel: () => settings.read().llm_model,
    mask: mask.mask,
    logger,
  })
  const spending = new Spending({ table: new UsageTable(database), now: () => new Date() })
  const toolServers = openToolServers({
    ...options,
    ...dependencies,
    exists: id => conversations.get(id as ConversationId) !== undefined,
  })
  const parts = createAgentParts({
    knowledge,
    toolServers: toolServers.hub,
    sandboxes,
    settings,
    secrets,
    mask: mask.mask,
    maskGrowing: mask.growing,
    eventsOf: conversation => activeBranch(log.read(conversation.id)),
    choice: conversation => models.choice(conversation),
    countUsage: spending.count,
  })
  const reportedTable = new ReportedConversationTable(database)
  const runner = new Runner({ log, conversations, bus, logger, parts })
  const service = new ConversationService({
    log,
    conversations,
    sandboxes,
    runner,
    knowledge,
    bus,
    reported: reportedTable,
  })
  const branching = new Branching({ log, conversations, service, knowledge, bus })
  const questions = new Questions({ log, conversations, service, runner, parts, bus })
  const startTasks = new StartTasks({ table: new StartTaskTable(database), bus, logger })
  const starter = new Starter({
    ...options,
    conversations,
    log,
    service,
    tasks: startTasks,
    sandboxes,
    settings,
    tokens: secrets.tokens,
    knowledge,
    secrets: { forCommand: secrets.environment.forCommand, mask },
  })
  const servers = new ToolServers({ ...options, ...toolServers, conversations: service, sandboxes, mask })
  const files = new ConversationFiles({ log, conversations: service, sandboxes })
  const legacy = createLegacy({
    ...options,
    ...dependencies,
    knowledge,
    log,
    conversations: service,
    tasks: startTasks,
  })
  runner.recover()
  startTasks.recover()
  const pending = new PendingMessages({
    table: new PendingMessageTable(database),
    conversations: service,
    tasks: startTasks,
    bus,
    logger,
  })
  const reported = new ReportedConversations({ log, conversations, table: reportedTable, mask, bus })
  const stopPending = pending.listen()
  return {
    services: {
      conversations: service,
      knowledge,
      branching,
      questions,
      spending,
      starter,
      startTasks,
      toolServers: servers,
      legacy,
      files,
      pending,
      reported,
    },
    gateway: createGateway({
      ...gatewayParts,
      userHome,
      version: options.version,
      hub: toolServers.hub,
      toolServers: servers,
      conversations: service,
      branching,
      questions,
      starter,
      startTasks,
    }),
    close: async () => {
      await startTasks.close()
      stopPending()
      await runner.close()
      await toolServers.close()
    },
  }
}
