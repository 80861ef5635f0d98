import { dateTime } from '../../api/contract/page.ts'
import { type Event, event } from '../../api/event/events.ts'
import type { Row } from './database.ts'

/**
 * Stands in the place of an event that cannot be read, so that the numbers of a log stay dense. A damaged result still
 * answers its call, where it says which, because a call without one would be carried out again.
 */
export function placeholderOf(row: Row): Event {
  const text = String(row.body)
  const base = {
    id: String(row.id),
    seq: Number(row.seq),
    timestamp: dateTime.safeParse(row.timestamp).data ?? '1970-01-01T00:00:00.000Z',
  }
  const callId = RESULTS.has(String(row.kind)) ? CALL_ID.exec(text)?.[1] : undefined
  if (callId !== undefined) {
    const tool_name = TOOL_NAME.exec(text)?.[1] ?? 'unknown'
    const error = `The stored result of this call is damaged. ${CHECK}`
    return { kind: 'AgentErrorEvent', source: 'agent', ...base, tool_name, tool_call_id: callId, error }
  }
  return event.parse({
    kind: 'ConversationErrorEvent',
    source: 'environment',
    ...base,
    code: 'event_unreadable',
    detail: `This entry of the log (${String(row.kind)}) is damaged and cannot be shown. Everything before and after it is as it was.`,
    classification: { kind: 'internal', retryable: false, user_action: 'none' },
  })
}

const RESULTS: ReadonlySet<string> = new Set(['ObservationEvent', 'UserRejectObservation', 'AgentErrorEvent'])
const CHECK = 'It was carried out: check its effects before trying again.'

/** Text fields, also of JSON that is broken elsewhere. */
const CALL_ID = /"tool_call_id":"([^"\\]{1,200})"/
const TOOL_NAME = /"tool_name":"([^"\\]{1,200})"/
