import type { ExecutionStatus } from '../../api/event/events.ts'
import { type RunAction, refusalOf } from '../../api/v1/conversation/run-actions.ts'
import { AppError } from '../../domain/errors.ts'

/** @throws AppError conversation_running with the table's reason when the action is not allowed now */
export function assertAllowed(status: ExecutionStatus, action: RunAction): void {
  const reason = refusalOf(action, status)
  if (reason !== null) throw new AppError('conversation_running', reason)
}

/** The status after a message was stored: one that had ended, or waited for a confirmation, waits for its next run. */
export function afterMessage(status: ExecutionStatus): ExecutionStatus {
  return BECOMES_IDLE.has(status) ? 'idle' : status
}

const BECOMES_IDLE: ReadonlySet<ExecutionStatus> = new Set(['finished', 'stuck', 'error', 'waiting_for_confirmation'])
