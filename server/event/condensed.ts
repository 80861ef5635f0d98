import { isResult, type Result, resultsByCall } from '../api/event/calls.ts'
import type { Event, EventOf } from '../api/event/events.ts'

/** Stands for events that were forgotten. Made here and never stored. */
export interface Summary {
  kind: 'CondensationSummaryEvent'
  /** `<id of the condensation>-summary`; a later condensation forgets it by this id. */
  id: string
  text: string
}

type Visible =
  | EventOf<'SystemPromptEvent'>
  | EventOf<'MessageEvent'>
  | EventOf<'ActionEvent'>
  | EventOf<'ObservationEvent'>
  | EventOf<'UserRejectObservation'>
  | EventOf<'AgentErrorEvent'>
export type ViewItem = Visible | Summary

/**
 * What is left for the model of a branch when every condensation has been applied, in order. Other events are of no
 * concern to it, so a condensation's `summary_offset` counts these items alone.
 *
 * INVARIANTS, whatever the condensations say: a result stands after its call, a call has at most one, a result without
 * its call and a call whose result is forgotten do not occur.
 */
export function viewOf(branch: readonly Event[], results = resultsByCall(branch)): ViewItem[] {
  const answering: ReadonlySet<Event> = new Set(results.values())
  const partners = branch.some(event => event.kind === 'Condensation') ? partnersOf(results) : NO_PARTNERS
  const forgotten = new Set<string>()
  let items: ViewItem[] = []
  for (const event of branch) {
    if (event.kind === 'Condensation') {
      for (const id of event.forgotten_event_ids) {
        forgotten.add(id)
        const partner = partners.get(id)
        if (partner) forgotten.add(partner)
      }
      items = items.filter(item => !forgotten.has(item.id))
      if (event.summary?.trim()) items.splice(event.summary_offset ?? 0, 0, summaryOf(event, event.summary))
    } else if (isVisible(event) && !forgotten.has(event.id)) {
      if (!isResult(event) || answering.has(event)) items.push(event)
    }
  }
  return items
}

const NO_PARTNERS: ReadonlyMap<string, string> = new Map()

function summaryId(condensation: { id: string }): string {
  return `${condensation.id}-summary`
}

function summaryOf(condensation: EventOf<'Condensation'>, text: string): Summary {
  return { kind: 'CondensationSummaryEvent', id: summaryId(condensation), text }
}

function isVisible(event: Event): event is Visible {
  return (
    event.kind === 'MessageEvent' ||
    event.kind === 'ActionEvent' ||
    isResult(event) ||
    event.kind === 'SystemPromptEvent'
  )
}

/** The result's id by its call's, and the other way round. */
function partnersOf(results: ReadonlyMap<string, Result>): Map<string, string> {
  const partners = new Map<string, string>()
  for (const [callId, result] of results) partners.set(callId, result.id).set(result.id, callId)
  return partners
}
