import type { Event } from '../api/event/events.ts'
import type { TransientEvent } from '../api/event/frames.ts'
import type { ConversationId } from '../domain/ids.ts'

/**
 * The newest tail of every command that runs, for those who join while it says nothing more. A tail is forgotten when its
 * call is answered, and all of a conversation's when its run begins or ends.
 */
export class RunningOutput {
  readonly #tails = new Map<ConversationId, Map<string, string>>()

  keep(conversationId: ConversationId, event: TransientEvent, body: string): void {
    if (event.kind !== 'OutputDeltaEvent') return
    const tails = this.#tails.get(conversationId) ?? new Map<string, string>()
    this.#tails.set(conversationId, tails.set(event.tool_call_id, body))
  }

  /** Takes the events that were stored. */
  settle(conversationId: ConversationId, events: readonly Event[]): void {
    const tails = this.#tails.get(conversationId)
    if (!tails) return
    for (const event of events) {
      if ('tool_call_id' in event && event.kind !== 'ActionEvent') tails.delete(event.tool_call_id)
      if (event.kind === 'ConversationStateUpdateEvent' && event.key === 'execution_status') tails.clear()
    }
    if (tails.size === 0) this.forget(conversationId)
  }

  /** As the text of frames. */
  of(conversationId: ConversationId): readonly string[] {
    return [...(this.#tails.get(conversationId)?.values() ?? [])]
  }

  forget(conversationId: ConversationId): void {
    this.#tails.delete(conversationId)
  }
}
