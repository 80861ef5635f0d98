import { agentError } from '../../agent/answer.ts'
import { LIMIT_ERROR_CODES, limitMessage } from '../../agent/limits.ts'
import type { RunOutcome } from '../../agent/run.ts'
import type { EventOf, ExecutionStatus, NewEvent } from '../../api/event/events.ts'
import { isAppError } from '../../domain/errors.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'
import { conversationError } from '../errors.ts'

export interface RunResult {
  status: ExecutionStatus
  limit_reached: Conversation['limit_reached']
  /** What the log says before the new status. */
  events: NewEvent[]
}

/** To calls that were under way when a process died. */
export function resultsOfAbandonedCalls(calls: readonly EventOf<'ActionEvent'>[]): NewEvent[] {
  return calls.map(call => agentError(call.tool_name, call.tool_call_id, RESTARTED))
}

const RESTARTED =
  'A restart occurred while this tool was in progress. It may have been carried out in part: check its effects before trying again.'

/** What becomes of a conversation when its run has ended. @param closing whether the whole service ends */
export function resultOfRun(end: RunOutcome, conversation: Conversation, closing: boolean): RunResult {
  const ended = (status: ExecutionStatus, ...events: NewEvent[]): RunResult => ({ status, limit_reached: null, events })
  switch (end.kind) {
    case 'finished':
      return ended('finished')
    case 'paused':
      return ended('paused', { kind: 'PauseEvent', source: 'user' })
    case 'waiting':
      return ended('waiting_for_confirmation')
    case 'stuck':
      return ended('stuck', errorEvent('AgentStuck', 'agent_action', end.why))
    case 'vetoed':
      return ended('paused', errorEvent('StopHookObjects', 'agent_action', `${VETOED}\n${end.why}`))
    case 'interrupted':
      return closing ? ended('paused') : ended('paused', { kind: 'InterruptEvent', source: 'user' })
    case 'limit': {
      const why = errorEvent(LIMIT_ERROR_CODES[end.limit], 'limit', limitMessage(end.limit, conversation))
      return { status: 'paused', limit_reached: end.limit, events: [why] }
    }
    case 'failed':
      return ended(isDiskRefusal(end.error) ? 'paused' : 'error', conversationError(end.error))
  }
}

/** Nothing is wrong with such a conversation: it goes on where it stopped. */
function isDiskRefusal(error: unknown): boolean {
  return isAppError(error, 'disk_full') || isAppError(error, 'store_unavailable')
}

const VETOED =
  'A hook of the repository did not let the agent end, again and again. Continue to let it try once more, or send a message. The hook said:'

function errorEvent(
  code: string,
  kind: EventOf<'ConversationErrorEvent'>['classification']['kind'],
  detail: string,
): NewEvent {
  const classification = { kind, retryable: true, user_action: 'none' } as const
  return { kind: 'ConversationErrorEvent', source: 'environment', code, detail, classification }
}
