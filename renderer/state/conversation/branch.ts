import { ConversationTree, LEAF_KEY, treeOf } from '../../../server/api/event/branch.ts'
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
  return event.kind === 'ConversationStateUpdateEvent' && event.key === LEAF_KEY
}

/**
 * Which part of a log is set aside because the person went back to before it; null when nobody ever went anywhere,
 * which is the usual case.
 * @param events ascending by `seq`, each once; the beginning may be missing
 */
export function branchOf(events: readonly Event[]): Branch | null {
  if (!events.some(isStep)) return null
  const tree = new ConversationTree({ isPartial: true })
  const placeOf = new Map(events.map((event, place) => [event.id, place]))
  const steps: (Step & { place: number; to: number })[] = []
  for (const [place, event] of events.entries()) {
    const from = tree.leaf()
    tree.add(event)
    const target = tree.leaf()
    if (!isStep(event) || target === from) continue
    const [stood, to] = [from, target].map(id => placeOf.get(id ?? '') ?? -1) as [number, number]
    steps.push({ event, direction: to < stood ? 'back' : 'forward', from, place, to })
  }
  const active = new Set(tree.activeBranch().map(({ id }) => id))
  const left = leftPlaces(steps, events.length)
  // Updates of the state tell of the conversation and are no part of it: they go with the events around them.
  const isAside = (event: Event, place: number) =>
    event.kind === 'ConversationStateUpdateEvent' ? left.has(place) : !active.has(event.id)
  const aside = new Set(events.filter(isAside).map(({ seq }) => seq))
  return { aside, steps: steps.filter(({ place }) => !left.has(place)) }
}

/** The places that steps have jumped over, those of undone steps left out. */
function leftPlaces(steps: readonly { place: number; to: number }[], length: number): Set<number> {
  const left = new Set<number>()
  let reached = length
  for (const { place, to } of steps.toReversed()) {
    if (place >= reached) continue
    for (let jumped = to + 1; jumped < place; jumped++) left.add(jumped)
    reached = to + 1
  }
  return left
}

/** The events that the conversation goes on from. */
export function activeEvents(events: readonly Event[]): readonly Event[] {
  return events.some(isStep) ? treeOf(events, { isPartial: true }).activeBranch() : events
}

/** The event after which the given one came; undefined for the first one that is loaded, and for one that is set aside. */
export function eventBefore(events: readonly Event[], id: string): string | undefined {
  const branch = activeEvents(events).filter(({ kind }) => kind !== 'ConversationStateUpdateEvent')
  return branch[branch.findIndex(event => event.id === id) - 1]?.id
}

/** Where the conversation stood around a step of the agent. */
export interface StepEnds {
  readonly before: string
  readonly after: string
}

/**
 * The events before and at the end of the step that a call is of: an answer of the model with all of its calls and what came of
 * them. undefined while a call has no result, for a step that is set aside, and where what came before is not loaded.
 * @param id of the call's event
 */
export function stepAround(events: readonly Event[], id: string): StepEnds | undefined {
  const branch = activeEvents(events).filter(({ kind }) => kind !== 'ConversationStateUpdateEvent')
  const call = branch.find(event => event.id === id)
  if (call?.kind !== 'ActionEvent') return undefined
  const isOfStep = (event: Event) => event.kind === 'ActionEvent' && event.llm_response_id === call.llm_response_id
  const calls = branch.flatMap(event => (event.kind === 'ActionEvent' && isOfStep(event) ? event.tool_call_id : []))
  const results = branch.filter(
    event => event.kind !== 'ActionEvent' && 'tool_call_id' in event && calls.some(call => call === event.tool_call_id),
  )
  const before = branch[branch.findIndex(isOfStep) - 1]?.id
  const after = results.at(-1)?.id
  return before === undefined || after === undefined || results.length < calls.length ? undefined : { before, after }
}
