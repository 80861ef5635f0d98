import type { GatewayConversations } from '../../agent-server/conversations.ts'
import type { Browsers } from '../../browser/browsers.ts'
import type { Attempts } from '../../conversation/attempts/attempts.ts'
import type { Branching } from '../../conversation/branching.ts'
import type { Checkpoints } from '../../conversation/checkpoint/checkpoints.ts'
import type { ConversationFiles } from '../../conversation/files/files.ts'
import type { FolderApply } from '../../conversation/folder/apply.ts'
import type { FolderBranches } from '../../conversation/folder/branches.ts'
import type { GitDrafts } from '../../conversation/git/drafts.ts'
import type { ConversationPullRequests } from '../../conversation/git/pull-requests.ts'
import type { ConversationGit } from '../../conversation/git/work.ts'
import type { PendingMessages } from '../../conversation/pending-messages.ts'
import type { ReportedConversations } from '../../conversation/reported/conversations.ts'
import type { Retention } from '../../conversation/retention.ts'
import type { ConversationReviewComments } from '../../conversation/review/comments.ts'
import type { Comparisons } from '../../conversation/review/comparisons.ts'
import type { ConversationReview } from '../../conversation/review/review.ts'
import type { SideQuestions } from '../../conversation/run/side-questions.ts'
import type { UsageLedger } from '../../conversation/run/usage-ledger.ts'
import type { ConversationSearch } from '../../conversation/search.ts'
import type { ConversationService } from '../../conversation/service.ts'
import type { Attachments } from '../../conversation/start/attachments.ts'
import type { RepositorySetUp } from '../../conversation/start/repository-set-up.ts'
import type { Starter } from '../../conversation/start/starter.ts'
import type { StartTasks } from '../../conversation/start/tasks.ts'
import type { ToolServers } from '../../conversation/tools/tool-servers.ts'
import type { SandboxFiles } from '../../conversation/workspace/sandbox-files.ts'
import type { DevContainers } from '../../dev-container/containers.ts'
import type { Doctor } from '../../doctor/doctor.ts'
import type { LogFile } from '../../doctor/log-file.ts'
import type { FolderMounts } from '../../folder/mount/mounts.ts'
import type { GitData } from '../../git-providers/api/git-data.ts'
import type { GitSignIns } from '../../git-providers/sign-in/sign-ins.ts'
import type { Knowledge } from '../../knowledge/knowledge.ts'
import type { Legacy } from '../../legacy/legacy.ts'
import type { Previews } from '../../preview/previews.ts'
import type { Engines } from '../../sandbox/engine/engines.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { SandboxSpecs } from '../../sandbox/specs.ts'
import type { LocalApiKey } from '../../secret/api-key.ts'
import type { CustomSecrets } from '../../secret/custom-secrets.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { ProviderTokens } from '../../secret/provider-tokens.ts'
import type { SandboxSecrets } from '../../secret/sandbox-secrets.ts'
import type { Profiles } from '../../settings/profiles.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { StorageService } from '../../system/storage.ts'
import type { SystemService } from '../../system/system.ts'
import type { AgentShells } from '../../terminal/agent-shells.ts'
import type { Terminals } from '../../terminal/terminals.ts'
import type { DataExports } from '../../transfer/export/exports.ts'
import type { DataImports } from '../../transfer/import/imports.ts'
import type { InstructionsImport } from '../../transfer/instructions.ts'
import type { RepositoryTrust } from '../../trust/repository-trust.ts'
import type { TaskTools } from '../tasks-mcp.ts'
import type { Logins } from '../v1/logins.ts'

/** What the routes call. */
export interface Services {
  conversations: ConversationService
  search: ConversationSearch
  knowledge: Knowledge
  trust: RepositoryTrust
  setUp: RepositorySetUp
  browsers: Browsers
  branching: Branching
  questions: SideQuestions
  spending: UsageLedger
  devContainers: Pick<DevContainers, 'look'>
  attachments: Attachments
  starter: Starter
  startTasks: StartTasks
  legacy: Legacy
  files: ConversationFiles
  sandboxFiles: SandboxFiles
  review: ConversationReview
  reviewComments: ConversationReviewComments
  folderMounts: Pick<FolderMounts, 'inspect'>
  checkpoints: Checkpoints
  attempts: Attempts
  comparisons: Comparisons
  folderApply: FolderApply
  folderBranches: FolderBranches
  git: ConversationGit
  drafts: GitDrafts
  pullRequests: ConversationPullRequests
  pending: PendingMessages
  retention: Pick<Retention, 'preview'>
  reported: ReportedConversations
  sandboxSecrets: SandboxSecrets
  toolServers: ToolServers
  sandboxes: SandboxService
  engines: Engines
  terminals: Terminals
  previews: Previews
  agentShells: AgentShells
  specs: SandboxSpecs
  settings: SettingsService
  profiles: Profiles
  modelSwitch: Pick<GatewayConversations, 'switchProfile'>
  secrets: CustomSecrets
  tokens: ProviderTokens
  gitData: GitData
  gitSignIns: GitSignIns
  system: SystemService
  doctor: Doctor
  logFile: LogFile
  storage: StorageService
  dataExports: DataExports
  dataImports: DataImports
  userInstructions: InstructionsImport
  logins: Logins
  taskTools: TaskTools
  apiKey: LocalApiKey
  /** For what is shown of a repository, and for the words of failures. */
  mask: Pick<Mask, 'mask'>
}
