import { setImmediate as nextTurn } from 'node:timers/promises'
import { defaultTitle } from '../../agent/default-title.ts'
import { NO_STATS } from '../../agent/limits.ts'
import { DEFAULT_SETTINGS } from '../../api/v1/settings/settings.ts'
import type { Bus } from '../../bus.ts'
import { type ConversationId, parseConversationId } from '../../domain/ids.ts'
import type { EventLog } from '../../event/log.ts'
import type { ImportedFolders } from '../../folder/imported.ts'
import { SANDBOX } from '../../sandbox/spec.ts'
import type { Conversation, ConversationTable } from '../../store/conversation/conversations.ts'
import type { ConversationDeletions } from '../../store/conversation/deletions.ts'
import type { StoredEvent } from '../../store/events.ts'
import type { ConversationLine } from '../format.ts'

interface Dependencies {
  conversations: Pick<ConversationTable, 'present' | 'get' | 'insert' | 'delete'>
  deletions: ConversationDeletions
  eventLog: Pick<EventLog, 'takeOver' | 'forget'>
  importedFolders: Pick<ImportedFolders, 'has' | 'keep' | 'forget'>
  bus: Bus
}

const SLICE = 5000
/** Each reads a conversation, and looks at the disk. */
const LOOKS_AT_ONCE = 100

/**
 * Conversations of another Atelier, each on its own. Until its log is whole no request finds one, and a process that dies
 * leaves a deletion to be finished.
 */
export class AddedConversations {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** Those of the ids that are here, also while they are being deleted. Others are served in between. */
  async present(ids: readonly string[]): Promise<string[]> {
    const found: string[] = []
    for (let from = 0; from < ids.length; from += SLICE) {
      found.push(...this.#dependencies.conversations.present(ids.slice(from, from + SLICE)))
      await nextTurn()
    }
    return found
  }

  /** Those of the ids that came from another computer without their working folder, and were not gone on with since. */
  async withoutFolder(ids: readonly string[]): Promise<ConversationId[]> {
    const found: ConversationId[] = []
    for (const [index, id] of ids.map(parseConversationId).entries()) {
      if (this.#lacksFolder(id)) found.push(id)
      if (index % LOOKS_AT_ONCE === LOOKS_AT_ONCE - 1) await nextTurn()
    }
    return found
  }

  /** @returns its id; undefined for one that has come to be here meanwhile */
  begin(conversation: ConversationLine['conversation']): ConversationId | undefined {
    const { conversations, deletions } = this.#dependencies
    const id = parseConversationId(conversation.id)
    if (conversations.present([id]).length > 0) return undefined
    deletions.begin({ id, keepSandbox: true }, () => conversations.insert(whole(id, conversation)))
    return id
  }

  events(id: ConversationId, events: readonly StoredEvent[]): void {
    this.#dependencies.eventLog.takeOver(id, events)
  }

  /**
   * @param path of a tar, which is moved where the conversation lacks its folder
   * @returns whether it did @throws AppError disk_full, store_unavailable
   */
  workingFolder(id: ConversationId, path: string): boolean {
    if (!this.#lacksFolder(id)) return false
    this.#dependencies.importedFolders.keep(id, path)
    return true
  }

  /** From now on it is found. */
  end(id: ConversationId): void {
    const { deletions, bus } = this.#dependencies
    deletions.withdraw(id)
    bus.publish({ resource: 'conversation', id })
  }

  /** One that is not whole goes again. */
  async giveUp(id: ConversationId): Promise<void> {
    const { conversations, deletions, eventLog, importedFolders } = this.#dependencies
    conversations.delete(id)
    deletions.end(id)
    eventLog.forget(id)
    // What stays is nobody's, and goes with the next start.
    await importedFolders.forget(id).catch(() => {})
  }

  /** What has a sandbox, or had one, has its folder there. */
  #lacksFolder(id: ConversationId): boolean {
    const { conversations, importedFolders } = this.#dependencies
    return conversations.get(id)?.sandbox_id === '' && !importedFolders.has(id)
  }
}

const AT_WORK: readonly string[] = ['running', 'waiting_for_confirmation']

/**
 * With what only this machine can say. It has no sandbox: whoever goes on with it gets a new one. What was allowed for good
 * was allowed in another.
 */
function whole(id: ConversationId, given: ConversationLine['conversation']): Conversation {
  const { title, working_dir, max_iterations, execution_status, pr_number, created_at, updated_at } = given
  return {
    title_is_default: title === undefined || title === null,
    selected_repository: null,
    selected_branch: null,
    git_provider: null,
    trigger: null,
    llm_model: null,
    instructions: null,
    parent_conversation_id: null,
    limit_reached: null,
    max_budget_per_task: null,
    stats: NO_STATS,
    agent_type: 'default',
    confirmation_policy: { kind: 'NeverConfirm' },
    security_analyzer: null,
    stuck_detection: true,
    forked_from_conversation_id: null,
    forked_from_event_id: null,
    pinned_at: null,
    archived_at: null,
    // A line of JSON says nothing of what it does not have.
    ...(given as Partial<Conversation>),
    id,
    created_at,
    updated_at,
    title: title?.slice(0, 200) || defaultTitle(id),
    pr_number: pr_number?.slice(0, 1000) ?? [],
    working_dir: working_dir?.startsWith('/') ? working_dir : SANDBOX.workingDir,
    max_iterations: max_iterations && max_iterations > 0 ? max_iterations : DEFAULT_SETTINGS.max_iterations,
    execution_status:
      execution_status === undefined || AT_WORK.includes(execution_status) ? 'paused' : execution_status,
    sandbox_id: '',
    source_folder: null,
    folder_mode: null,
    mounted_folder: null,
    replay: null,
    always_allowed: [],
    listed_at: new Date().toISOString(),
  }
}
