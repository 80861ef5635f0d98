import { BOUNDS } from '../../domain/bounds.ts'
import { AppError } from '../../domain/errors.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { EventLog } from '../../event/log.ts'
import type { CheckpointRow, CheckpointTable } from '../../store/conversation/checkpoints.ts'
import type { ConversationTable } from '../../store/conversation/conversations.ts'

interface Dependencies {
  table: CheckpointTable
  conversations: Pick<ConversationTable, 'get'>
  eventLog: Pick<EventLog, 'byIds'>
}

/** The checkpoints of conversations by what a request names, and within their bound. */
export class CheckpointList {
  readonly #dependencies: Dependencies

  constructor(dependencies: Dependencies) {
    this.#dependencies = dependencies
  }

  /**
   * What was done by hand before the agent went on belongs to the event that it went on from.
   * @returns undefined where the files were not kept then @throws AppError event_not_found
   */
  at(id: ConversationId, eventId: string): CheckpointRow | undefined {
    const { table, eventLog } = this.#dependencies
    const [event] = eventLog.byIds(id, [eventId])
    if (!event)
      throw new AppError(
        'event_not_found',
        'There is no such event in this conversation. Name the id of one that it has.',
      )
    const next = table.since(id, event.seq)
    if (next?.after_gap && next.seq !== event.seq) return undefined
    const isThen = next?.reason === 'step' ? next.seq === event.seq : next && next.reason !== 'restored'
    return isThen ? next : table.before(id, event.seq)
  }

  /** @throws AppError not_found */
  find(id: ConversationId, checkpointId: string): CheckpointRow {
    const found = this.lookUp(id, checkpointId)
    if (found) return found
    throw new AppError('not_found', `The conversation has no checkpoint ${checkpointId}. List them, and name one.`)
  }

  lookUp(id: ConversationId, checkpointId: string): CheckpointRow | undefined {
    return /^\d{1,15}$/.test(checkpointId) ? this.#dependencies.table.get(id, Number(checkpointId)) : undefined
  }

  /** What is as it was before is no news, but for the beginning of a turn. */
  add(id: ConversationId, kept: Pick<CheckpointRow, 'tree' | 'reason' | 'seq'>): void {
    const { table, conversations } = this.#dependencies
    const conversation = conversations.get(id)
    if (!conversation) return
    if (kept.reason !== 'turn' && table.last(id)?.tree === kept.tree) return
    table.add(id, kept)
    const excess = table.count(id) - BOUNDS.checkpoints.limit
    if (excess > 0) table.drop(id, table.removable(id, conversation.created_at).slice(0, excess))
  }
}
