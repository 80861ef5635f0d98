import type { ExecutionStatus, SendMessageRequest } from '../../api/event/events.ts'
import { type RunAction, refusalOf } from '../../api/v1/conversation/run-actions.ts'
import { AppError } from '../../domain/errors.ts'

/** @throws AppError conversation_running with the table's reason when the action is not allowed now */
export function assertAllowed(status: ExecutionStatus, action: RunAction): void {
  const reason = refusalOf(action, status)
  if (reason !== null) throw new AppError('conversation_running', reason)
}

/** @throws AppError bad_request for a message without a word or an image */
export function assertNotEmpty(content: SendMessageRequest['content']): void {
  if (content.every(part => part.type === 'text' && part.text.trim() === ''))
    throw new AppError('bad_request', 'The message is empty. Write what should be done.')
}

/** The status after a message was stored: one that had ended, or waited for a confirmation, waits for its next run. */
export function afterMessage(status: ExecutionStatus): ExecutionStatus {
  return BECOMES_IDLE.has(status) ? 'idle' : status
}

const BECOMES_IDLE: ReadonlySet<ExecutionStatus> = new Set(['finished', 'stuck', 'error', 'waiting_for_confirmation'])
