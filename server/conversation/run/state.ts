import type { ExecutionStatus } from '../../api/event/events.ts'
import { AppError } from '../../domain/errors.ts'

/** What people and the agent can do to a conversation. */
export type Command = 'run' | 'pause' | 'interrupt' | 'send' | 'delete'

/** What each status allows, and the reason shown where it does not. */
export const ALLOWED: Record<ExecutionStatus, Record<Command, true | string>> = {
  idle: { run: true, pause: true, interrupt: true, send: true, delete: true },
  running: {
    run: 'The agent is working already. Send a message, or wait until it is done.',
    pause: true,
    interrupt: true,
    send: true,
    delete: true,
  },
  paused: { run: true, pause: true, interrupt: true, send: true, delete: true },
  waiting_for_confirmation: { run: true, pause: true, interrupt: true, send: true, delete: true },
  finished: { run: true, pause: true, interrupt: true, send: true, delete: true },
  error: { run: true, pause: true, interrupt: true, send: true, delete: true },
  stuck: { run: true, pause: true, interrupt: true, send: true, delete: true },
  deleting: {
    run: 'The conversation is being deleted.',
    pause: 'The conversation is being deleted.',
    interrupt: 'The conversation is being deleted.',
    send: 'The conversation is being deleted.',
    delete: true,
  },
}

/** @throws AppError conversation_running */
export function assertAllowed(status: ExecutionStatus, command: Command): void {
  const allowed = ALLOWED[status][command]
  if (allowed !== true) throw new AppError('conversation_running', allowed)
}

/** The status after a message was stored: one that had ended, or waited for a confirmation, waits for its next run. */
export function afterMessage(status: ExecutionStatus): ExecutionStatus {
  return BECOMES_IDLE.has(status) ? 'idle' : status
}

const BECOMES_IDLE: ReadonlySet<ExecutionStatus> = new Set(['finished', 'stuck', 'error', 'waiting_for_confirmation'])
