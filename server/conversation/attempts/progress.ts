import type { Attempt } from '../../api/v1/conversation/attempts.ts'
import type { AttemptResult } from '../../store/conversation/attempts.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'

/** Of what an attempt that goes on has changed nothing is known. */
export const NOT_MEASURED = { changes: null, check: null }

export function stateOf(conversation: Conversation, reason: string | null): Attempt['state'] {
  if (hasEnded(conversation)) return reason === null ? 'checking' : 'waiting'
  return conversation.execution_status === 'running' ? 'working' : 'waiting'
}

/** Whether it says what is now: a run takes steps. */
export function isCurrent(result: AttemptResult | null, { stats }: Conversation): boolean {
  return result?.steps === stats.steps
}

/** Whether its agent has done what it could; one that is idle has not begun, or is to go on. */
export function hasEnded({ execution_status }: Conversation): boolean {
  return execution_status === 'finished' || execution_status === 'error' || execution_status === 'stuck'
}
