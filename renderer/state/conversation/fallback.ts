import type { Event, EventOf } from '../../../server/api/event/events.ts'

/** Another model answers in the place of the chosen one. */
export interface ModelFallback {
  readonly from: string
  readonly to: string
  readonly reason: string
}

/** null for an event that tells of none. */
export function fallbackOf(event: Event): ModelFallback | null {
  if (event.kind !== 'ConversationStateUpdateEvent' || event.key !== 'llm_fallback') return null
  const { from, to, reason } = Object(event.value)
  return [from, to, reason].every(text => typeof text === 'string') ? { from, to, reason } : null
}

/** The service tells it for each answer; a person wants to know it once for what they have asked. */
export function isAlreadyShown(event: EventOf<'ConversationStateUpdateEvent'>, log: readonly Event[]): boolean {
  const now = fallbackOf(event)
  const before = log.findLast(
    earlier =>
      earlier.seq < event.seq &&
      ((earlier.kind === 'MessageEvent' && earlier.source === 'user') || fallbackOf(earlier) !== null),
  )
  const told = before ? fallbackOf(before) : null
  return told !== null && told.from === now?.from && told.to === now.to
}
