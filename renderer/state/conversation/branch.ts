import type { Event, EventOf } from '../../../server/api/event/events.ts'

export interface Branch {
  /** Sequence numbers of the events that the conversation does not go on from. */
  readonly aside: ReadonlySet<number>
  readonly steps: readonly Step[]
}

/** The person went to another point of the log. */
export interface Step {
  readonly event: EventOf<'ConversationStateUpdateEvent'>
  readonly direction: 'back' | 'forward'
  /** Where the conversation stood before: going there undoes it. null where that is its beginning, or not loaded. */
  readonly from: string | null
}

export function isStep(event: Event): event is EventOf<'ConversationStateUpdateEvent'> {
  return event.kind === 'ConversationStateUpdateEvent' && event.key === 'leaf_event_id'
}

/**
 * Which part of a log is set aside because the person went back to before it; null when nobody ever went anywhere,
 * which is the usual case.
 * @param events ascending by `seq`, each once
 */
export function branchOf(events: readonly Event[]): Branch | null {
  if (!events.some(isStep)) return null
  const placeOf = new Map(events.map((event, place) => [event.id, place]))
  const parents: number[] = []
  const steps: Step[] = []
  // Updates of the state tell of the conversation and are no part of it: it never stands at one.
  let stands = -1
  for (const [place, event] of events.entries()) {
    const target = isStep(event) ? (placeOf.get(String(event.value)) ?? -1) : stands
    parents.push(isStep(event) && target !== stands ? target : place - 1)
    if (isStep(event) && target !== stands) {
      steps.push({ event, direction: target < stands ? 'back' : 'forward', from: events[stands]?.id ?? null })
    }
    stands = event.kind === 'ConversationStateUpdateEvent' ? target : place
  }
  const active = new Set<number>()
  for (let place = events.length - 1; place >= 0; place = parents[place] ?? -1) active.add(place)
  const aside = new Set(events.flatMap((event, place) => (active.has(place) ? [] : [event.seq])))
  return { aside, steps: steps.filter(({ event }) => !aside.has(event.seq)) }
}

/** The events that the conversation goes on from. */
export function activeEvents(events: readonly Event[]): readonly Event[] {
  const branch = branchOf(events)
  return branch ? events.filter(({ seq }) => !branch.aside.has(seq)) : events
}
