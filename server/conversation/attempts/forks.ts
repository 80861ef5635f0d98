import type { SendMessageRequest } from '../../api/event/events.ts'
import { appConversationStartRequest } from '../../api/v1/conversation/starts.ts'
import { newConversationId } from '../../domain/ids.ts'
import type { AttemptSetRow } from '../../store/conversation/attempts.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import type { Starter } from '../start/starter.ts'
import type { StartTasks } from '../start/tasks.ts'

type AttemptRow = AttemptSetRow['body']['attempts'][number]

/** With what an attempt is made: a saved model is what it was when that was decided. */
export type WantedModel = Pick<AttemptRow, 'llm_model' | 'llm_base_url' | 'profile'>

interface Wanted {
  original: Conversation
  /** Event that they go on from; absent is where the conversation stands. */
  eventId: string | null | undefined
  message: SendMessageRequest
  wanted: readonly WantedModel[]
}

/**
 * Starts one fork for each model, with the same message.
 * @param keep remembers them as attempts: what could not be remembered is not made
 * @throws AppError as a start does, and what `keep` throws
 */
export function startForks<Kept>(
  { original, eventId, message, wanted }: Wanted,
  { starter, tasks }: { starter: Pick<Starter, 'start'>; tasks: Pick<StartTasks, 'cancel'> },
  keep: (attempts: AttemptRow[]) => Kept,
): Kept {
  const attempts: AttemptRow[] = []
  try {
    for (const model of wanted) {
      const conversation_id = newConversationId()
      const request = appConversationStartRequest.parse({
        conversation_id,
        forked_from_conversation_id: original.id,
        forked_from_event_id: eventId,
        llm_model: model.llm_model,
        title: `${(original.title ?? 'Conversation').slice(0, 190)} (${attempts.length + 1})`,
      })
      // With the paths of its files it may be longer than what anybody may write.
      const { id } = starter.start({ ...request, initial_message: message })
      attempts.push({ conversation_id, start_task_id: id, ...model, result: null })
    }
    return keep(attempts)
  } catch (error) {
    // None of them works without being known as an attempt.
    for (const { start_task_id } of attempts) void tasks.cancel(start_task_id).catch(() => {})
    throw error
  }
}
