import { join } from 'node:path'
import type { GitProvider } from '../api/v1/conversation/conversations.ts'
import type { Bus } from '../bus.ts'
import type { AuxiliaryModel } from '../conversation/run/auxiliary-model.ts'
import type { ConversationService } from '../conversation/service.ts'
import { isRepositoryRefused } from '../conversation/start/repository-access.ts'
import type { StartTasks } from '../conversation/start/tasks.ts'
import type { EventLog } from '../event/log.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import { ANSWER_LIMITS } from '../outbound/limits.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { Mask } from '../secret/mask/mask.ts'
import type { SecretStore } from '../secret/user-secrets.ts'
import type { SettingsService } from '../settings/service.ts'
import { ExperimentConfigTable } from '../store/conversation/experiment-configs.ts'
import { LegacyConversationTable } from '../store/conversation/legacy.ts'
import type { Database } from '../store/database/database.ts'
import { Usage } from '../system/usage.ts'
import { Connections } from './connections.ts'
import { LegacyEvents } from './events.ts'
import { FeedbackFile } from './feedback.ts'
import { rememberPrompt } from './memory-prompt.ts'
import { LegacyConversations } from './service.ts'
import { LegacyStream } from './stream.ts'
import { WorkspaceFiles } from './workspace-files.ts'

interface Dependencies {
  dataDir: string
  database: Database
  eventLog: EventLog
  conversations: ConversationService
  tasks: StartTasks
  sandboxes: SandboxService
  settings: SettingsService
  bus: Bus
  knowledge: Knowledge
  auxiliaryModel: AuxiliaryModel
  secrets: Pick<SecretStore, 'tokens'>
  outbound: Outbound
  mask: Pick<Mask, 'mask'>
}

/** What the legacy generation's routes and its socket ask. */
export interface Legacy {
  conversations: LegacyConversations
  /** Which conversations clients of this generation created. */
  created: LegacyConversationTable
  events: LegacyEvents
  stream: LegacyStream
  files: WorkspaceFiles
  feedback: FeedbackFile
  experiments: ExperimentConfigTable
  usage: Usage
  /** Whether the repository's own server refuses to show it. @throws AppError bad_request, or of the vault */
  isRepositoryRefused(asked: { repository: string; provider: GitProvider }, signal: AbortSignal): Promise<boolean>
  /** Instructions to remember from the events around one, as the model of the settings words them. */
  remember(conversationId: string, eventId: number, signal: AbortSignal): Promise<string>
}

export function createLegacy(dependencies: Dependencies): Legacy {
  const { dataDir, eventLog, auxiliaryModel, settings, secrets, outbound } = dependencies
  const fetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.git })
  const connections = new Connections()
  const created = new LegacyConversationTable(dependencies.database)
  const conversations = new LegacyConversations({ ...dependencies, connections, created })
  const events = new LegacyEvents({
    eventLog,
    conversations: dependencies.conversations,
    legacy: conversations,
    settings,
  })
  return {
    conversations,
    created,
    events,
    stream: new LegacyStream({ ...dependencies, connections, created }),
    files: new WorkspaceFiles({ ...dependencies, legacy: conversations }),
    experiments: new ExperimentConfigTable(dependencies.database),
    feedback: new FeedbackFile(join(dataDir, 'feedback.jsonl')),
    usage: new Usage(dataDir),
    isRepositoryRefused: (asked, signal) => isRepositoryRefused(asked, secrets.tokens, { fetch, signal }),
    remember: async (conversationId, eventId, signal) => {
      // The agent may run elsewhere, with a model that is not known here.
      const conversation = { ...dependencies.conversations.find(conversationId), llm_model: null }
      const complete = await auxiliaryModel.modelFor(conversation, 'remember-prompt')
      return dependencies.mask.mask(await rememberPrompt({ events, complete }, conversationId, eventId, signal))
    },
  }
}
