import type { Event } from './events.ts'

/** What makes the pieces of an answer void: another one is asked for. */
const ASKED_ANEW: readonly string[] = ['llm_retry', 'llm_fallback']

/** Whether an answer that has been coming in pieces is over with it: it is stored, or nothing more of it comes. */
export function endsAnswer(event: Event): boolean {
  switch (event.kind) {
    case 'MessageEvent':
      return event.source === 'agent'
    case 'ActionEvent':
    case 'InterruptEvent':
    case 'ConversationErrorEvent':
      return true
    case 'ConversationStateUpdateEvent':
      if (event.key === 'execution_status') return event.value !== 'running'
      return ASKED_ANEW.includes(event.key)
    default:
      return false
  }
}
