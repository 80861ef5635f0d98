import type { ExecutionStatus } from '../../../../server/api/event/events.ts'
import type { AppConversation } from '../../../../server/api/v1/conversation/conversations.ts'
import { refusalOf } from '../../../../server/api/v1/conversation/run-actions.ts'
import { t } from '../text.ts'

/** `asking`: the agent waits for a person's word before it acts. */
export type RunPhase = 'working' | 'asking' | 'resting'

export interface RunRules {
  phase: RunPhase
  /** Whether the agent works, so that it can be paused and stopped. */
  working: boolean
  /** Why the agent cannot go on by itself now; null when it can. */
  continueReason: string | null
  /** Why no message can be sent; null when one can. */
  sendReason: string | null
  /** Why the conversation cannot be taken to another point now; null when it can. */
  branchReason: string | null
}

/** What can be done to a run in each state, and the reason where it cannot. */
export function runRules(
  status: ExecutionStatus,
  { limit_reached, sandbox_status }: Pick<AppConversation, 'limit_reached' | 'sandbox_status'>,
): RunRules {
  const gone = sandbox_status === 'MISSING' ? t('itsSandboxIsMissing') : null
  return {
    phase: phaseOf(status),
    working: status === 'running',
    continueReason: gone ?? refusalOf('continue', status) ?? limitReason(limit_reached),
    sendReason: refusalOf('send', status) ?? gone,
    branchReason: refusalOf('navigate', status),
  }
}

function phaseOf(status: ExecutionStatus): RunPhase {
  if (status === 'running') return 'working'
  return status === 'waiting_for_confirmation' ? 'asking' : 'resting'
}

function limitReason(limit: AppConversation['limit_reached']): string | null {
  if (limit === 'max_iterations') return t('stepLimitIsReached')
  if (limit === 'max_budget_per_task') return t('budgetIsUsedUp')
  return null
}
