import type { Browsers } from '../browser/browsers.ts'
import type { Branching } from '../conversation/branching.ts'
import type { ConversationFiles } from '../conversation/conversation-files.ts'
import type { Legacy } from '../conversation/legacy.ts'
import type { PendingMessages } from '../conversation/pending-messages.ts'
import type { Questions } from '../conversation/questions.ts'
import type { ReportedConversations } from '../conversation/reported-conversations.ts'
import type { RepositorySetUp } from '../conversation/repository-set-up.ts'
import type { ConversationService } from '../conversation/service.ts'
import type { Spending } from '../conversation/spending.ts'
import type { StartTasks } from '../conversation/start.ts'
import type { Starter } from '../conversation/starter.ts'
import type { ToolServers } from '../conversation/tool-servers.ts'
import type { GatewayConversations } from '../gateway/conversations.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { SandboxService } from '../sandbox/service.ts'
import type { SandboxSpecs } from '../sandbox/specs.ts'
import type { EngineStorageService } from '../sandbox/storage.ts'
import type { LocalApiKey } from '../secret/api-key.ts'
import type { CustomSecrets } from '../secret/custom-secrets.ts'
import type { Mask } from '../secret/mask.ts'
import type { ProviderTokens } from '../secret/provider-tokens.ts'
import type { SandboxSecrets } from '../secret/sandbox-secrets.ts'
import type { Profiles } from '../settings/profiles.ts'
import type { SettingsService } from '../settings/service.ts'
import type { StorageService } from '../storage.ts'
import type { SystemService } from '../system.ts'
import type { RepositoryTrust } from '../trust/repository-trust.ts'
import type { Logins } from './logins.ts'
import type { TaskTools } from './tasks-mcp.ts'

/** What the routes call. */
export interface Services {
  conversations: ConversationService
  knowledge: Knowledge
  trust: RepositoryTrust
  setUp: RepositorySetUp
  browsers: Browsers
  branching: Branching
  questions: Questions
  spending: Spending
  starter: Starter
  startTasks: StartTasks
  legacy: Legacy
  files: ConversationFiles
  pending: PendingMessages
  reported: ReportedConversations
  sandboxSecrets: SandboxSecrets
  toolServers: ToolServers
  sandboxes: SandboxService
  specs: SandboxSpecs
  settings: SettingsService
  profiles: Profiles
  modelSwitch: Pick<GatewayConversations, 'switchProfile'>
  secrets: CustomSecrets
  tokens: ProviderTokens
  system: SystemService
  storage: StorageService
  engineStorage: EngineStorageService
  logins: Logins
  taskTools: TaskTools
  apiKey: LocalApiKey
  /** For what is shown of a repository, and for the words of failures. */
  mask: Pick<Mask, 'mask'>
}
