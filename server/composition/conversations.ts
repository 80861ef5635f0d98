import { createGateway } from '../agent-server/create.ts'
import { Browsers } from '../browser/browsers.ts'
import type { Bus } from '../bus.ts'
import { Attempts } from '../conversation/attempts/attempts.ts'
import { Branching } from '../conversation/branching.ts'
import { Checkpoints } from '../conversation/checkpoint/checkpoints.ts'
import { Deletion } from '../conversation/deletion.ts'
import { openFiles } from '../conversation/files/open.ts'
import { openFolderWork } from '../conversation/folder/open.ts'
import { Forks } from '../conversation/forks.ts'
import { openGitWork } from '../conversation/git/open.ts'
import { ModelChoices } from '../conversation/model-choice.ts'
import { PendingMessages } from '../conversation/pending-messages.ts'
import { ReportedConversations } from '../conversation/reported/conversations.ts'
import { openRetention } from '../conversation/retention.ts'
import { createAgentParts } from '../conversation/run/agent-parts.ts'
import { AuxiliaryModel } from '../conversation/run/auxiliary-model.ts'
import { Runner } from '../conversation/run/runner.ts'
import { SideQuestions } from '../conversation/run/side-questions.ts'
import { UsageLedger } from '../conversation/run/usage-ledger.ts'
import { ConversationSearch } from '../conversation/search.ts'
import { ConversationService } from '../conversation/service.ts'
import { endInterruptedStarts, UNSTORED } from '../conversation/start/interrupted.ts'
import { openTrust } from '../conversation/start/open-trust.ts'
import { Starter } from '../conversation/start/starter.ts'
import { StartTasks } from '../conversation/start/tasks.ts'
import { Titles } from '../conversation/titles.ts'
import { ClientCalls } from '../conversation/tools/client-calls.ts'
import { createClientTools, namesOfClientTools } from '../conversation/tools/client-tools.ts'
import { createSubAgents } from '../conversation/tools/sub-agents.ts'
import { ToolServers } from '../conversation/tools/tool-servers.ts'
import type { DiskWatch } from '../disk/space.ts'
import { messageOf } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import { EventLog } from '../event/log.ts'
import { openFolders } from '../folder/mount/open.ts'
import { repositoryFetch } from '../git/outbound.ts'
import { Knowledge } from '../knowledge/knowledge.ts'
import { createLegacy } from '../legacy/legacy.ts'
import type { McpHub } from '../mcp/hub.ts'
import { openToolServers } from '../mcp/open.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { openSandboxes } from '../sandbox/open.ts'
import type { ConversationSecrets } from '../secret/conversation-secrets.ts'
import type { Mask } from '../secret/mask/mask.ts'
import type { SecretStore } from '../secret/user-secrets.ts'
import { Profiles } from '../settings/profiles.ts'
import type { SettingsService } from '../settings/service.ts'
import { ConversationTable } from '../store/conversation/conversations.ts'
import { ConversationDeletions } from '../store/conversation/deletions.ts'
import { ConversationKnowledgeTable } from '../store/conversation/knowledge.ts'
import { ConversationOptionsTable } from '../store/conversation/options.ts'
import { PendingMessageTable } from '../store/conversation/pending-messages.ts'
import { ReportedConversationTable } from '../store/conversation/reported.ts'
import { StartTaskTable } from '../store/conversation/start-tasks.ts'
import { SubAgentTable } from '../store/conversation/sub-agents.ts'
import type { Database } from '../store/database/database.ts'
import { MetaRow } from '../store/database/meta.ts'
import { EventTable } from '../store/events.ts'
import { LlmProfileTable } from '../store/llm-profiles.ts'
import type { TextIndex } from '../store/search/text-index.ts'
import { UsageTable } from '../store/usage.ts'
import { openConversationSecrets } from './conversation-secrets.ts'
import { openDevContainers } from './dev-containers.ts'
import { openSandboxSecrets } from './sandbox-secrets.ts'
import type { ServiceOptions } from './service-options.ts'

/** Everything that conversations are made of, in the order in which it is started. */
export function openConversations(
  options: ServiceOptions & { userHome: string },
  dependencies: Omit<Awaited<ReturnType<typeof openSandboxes>>, 'close'> & {
    instanceId: string
    bus: Bus
    database: Database
    mask: Mask
    secrets: SecretStore
    settings: SettingsService
    disk: Pick<DiskWatch, 'onSpace'>
    /** Where a folder of a sandbox lies on this machine; null for one that is not mounted. */
    hostPathOf: (sandboxId: string, path: string) => Promise<string | null>
    textIndex: TextIndex
    agentShells: Parameters<typeof createAgentParts>[0]['agentShells']
    outbound: Outbound
    /** Where a browser reaches the service. */
    url: () => string
  },
) {
  const { bus, database, mask, secrets, settings, sandboxes, outbound } = dependencies
  const { log, userHome } = options
  const eventLog = new EventLog(database, new EventTable(database), mask.mask)
  eventLog.onStored = id => dependencies.textIndex.note(id)
  const conversations = new ConversationTable(database)
  const table = new ConversationOptionsTable(database)
  const active = new MetaRow(database, 'active_llm_profile')
  const profileRows = new LlmProfileTable(database)
  const profiles = new Profiles({ table: profileRows, items: secrets.items, active, settings, bus })
  const models = new ModelChoices({ table, settings, profiles, mask })
  const chosen = new MetaRow(database, 'gateway_sandbox')
  const gatewayParts = { bus, rows: conversations, table, models, profiles, settings, sandboxes, chosen, mask }
  const parentOf = (id: string) => conversations.get(id as ConversationId)?.parent_conversation_id ?? null
  const knowledge = new Knowledge({
    table: new ConversationKnowledgeTable(database),
    sandboxes,
    userHome,
    defaultModel: () => settings.read().llm_model,
    clientHooks: id => table.hooksFor(id, conversations.get(id)?.parent_conversation_id ?? null),
    clientSubAgents: id => table.get(id)?.sub_agents ?? [],
    clientSkills: id => table.skillsFor(id, parentOf(id)),
    optionsOf: id => table.agentFor(id, parentOf(id)),
    trustsSkill: (id, skill) => trust.trustsSkill(id, skill),
    mask: mask.mask,
    log,
  })
  const spending = new UsageLedger({ table: new UsageTable(database), now: () => new Date() })
  const subAgents = new SubAgentTable(database)
  const conversationSecrets: ConversationSecrets = openConversationSecrets({
    ...dependencies,
    parentOf,
    withholds: id => trust.withholdsSecrets(id as ConversationId),
  })
  const trustParts = { bus, database, mask, sandboxes, conversations, knowledge, subAgents, parentOf, eventLog, log }
  const hub = (): McpHub => toolServers.hub
  const { trust, setUp, admission } = openTrust({ ...dependencies, ...trustParts, secrets: conversationSecrets, hub })
  const secretsTidied = conversationSecrets
    .tidy()
    .catch(error => log.warn({ error: messageOf(error) }, 'Secrets of conversations could not be read'))
  const toolServers = openToolServers({
    ...options,
    ...dependencies,
    admit: admission.admit,
    skillServers: id => knowledge.toolServers(id as ConversationId),
    takenNames: id => namesOfClientTools(table.get(id as ConversationId)?.client_tools ?? []),
    environmentFor: (id, text, signal) => conversationSecrets.environmentOf(id).forCommand(text, signal),
    serverEnvironmentFor: (id, text, signal) => conversationSecrets.allOf(id).forCommand(text, signal),
    find: id => conversations.get(id as ConversationId),
  })
  const clientCalls = new ClientCalls(eventLog)
  for (const each of [models, setUp, knowledge, clientCalls]) conversations.onDeleted(id => each.forget(id))
  const browsers = new Browsers({ bus, sandboxes, mask: mask.mask })
  const parts = createAgentParts({
    ...dependencies,
    ...{ conversations, trust, setUp, browsers, clientCalls },
    clientToolsOf: ({ id }) =>
      createClientTools(id, table.get(id)?.client_tools ?? [], { calls: clientCalls, mask: mask.mask }),
    knowledge,
    toolServers: toolServers.hub,
    secrets: conversationSecrets,
    eventLog,
    subAgents,
    subAgentsOf: ({ id }) =>
      createSubAgents(id, {
        eventLog,
        conversations,
        service,
        bus,
        table: subAgents,
        kinds: () => knowledge.subAgents(id),
      }),
    publisherOf: conversation => gitWork.publisherOf(conversation),
    choice: conversation => models.choice(conversation),
    optionsOf: ({ id, parent_conversation_id }) => table.agentFor(id, parent_conversation_id),
    countUsage: spending.count,
  })
  const reportedTable = new ReportedConversationTable(database)
  const wantsTitle = (id: ConversationId) => table.agentFor(id, null).titles
  const titleModel = (id: ConversationId) => models.titleModel(table.agentFor(id, null).titleProfile, outbound)
  const titles = new Titles({ wantsTitle, titleModel, eventLog, conversations, bus, parts, mask: mask.mask, log })
  const checkpoints = new Checkpoints({ ...dependencies, conversations, eventLog, log })
  const runner = new Runner({ ...dependencies, eventLog, conversations, log, parts, titles, checkpoints })
  const deletions = new ConversationDeletions(database)
  const { folders, mounts } = openFolders({ ...options, database, conversations, ground: dependencies.groundOf })
  const deletion = new Deletion({ folders, deletions, conversations, eventLog, sandboxes, runner, knowledge, bus, log })
  const ownParts = { eventLog, conversations, sandboxes, runner, knowledge, bus, deletion, reported: reportedTable }
  const { isPriceKnown } = models
  const service = new ConversationService({ ...ownParts, wantsTitle, isPriceKnown, mask: mask.mask })
  const retention = openRetention(database, { ...ownParts, isInUse: sandboxes.idle.isInUse, settings, log })
  const copyAsked = (from: ConversationId, to: ConversationId) => {
    for (const each of [table, models, trust]) each.copy(from, to)
    attempts.chooseModel(to)
  }
  const branchParts = { eventLog, conversations, bus }
  const forks = new Forks({ ...branchParts, deletions, knowledge, copyAsked, secrets: conversationSecrets })
  const branching = new Branching({ ...branchParts, service, forks })
  const auxiliaryModel = new AuxiliaryModel({ eventLog, conversations, parts, bus })
  const questions = new SideQuestions({ eventLog, service, runner, parts, auxiliaryModel, mask })
  const startTasks = new StartTasks({ table: new StartTaskTable(database), bus, log, mask: mask.mask })
  const fetch = repositoryFetch(outbound, secrets.tokens)
  const { tokens } = secrets
  const devContainers = openDevContainers(options, { ...dependencies, folders, fetch, tokens })
  const opened = openFiles({ ...options, eventLog, conversations: service, sandboxes, mask, checkpoints })
  const { attachments } = opened
  const starter = new Starter({
    ...options,
    ...dependencies,
    ...{ devContainers, folders, mounts, checkpoints, forks, conversations, eventLog, service, models, attachments },
    ...{ tokens, fetch, knowledge, trust, setUp, tasks: startTasks },
    secrets: conversationSecrets,
    attempts: () => attempts,
  })
  const attemptParts = { checkpoints, models, log, conversations: service, starter, tasks: startTasks }
  const attempts: Attempts = new Attempts({ ...dependencies, ...attemptParts })
  const servers = new ToolServers({ ...options, ...toolServers, ...dependencies, admission, conversations: service })
  const gitWork = openGitWork(
    { conversations: service, review: opened.review, sandboxes, settings, tokens: secrets.tokens, mask },
    { rows: conversations, bus, outbound, auxiliaryModel, log },
  )
  const legacyParts = { knowledge, eventLog, conversations: service, tasks: startTasks, auxiliaryModel }
  const legacy = createLegacy({ ...options, ...dependencies, ...legacyParts })
  runner.recover()
  const starts = { tasks: startTasks, conversations, deletions, eventLog, service, mounts, attempts }
  endInterruptedStarts(starts)
  const begunDeletions = deletion.finishBegun()
  const pendingTable = new PendingMessageTable(database)
  const pendingParts = { table: pendingTable, conversations: service, tasks: startTasks, attempts, bus, log }
  const pending = new PendingMessages(pendingParts)
  const stopPending = pending.listen()
  const stopAttempts = attempts.listen()
  const stopRetention = retention.start()
  const stopWaitingForSpace = dependencies.disk.onSpace(() => {
    runner.retryUnstored()
    endInterruptedStarts(starts, UNSTORED)
    pending.settle()
  })
  const gateway = createGateway({
    userSecrets: secrets.secrets,
    misc: new MetaRow(database, 'gateway_misc_settings'),
    secrets: conversationSecrets,
    clientCalls,
    ...gatewayParts,
    eventLog,
    outbound,
    userHome,
    trajectories: opened.files,
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
      search: new ConversationSearch({ index: dependencies.textIndex, conversations: service }),
      browsers,
      knowledge,
      trust,
      setUp,
      branching,
      attempts,
      questions,
      spending,
      devContainers,
      starter,
      startTasks,
      toolServers: servers,
      legacy,
      ...opened,
      folderMounts: mounts,
      ...gitWork.services,
      ...openFolderWork({ conversations: service, sandboxes, settings, folders }),
      pending,
      retention,
      reported: new ReportedConversations({ eventLog, conversations, table: reportedTable, mask, bus }),
      sandboxSecrets: openSandboxSecrets(conversationSecrets, conversations),
      profiles,
      modelSwitch: gateway.conversations,
    },
    gateway,
    agents: { conversations, runner },
    activity: () => ({ ...service.activity(), starting: startTasks.starting().length }),
    /** Where an import puts conversations. */
    added: { conversations, deletions, eventLog, importedFolders: folders.imported },
    /** What an export reads. */
    exported: { profiles: profileRows, conversationSecrets, toolServers: toolServers.hub },
    close: async () => {
      await startTasks.close()
      await devContainers.close()
      await folders.close()
      await setUp.close()
      stopPending()
      stopAttempts()
      await stopRetention()
      await attempts.close()
      stopWaitingForSpace()
      await begunDeletions
      await runner.close()
      await checkpoints.close()
      await browsers.close()
      await toolServers.close()
      await secretsTidied
    },
  }
}
