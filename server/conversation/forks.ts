import { agentError } from '../agent/answer.ts'
import { NO_STATS } from '../agent/limits.ts'
import type { ConversationTree } from '../api/event/branch.ts'
import type { Event } from '../api/event/events.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../domain/errors.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { EventLog } from '../event/log.ts'
import { openCalls } from '../event/model-messages.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { ConversationSecrets } from '../secret/conversation-secrets.ts'
import type { Conversation, ConversationTable } from '../store/conversation/conversations.ts'
import type { ConversationDeletions } from '../store/conversation/deletions.ts'

interface Dependencies {
  eventLog: EventLog
  conversations: ConversationTable
  deletions: ConversationDeletions
  knowledge: Pick<Knowledge, 'copy'>
  secrets: Pick<ConversationSecrets, 'copy'>
  /** What the client that began the original asked for. Called in the transaction that makes the fork. */
  copyAsked: (from: ConversationId, to: ConversationId) => void
  bus: Bus
}

/** Conversations that begin with what was said in another one. */
export class Forks {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /** What a fork begins with: up to the event, or to where the conversation stands. @throws AppError not_found (event) */
  branch(id: ConversationId, eventId: string | null | undefined): Promise<Event[]> {
    return this.#dependencies.eventLog.readTree(id, tree => (eventId ? branchUpTo(tree, eventId) : tree.activeBranch()))
  }

  /**
   * Stores a fork with its log, and with what its original was given.
   * @param copy what else belongs to it when it has a sandbox of its own: done before anybody can find it
   * @throws AppError of the vault
   */
  async store(fork: Conversation, copied: readonly Event[], copy?: () => Promise<void>): Promise<void> {
    const { eventLog, conversations, deletions, knowledge, secrets, copyAsked, bus } = this.#dependencies
    const { id } = fork
    const original = fork.forked_from_conversation_id as ConversationId
    await secrets.copy(original, id)
    // Until its log is whole no request finds it, and a process that dies leaves a deletion to be finished.
    deletions.begin({ id, keepSandbox: copy === undefined }, () => {
      conversations.insert(fork)
      knowledge.copy(original, id)
      copyAsked(original, id)
    })
    try {
      await eventLog.copyInSlices(id, copied)
      const open = openCalls(copied)
      if (open.length > 0) {
        eventLog.appendAll(
          id,
          open.map(call => agentError(call.tool_name, call.tool_call_id, NOT_IN_FORK)),
        )
      }
      await copy?.()
      deletions.withdraw(id)
    } catch (error) {
      conversations.delete(id)
      deletions.end(id)
      throw error
    }
    bus.publish({ resource: 'conversation', id })
  }
}

/** A conversation that goes on from where another one stands, as it is stored. */
export function forkOf(
  original: Conversation,
  id: ConversationId,
  { title, eventId }: { title: string | null | undefined; eventId: string | null },
): Conversation {
  const now = new Date().toISOString()
  return {
    ...original,
    id,
    created_at: now,
    updated_at: now,
    title: title ?? `${original.title ?? 'Conversation'} (fork)`.slice(-200),
    title_is_default: false,
    execution_status: 'idle',
    limit_reached: null,
    stats: NO_STATS,
    replay: null,
    // It is the original's, which applies what both do in their sandbox.
    source_folder: null,
    folder_mode: null,
    parent_conversation_id: null,
    forked_from_conversation_id: original.id,
    forked_from_event_id: eventId,
    pinned_at: null,
    archived_at: null,
    listed_at: null,
  }
}

/** The conversation as it was when the event had just been stored. @throws AppError not_found */
export function branchUpTo(tree: ConversationTree, eventId: string): Event[] {
  const branch = tree.branchTo(eventId)
  if (!branch)
    throw new AppError('not_found', 'There is no such event in this conversation. Name the id of one that it has.')
  return branch
}

const NOT_IN_FORK =
  'This call had no result yet when the conversation was forked. It may still be going on in the original.'
