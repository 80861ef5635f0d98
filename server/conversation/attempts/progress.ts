import { totalCost } from '../../agent/limits.ts'
import type { Attempt } from '../../api/v1/conversation/attempts.ts'
import type { AttemptResult } from '../../store/conversation/attempts.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'

/** Of what an attempt that goes on has changed nothing is known. */
export const NOT_MEASURED = { changes: null, check: null }

/** @param reason why something could not be found out yet */
export function progressOf(conversation: Conversation, result: AttemptResult | null, reason: string | null) {
  const { execution_status, stats, created_at, updated_at, llm_model } = conversation
  const isDone = hasEnded(conversation) && isCurrent(result, conversation)
  const { changes, check, detail } = isDone && result ? result : { ...NOT_MEASURED, detail: reason }
  return {
    llm_model,
    state: isDone ? 'done' : stateOf(conversation, reason),
    detail,
    execution_status,
    steps: stats.steps,
    cost: stats.cost_unknown ? null : totalCost(stats),
    seconds: (Date.parse(updated_at) - Date.parse(created_at)) / 1000,
    changes,
    check,
  } as const
}

function stateOf(conversation: Conversation, reason: string | null): Attempt['state'] {
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
