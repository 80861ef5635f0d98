import type { SendMessageRequest } from '../../api/event/events.ts'
import type { AttemptChoice, AttemptSet } from '../../api/v1/conversation/attempts.ts'
import type { DevContainers } from '../../dev-container/containers.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { EventLog } from '../../event/log.ts'
import type { Folders } from '../../folder/folders.ts'
import type { FolderMounts } from '../../folder/mount/mounts.ts'
import type { TokenSource } from '../../git-providers/token-source.ts'
import type { Knowledge } from '../../knowledge/knowledge.ts'
import type { SandboxService } from '../../sandbox/service.ts'
import type { SandboxServices } from '../../sandbox/services/services.ts'
import type { ConversationSecrets } from '../../secret/conversation-secrets.ts'
import type { Mask } from '../../secret/mask/mask.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { ConversationTable } from '../../store/conversation/conversations.ts'
import type { RepositoryTrust } from '../../trust/repository-trust.ts'
import type { ModelChoices } from '../model-choice.ts'
import type { ConversationService } from '../service.ts'
import type { Attachments } from './attachments.ts'
import type { RepositorySetUp } from './repository-set-up.ts'
import type { StartTasks } from './tasks.ts'

/** Several conversations that take the first message in place of the one that is started. */
export interface FirstAttempts {
  /** @throws AppError not_found for a saved model that is not there, too_many_sandboxes where so many can never run at once */
  require: (asked: AttemptChoice, beside: number) => void
  /** @throws AppError not_found, model_not_set */
  beginWith: (id: ConversationId, message: SendMessageRequest, asked: AttemptChoice) => Pick<AttemptSet, 'attempts'>
  /** undefined where there are none. */
  begunAtStart: (id: ConversationId) => readonly ConversationId[] | undefined
  /** What an attempt was made of; undefined for what is none. */
  originalOf: (id: ConversationId) => ConversationId | undefined
}

/** What starts are made of. */
export interface StartDependencies {
  conversations: ConversationTable
  eventLog: EventLog
  /** Of first messages. */
  attachments: Pick<Attachments, 'claim' | 'handOver' | 'forget'>
  /** They are started like conversations, so that they are made after what starts those. */
  attempts: () => FirstAttempts
  models: Pick<ModelChoices, 'savedModel' | 'chooseSaved'>
  service: ConversationService
  tasks: StartTasks
  sandboxes: SandboxService
  sandboxServices: Pick<SandboxServices, 'startAll' | 'known'>
  settings: SettingsService
  tokens: TokenSource
  /** For repositories that a sandbox does not reach. */
  fetch: typeof globalThis.fetch
  resourcesDir: string
  knowledge: Knowledge
  folders: Folders
  mounts: Pick<FolderMounts, 'prepare' | 'settle'>
  devContainers: Pick<DevContainers, 'prepare'>
  secrets: Pick<ConversationSecrets, 'merge' | 'forget'>
  mask: Pick<Mask, 'mask' | 'stream'>
  trust: RepositoryTrust
  setUp: RepositorySetUp
  /** Where a folder of a sandbox lies on this machine; null for one that is not mounted. */
  hostPathOf: (sandboxId: string, path: string) => Promise<string | null>
}
