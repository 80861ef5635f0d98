import { homedir } from 'node:os'
import { Browsers } from './browser/browsers.ts'
import type { Bus } from './bus.ts'
import { createAgentParts } from './conversation/agent-parts.ts'
import { Asides } from './conversation/asides.ts'
import { Branching } from './conversation/branching.ts'
import { ClientCalls } from './conversation/client-calls.ts'
import { createClientTools, namesOfClientTools } from './conversation/client-tools.ts'
import { ConversationFiles } from './conversation/conversation-files.ts'
import { endInterruptedStarts } from './conversation/interrupted-starts.ts'
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
import { Titles } from './conversation/titles.ts'
import { ToolServers } from './conversation/tool-servers.ts'
import { messageOf } from './errors.ts'
import { EventLog } from './event/log.ts'
import { createGateway } from './gateway/create.ts'
import { GatewayModels } from './gateway/models.ts'
import type { ConversationId } from './ids.ts'
import { Knowledge } from './knowledge/knowledge.ts'
import { openToolServers } from './mcp/open.ts'
import type { SandboxService } from './sandbox/service.ts'
import { ConversationSecrets } from './secret/conversation-secrets.ts'
import { createLookup } from './secret/lookup.ts'
import type { Mask } from './secret/mask.ts'
import type { SecretStore } from './secret/user-secrets.ts'
import type { ServiceOptions } from './service-options.ts'
import { Profiles } from './settings/profiles.ts'
import type { SettingsService } from './settings/service.ts'
import { ConversationKnowledgeTable } from './store/conversation-knowledge.ts'
import { ConversationSecretTable } from './store/conversation-secrets.ts'
import { ConversationTable } from './store/conversations.ts'
import type { Database } from './store/database.ts'
import { EventTable } from './store/events.ts'
import { GatewayConversationTable } from './store/gateway-conversations.ts'
import { LlmProfileTable } from './store/llm-profiles.ts'
import { MetaRow } from './store/meta.ts'
import { PendingMessageTable } from './store/pending-messages.ts'
import { ReportedConversationTable } from './store/reported-conversations.ts'
import { StartTaskTable } from './store/start-tasks.ts'
import { SubAgentTable } from './store/sub-agents.ts'
import { UsageTable } from './store/usage.ts'

/** Everything that conversations are made of, in the order in which it is started. */
export function openConversations(
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
  const log = new EventLog(database, new EventTable(database), mask.mask)
  const conversations = new ConversationTable(database)
  const table = new GatewayConversationTable(database)
  const profiles = new Profiles({
    table: new LlmProfileTable(database),
    items: secrets.items,
    active: new MetaRow(database, 'active_llm_profile'),
    settings,
    bus,
  })
  const models = new GatewayModels({ table, settings, profiles, mask })
  const chosen = new MetaRow(database, 'gateway_sandbox')
  const gatewayParts = { bus, rows: conversations, table, models, profiles, settings, sandboxes, chosen }
  const userHome = options.userHome ?? homedir()
  const knowledge = new Knowledge({
    table: new ConversationKnowledgeTable(database),
    sandboxes,
    userHome,
    defaultModel: () => settings.read().llm_model,
    clientHooks: id => table.hooksFor(id, conversations.get(id)?.parent_conversation_id ?? null),
    clientSubAgents: id => table.get(id)?.sub_agents ?? [],
    mask: mask.mask,
    logger,
  })
  const spending = new Spending({ table: new UsageTable(database), now: () => new Date() })
  const conversationSecrets = new ConversationSecrets({
    table: new ConversationSecretTable(database),
    items: secrets.items,
    shared: secrets.environment,
    mask,
    lookup: createLookup({ fetch: globalThis.fetch, now: Date.now }),
    parentOf: id => conversations.get(id as ConversationId)?.parent_conversation_id ?? null,
  })
  const secretsTidied = conversationSecrets
    .tidy()
    .catch(error => logger.warn({ error: messageOf(error) }, 'Secrets of conversations could not be read'))
  const toolServers = openToolServers({
    ...options,
    ...dependencies,
    takenNames: id => namesOfClientTools(table.get(id as ConversationId)?.client_tools ?? []),
    environmentFor: (id, text, signal) => conversationSecrets.environmentOf(id).forCommand(text, signal),
    find: id => conversations.get(id as ConversationId),
  })
  const clientCalls = new ClientCalls(log)
  const subAgents = new SubAgentTable(database)
  const browsers = new Browsers({ sandboxes, mask: mask.mask })
  const parts = createAgentParts({
    browsers,
    clientCalls,
    clientToolsOf: ({ id }) =>
      createClientTools(id, table.get(id)?.client_tools ?? [], { calls: clientCalls, mask: mask.mask }),
    knowledge,
    toolServers: toolServers.hub,
    sandboxes,
    settings,
    secrets: conversationSecrets,
    mask,
    log,
    subAgents,
    subAgentsOf: ({ id }) =>
      createSubAgents(id, { log, conversations, service, bus, table: subAgents, kinds: () => knowledge.subAgents(id) }),
    choice: conversation => models.choice(conversation),
    countUsage: spending.count,
  })
  const reportedTable = new ReportedConversationTable(database)
  const titles = new Titles({ log, conversations, bus, parts, mask: mask.mask, logger })
  const runner = new Runner({ log, conversations, bus, logger, parts, titles })
  const service = new ConversationService({
    log,
    conversations,
    sandboxes,
    runner,
    knowledge,
    bus,
    mask: mask.mask,
    reported: reportedTable,
  })
  const copyAsked = (from: ConversationId, to: ConversationId) => {
    table.copy(from, to)
    models.copy(from, to)
  }
  const branching = new Branching({
    log,
    conversations,
    service,
    knowledge,
    secrets: conversationSecrets,
    copyAsked,
    bus,
  })
  const asides = new Asides({ log, conversations, parts, bus })
  const questions = new Questions({ log, service, runner, parts, asides })
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
    secrets: conversationSecrets,
    mask,
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
    asides,
  })
  runner.recover()
  const interruptedStarts = endInterruptedStarts({ tasks: startTasks, conversations, log, service, sandboxes, logger })
  const pending = new PendingMessages({
    table: new PendingMessageTable(database),
    conversations: service,
    tasks: startTasks,
    bus,
    logger,
  })
  const reported = new ReportedConversations({ log, conversations, table: reportedTable, mask, bus })
  const stopPending = pending.listen()
  const gateway = createGateway({
    userSecrets: secrets.secrets,
    misc: new MetaRow(database, 'gateway_misc_settings'),
    secrets: conversationSecrets,
    clientCalls,
    ...gatewayParts,
    userHome,
    trajectories: files,
    version: options.version,
    hub: toolServers.hub,
    toolServers: servers,
    conversations: service,
    branching,
    questions,
    starter,
    startTasks,
  })
  return {
    services: {
      conversations: service,
      browsers,
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
      profiles,
      modelSwitch: gateway.conversations,
    },
    gateway,
    close: async () => {
      await startTasks.close()
      await interruptedStarts
      stopPending()
      await runner.close()
      await browsers.close()
      await toolServers.close()
      await secretsTidied
    },
  }
}
