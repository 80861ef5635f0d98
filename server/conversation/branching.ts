import { agentError, rejection, stateUpdate } from '../agent/answer.ts'
import { NO_STATS } from '../agent/limits.ts'
import { type ConversationTree, LEAF_KEY } from '../api/event/branch.ts'
import type { Event } from '../api/event/events.ts'
import { CANNED_REASONS } from '../api/event/rejection-reasons.ts'
import type { AppConversation } from '../api/v1/conversation/conversations.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../domain/errors.ts'
import { type ConversationId, newConversationId, parseConversationId } from '../domain/ids.ts'
import type { EventLog } from '../event/log.ts'
import { openCalls } from '../event/model-messages.ts'
import type { Knowledge } from '../knowledge/knowledge.ts'
import type { ConversationSecrets } from '../secret/conversation-secrets.ts'
import type { Conversation, ConversationTable } from '../store/conversation/conversations.ts'
import type { ConversationDeletions } from '../store/conversation/deletions.ts'
import { assertAllowed } from './run/state.ts'
import type { ConversationService } from './service.ts'

interface Dependencies {
  eventLog: EventLog
  conversations: ConversationTable
  deletions: ConversationDeletions
  service: ConversationService
  knowledge: Pick<Knowledge, 'copy'>
  secrets: Pick<ConversationSecrets, 'copy'>
  /** What the client that began the original asked for. Called in the transaction that makes the fork. */
  copyAsked: (from: ConversationId, to: ConversationId) => void
  bus: Bus
}

export interface ForkRequest {
  conversation_id?: string | null | undefined
  title?: string | null | undefined
  from_event_id?: string | null | undefined
  /** false: what the original has cost counts for the fork too. */
  reset_metrics?: boolean | undefined
}

/** Other ways to go on from what was said. Only the log is turned back: files in the sandbox stay as they are. */
export class Branching {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * A new conversation in the same sandbox and folder, with the events up to the given one.
   * @throws AppError conversation_not_found, conversation_elsewhere, conversation_exists, not_found (event), invalid_id
   */
  async fork(id: string, request: ForkRequest): Promise<AppConversation> {
    const { eventLog, conversations, deletions, service, knowledge, secrets, copyAsked, bus } = this.#dependencies
    const original = service.findOwn(id)
    const newId = request.conversation_id ? parseConversationId(request.conversation_id) : newConversationId()
    if (conversations.get(newId)) {
      throw new AppError(
        'conversation_exists',
        'A conversation with this id exists already. Choose another id, or leave it out.',
      )
    }
    const { from_event_id } = request
    const copied = await eventLog.readTree(original.id, tree =>
      from_event_id ? branchUpTo(tree, from_event_id) : tree.activeBranch(),
    )
    const now = new Date().toISOString()
    const fork: Conversation = {
      ...original,
      id: newId,
      created_at: now,
      updated_at: now,
      title: request.title ?? `${original.title ?? 'Conversation'} (fork)`.slice(-200),
      title_is_default: false,
      execution_status: 'idle',
      limit_reached: null,
      stats: request.reset_metrics === false ? original.stats : NO_STATS,
      replay: null,
      // It is the original's, which applies what both do in their sandbox.
      source_folder: null,
      folder_mode: null,
      parent_conversation_id: null,
      forked_from_conversation_id: original.id,
      forked_from_event_id: request.from_event_id ?? copied.at(-1)?.id ?? null,
    }
    await secrets.copy(original.id, newId)
    // Until its log is whole no request finds it, and a process that dies leaves a deletion to be finished.
    deletions.begin({ id: newId, keepSandbox: true }, () => {
      conversations.insert(fork)
      knowledge.copy(original.id, newId)
      copyAsked(original.id, newId)
    })
    try {
      await eventLog.copyInSlices(newId, copied)
      deletions.withdraw(newId)
    } catch (error) {
      conversations.delete(newId)
      deletions.end(newId)
      throw error
    }
    const open = openCalls(copied)
    if (open.length > 0) {
      eventLog.appendAll(
        newId,
        open.map(call => agentError(call.tool_name, call.tool_call_id, NOT_IN_FORK)),
      )
    }
    bus.publish({ resource: 'conversation', id: newId })
    return service.get(newId)
  }

  /**
   * What follows goes on after the given event; null is the beginning. Calls that wait for confirmation are rejected.
   * @throws AppError conversation_not_found, conversation_elsewhere, conversation_running, not_found (event)
   */
  async navigate(id: string, eventId: string | null): Promise<AppConversation> {
    const { eventLog, conversations, service, bus } = this.#dependencies
    const { id: known } = service.findOwn(id)
    await eventLog.readTree(known, tree => {
      // It may have begun to run while the log was read.
      assertAllowed(service.findOwn(known).execution_status, 'navigate')
      if (eventId !== null) branchUpTo(tree, eventId)
      const open = openCalls(tree.activeBranch()).map(call => rejection(call, CANNED_REASONS.wentBack, 'user'))
      const changes = [...open, stateUpdate(LEAF_KEY, eventId), stateUpdate('execution_status', 'idle')]
      eventLog.appendAll(known, changes, at =>
        conversations.update(known, { execution_status: 'idle', updated_at: at }),
      )
    })
    bus.publish({ resource: 'conversation', id: known })
    return service.get(known)
  }
}

/** The conversation as it was when the event had just been stored. */
function branchUpTo(tree: ConversationTree, eventId: string): Event[] {
  const branch = tree.branchTo(eventId)
  if (!branch)
    throw new AppError('not_found', 'There is no such event in this conversation. Name the id of one that it has.')
  return branch
}

const NOT_IN_FORK =
  'This call had no result yet when the conversation was forked. It may still be going on in the original.'
