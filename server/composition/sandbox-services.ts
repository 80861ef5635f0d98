import { readListeners } from '../preview/listening.ts'
import type { SandboxServicesOptions } from '../sandbox/services/services.ts'
import { ConversationTable } from '../store/conversation/conversations.ts'
import type { Database } from '../store/database/database.ts'

/** Folders in which a compose file is looked for. */
const MAX_FOLDERS = 10

/** What the project's services beside sandboxes know of conversations and programs. */
export function aroundServices(database: Database): Pick<SandboxServicesOptions, 'foldersOf' | 'listening'> {
  const conversations = new ConversationTable(database)
  return {
    // They lie where the conversations of a sandbox work.
    foldersOf: sandboxId => {
      const filter = { sandboxId, includeSubConversations: true }
      const found = conversations.list(filter, 'created_at_ascending', 0, MAX_FOLDERS)
      return [...new Set(found.map(({ working_dir }) => working_dir))]
    },
    listening: async (sandbox, signal) => new Set((await readListeners(sandbox, signal)).map(({ port }) => port)),
  }
}
