import type { Event } from '../api/event/events.ts'
import type { AnswerSoFarEvent, StreamingDeltaEvent, TransientEvent } from '../api/event/frames.ts'
import { endsAnswer } from '../api/event/streamed-answer.ts'
import type { ConversationId } from '../domain/ids.ts'
import { answerSoFar } from './stream-events.ts'

/** A longer answer, in characters, is shown to who joins in the middle of it when all of it has come. */
const MAX_ANSWER = 1_000_000

interface Running {
  /** The newest tail of every command, by its call. */
  readonly tails: Map<string, TransientEvent>
  answer: { text: string; reasoning: string } | null
}

/**
 * What runs in conversations, for those who join while it says nothing more: the output of commands, and the answer that comes.
 * A tail is forgotten when its call is answered, an answer when it is stored, and all of a conversation's when its run begins or
 * ends.
 */
export class RunningOutput {
  readonly #running = new Map<ConversationId, Running>()

  keep(conversationId: ConversationId, event: TransientEvent): void {
    if (event.kind === 'AnswerSoFarEvent') return this.#answerIs(conversationId, event)
    if (event.kind !== 'OutputDeltaEvent' && event.kind !== 'StreamingDeltaEvent') return
    const running = this.#running.get(conversationId) ?? { tails: new Map(), answer: null }
    this.#running.set(conversationId, running)
    if (event.kind === 'OutputDeltaEvent') running.tails.set(event.tool_call_id, event)
    else running.answer = extended(running.answer, event)
  }

  /** Takes the events that were stored. */
  settle(conversationId: ConversationId, events: readonly Event[]): void {
    const running = this.#running.get(conversationId)
    if (!running) return
    for (const event of events) {
      if ('tool_call_id' in event && event.kind !== 'ActionEvent') running.tails.delete(event.tool_call_id)
      if (event.kind === 'ConversationStateUpdateEvent' && event.key === 'execution_status') running.tails.clear()
      if (endsAnswer(event)) running.answer = null
    }
    if (running.tails.size === 0 && !running.answer) this.forget(conversationId)
  }

  of(conversationId: ConversationId): readonly TransientEvent[] {
    const running = this.#running.get(conversationId)
    if (!running) return []
    const { answer, tails } = running
    return answer && lengthOf(answer) <= MAX_ANSWER ? [answerSoFar(answer), ...tails.values()] : [...tails.values()]
  }

  #answerIs(conversationId: ConversationId, { content, reasoning_content }: AnswerSoFarEvent): void {
    const running = this.#running.get(conversationId)
    if (running) running.answer = content || reasoning_content ? { text: content, reasoning: reasoning_content } : null
  }

  forget(conversationId: ConversationId): void {
    this.#running.delete(conversationId)
  }
}

type Answer = NonNullable<Running['answer']>

/** One that is too long stays so, and grows no more. */
function extended(answer: Answer | null, { content = '', reasoning_content = '' }: StreamingDeltaEvent): Answer {
  const { text, reasoning } = answer ?? { text: '', reasoning: '' }
  if (lengthOf({ text, reasoning }) > MAX_ANSWER) return { text, reasoning }
  return { text: text + content, reasoning: reasoning + reasoning_content }
}

function lengthOf({ text, reasoning }: Answer): number {
  return text.length + reasoning.length
}
