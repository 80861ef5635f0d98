import { activeBranch } from '../../api/event/branch.ts'
import type { EventOf } from '../../api/event/events.ts'
import type { EventLog } from '../../event/log.ts'
import { openCalls } from '../../event/model-messages.ts'
import type { Conversation } from '../../store/conversation/conversations.ts'

/** The calls that wait for a person's confirmation now. */
export function waitingCalls(
  eventLog: EventLog,
  { id, execution_status }: Pick<Conversation, 'id' | 'execution_status'>,
): EventOf<'ActionEvent'>[] {
  return execution_status === 'waiting_for_confirmation' ? openCalls(activeBranch(eventLog.readEnd(id))) : []
}
