import type { SendMessageRequest } from '../api/event/events.ts'
import type { FolderMode } from '../api/v1/conversation/folder/folders.ts'
import type { ConversationSecretsInput } from '../api/v1/conversation/secrets.ts'
import type { AppConversationStartRequest } from '../api/v1/conversation/starts.ts'
import type { ConversationId } from './ids.ts'

/** What a start will do, decided before anything is done. */
export interface StartPlan {
  taskId: string
  conversationId: ConversationId
  /** When the conversation was asked for: clients sort by it from the first. */
  askedAt: string
  request: AppConversationStartRequest
  /** Of this conversation alone; in no request that is kept. */
  secrets: ConversationSecretsInput
  source: WorkspaceSource
  initialMessage: SendMessageRequest | null
  instructions: string | null
  /** Text of a recorded trajectory that drives the conversation. */
  replay: string | null
}

/** What the workspace holds at first. */
export type WorkspaceSource =
  | { kind: 'empty' }
  /** A folder of the sandbox, made when it is missing. */
  | { kind: 'folder'; path: string }
  /** A folder of this computer, whose files are copied into the sandbox. */
  | { kind: 'copied_folder'; path: string; includeChanges: boolean }
  /** A folder of this computer, or a worktree of it, mounted in a sandbox of its own. */
  | {
      kind: 'mounted_folder'
      path: string
      mode: Exclude<FolderMode, 'copy'>
      includeChanges: boolean
      isConfirmed: boolean
    }
  /**
   * The working folder of a conversation that was imported from another computer, and where it was there; `otherwise` takes its
   * place where it cannot be unpacked.
   */
  | { kind: 'imported_folder'; conversation: ConversationId; path: string; otherwise: WorkspaceSource }
  | { kind: 'repository'; url: string; name: string; branch: string | null }
  | { kind: 'demonstration'; name: string }
