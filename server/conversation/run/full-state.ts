import type { FullStateEvent } from '../../api/event/frames.ts'
import { newEventId } from '../../domain/ids.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'

/** The whole live state in one frame: the first of every socket, and one after each run. */
export function fullState(conversation: Conversation, lastSeq: number): FullStateEvent {
  return {
    kind: 'ConversationStateUpdateEvent',
    id: newEventId(),
    timestamp: new Date().toISOString(),
    source: 'environment',
    key: 'full_state',
    value: {
      id: conversation.id,
      title: conversation.title,
      execution_status: conversation.execution_status,
      stats: conversation.stats,
      max_iterations: conversation.max_iterations,
      max_budget_per_task: conversation.max_budget_per_task,
      last_seq: lastSeq,
    },
  }
}
