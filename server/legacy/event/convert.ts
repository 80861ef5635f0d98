import type { Event } from '../../api/event/events.ts'
import { type ConversationStats, conversationStats } from '../../api/event/metrics.ts'
import type { LegacyAction, LegacyEvent, LegacyMetrics, LegacyObservation } from '../../api/legacy/events.ts'
import { toLegacyAction } from './actions.ts'
import { type Call, toLegacyObservation } from './observations.ts'

/**
 * The log as clients of the legacy generation see it: one legacy event for each event, with its sequence number as id.
 * What the legacy generation has no word for is a `null` observation, which is stored and counted but never sent.
 *
 * A view is given the events in order, in any pieces; it remembers the calls, so that a result names its cause.
 */
export class LegacyView {
  readonly #calls = new Map<string, Call>()
  readonly #newestByCall = new Map<string, Call>()
  #before: Event | undefined

  /**
   * @param events one piece of the log: figures that follow an answer in the same piece are shown with it
   * @param waiting the calls that wait for confirmation now
   */
  push(events: readonly Event[], waiting: readonly { id: string }[] = []): LegacyEvent[] {
    const awaited = new Set(waiting.map(({ id }) => id))
    const rejected = new Set(events.flatMap(event => (event.kind === 'UserRejectObservation' ? event.action_id : [])))
    return events.map((event, index) => {
      if (event.kind === 'ActionEvent') this.#remember({ seq: event.seq, event })
      const confirmation = awaited.has(event.id)
        ? 'awaiting_confirmation'
        : rejected.has(event.id)
          ? 'rejected'
          : 'confirmed'
      const legacy =
        toLegacyAction(event, confirmation) ?? withReason(toLegacyObservation(event, this.#callOf(event)), this.#before)
      this.#before = event
      const metrics = 'action' in legacy && legacy.source === 'agent' ? metricsAfter(events, index) : undefined
      return metrics ? { ...legacy, llm_metrics: metrics } : legacy
    })
  }

  #remember(call: Call): void {
    this.#calls.set(call.event.id, call)
    this.#newestByCall.set(call.event.tool_call_id, call)
  }

  #callOf(event: Event): Call | undefined {
    if ('action_id' in event && event.action_id) return this.#calls.get(event.action_id)
    return event.kind === 'AgentErrorEvent' ? this.#newestByCall.get(event.tool_call_id) : undefined
  }
}

/** Whether a person is to accept or reject it. */
export function isAwaiting(frame: object): frame is LegacyAction {
  return 'action' in frame && (frame as LegacyAction).args.confirmation_state === 'awaiting_confirmation'
}

/** Pages of a log as pieces in which an answer stands with its figures: what a page ends with may wait for the next one. */
export async function* legacyPieces(pages: AsyncIterable<Event[]>): AsyncGenerator<Event[], void> {
  let held: Event[] = []
  for await (const page of pages) {
    const events = [...held, ...page]
    const end = events.findLastIndex(({ kind }) => kind !== 'ActionEvent' && kind !== 'MessageEvent') + 1
    held = events.slice(end)
    yield events.slice(0, end)
  }
  yield held
}

/** An error is followed by the state that it led to. */
function withReason(legacy: LegacyObservation, before: Event | undefined): LegacyObservation {
  if (legacy.observation !== 'agent_state_changed' || before?.kind !== 'ConversationErrorEvent') return legacy
  return { ...legacy, extras: { ...legacy.extras, reason: before.detail } }
}

/** Never sent: it only keeps the ids dense. */
export function isNull(event: LegacyEvent): boolean {
  return 'action' in event ? event.action === 'null' : event.observation === 'null'
}

/** An answer's calls, or its message, are stored together with the figures that they led to. */
function metricsAfter(events: readonly Event[], index: number): LegacyMetrics | undefined {
  for (let next = index + 1; next < events.length; next++) {
    const event = events[next]
    if (event?.kind === 'ActionEvent') continue
    if (event?.kind !== 'ConversationStateUpdateEvent' || event.key !== 'stats') return undefined
    const stats = conversationStats.safeParse(event.value)
    return stats.success ? toMetrics(stats.data) : undefined
  }
  return undefined
}

function toMetrics({ usage_to_metrics, last_step }: ConversationStats): LegacyMetrics | undefined {
  const total = usage_to_metrics[last_step?.usage_id ?? 'default']
  if (!total) return undefined
  return {
    accumulated_cost: total.accumulated_cost,
    max_budget_per_task: total.max_budget_per_task,
    accumulated_token_usage: total.accumulated_token_usage && withoutReasoning(total.accumulated_token_usage),
    costs: last_step ? [{ model: last_step.usage.model, cost: last_step.cost ?? 0 }] : [],
    response_latencies: last_step ? [{ model: last_step.usage.model, latency: last_step.latency_ms / 1000 }] : [],
    token_usages: last_step ? [withoutReasoning(last_step.usage)] : [],
  }
}

function withoutReasoning({ reasoning_tokens: _, ...figures }: NonNullable<ConversationStats['last_step']>['usage']) {
  return figures
}
