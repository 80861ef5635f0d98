import { rejection, stateUpdate } from '../agent/answer.ts'
import { LEAF_KEY } from '../api/event/branch.ts'
import { CANNED_REASONS } from '../api/event/rejection-reasons.ts'
import type { AppConversation } from '../api/v1/conversation/conversations.ts'
import type { Bus } from '../bus.ts'
import { AppError } from '../domain/errors.ts'
import { newConversationId, parseConversationId } from '../domain/ids.ts'
import type { EventLog } from '../event/log.ts'
import { openCalls } from '../event/model-messages.ts'
import type { ConversationTable } from '../store/conversation/conversations.ts'
import { branchUpTo, type Forks, forkOf } from './forks.ts'
import { assertAllowed } from './run/state.ts'
import type { ConversationService } from './service.ts'

interface Dependencies {
  eventLog: EventLog
  conversations: ConversationTable
  service: ConversationService
  forks: Forks
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
    const { conversations, service, forks } = this.#dependencies
    const original = service.findOwn(id)
    const newId = request.conversation_id ? parseConversationId(request.conversation_id) : newConversationId()
    if (conversations.get(newId)) {
      throw new AppError(
        'conversation_exists',
        'A conversation with this id exists already. Choose another id, or leave it out.',
      )
    }
    const copied = await forks.branch(original.id, request.from_event_id)
    const eventId = request.from_event_id ?? copied.at(-1)?.id ?? null
    const fork = forkOf(original, newId, { title: request.title, eventId })
    await forks.store(request.reset_metrics === false ? { ...fork, stats: original.stats } : fork, copied)
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
