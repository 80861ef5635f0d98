import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NO_STATS } from '../../../server/agent/limits.ts'
import { type ConversationId, newConversationId } from '../../../server/domain/ids.ts'
import { EventLog } from '../../../server/event/log.ts'
import { type Conversation, ConversationTable } from '../../../server/store/conversation/conversations.ts'
import { Database } from '../../../server/store/database/database.ts'
import { EventTable } from '../../../server/store/events.ts'

/** A real database in a folder of its own. */
export function openStore(folder = mkdtempSync(join(tmpdir(), 'atelier-store-'))) {
  const database = Database.open(join(folder, 'atelier.db'))
  return {
    folder,
    database,
    conversations: new ConversationTable(database),
    eventLog: new EventLog(database, new EventTable(database)),
    /** Leaves the folder. */
    close: () => database.close(),
    remove: () => {
      if (database.isOpen) database.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function aConversation(fields: Partial<Conversation> = {}): Conversation {
  const now = new Date().toISOString()
  return {
    id: newConversationId() as ConversationId,
    created_at: now,
    updated_at: now,
    title: 'A conversation',
    title_is_default: false,
    sandbox_id: 'atelier-none',
    working_dir: '/workspace/project',
    selected_repository: null,
    selected_branch: null,
    git_provider: null,
    trigger: 'gui',
    pr_number: [],
    llm_model: null,
    instructions: null,
    parent_conversation_id: null,
    execution_status: 'idle',
    limit_reached: null,
    max_iterations: 500,
    max_budget_per_task: null,
    stats: NO_STATS,
    replay: null,
    agent_type: 'default',
    confirmation_policy: { kind: 'NeverConfirm' },
    security_analyzer: null,
    always_allowed: [],
    stuck_detection: true,
    forked_from_conversation_id: null,
    forked_from_event_id: null,
    source_folder: null,
    folder_mode: null,
    mounted_folder: null,
    pinned_at: null,
    archived_at: null,
    listed_at: null,
    ...fields,
  }
}
