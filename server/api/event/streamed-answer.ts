import type { Event } from './events.ts'

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
      return event.key === 'execution_status' && event.value !== 'running'
    default:
      return false
  }
}
