import type { Event } from '../../../server/api/event/events.ts'
import { conversationStats, type TokenUsage } from '../../../server/api/event/metrics.ts'

/** What one answer of a model took. */
export interface StepCost {
  /** Sequence number of the event that reports it. */
  readonly seq: number
  readonly at: string
  /** null: the model has no known price. */
  readonly cost: number | null
  readonly latencyMs: number
  readonly usage: TokenUsage
}

/** The answers that the loaded events report, oldest first; one that is reported twice counts once. */
export function stepCosts(events: readonly Event[]): StepCost[] {
  const steps = new Map<string, StepCost>()
  for (const event of events) {
    if (event.kind !== 'ConversationStateUpdateEvent' || event.key !== 'stats') continue
    const last = conversationStats.safeParse(event.value).data?.last_step
    if (!last) continue
    const { response_id, cost, latency_ms, usage } = last
    if (!steps.has(response_id))
      steps.set(response_id, { seq: event.seq, at: event.timestamp, cost, latencyMs: latency_ms, usage })
  }
  return [...steps.values()]
}

/** How full the model's context was at the last step; null where its size is not known. */
export function contextUse(usage: TokenUsage | undefined): { used: number; window: number; share: number } | null {
  if (!usage || usage.context_window <= 0) return null
  const { per_turn_token: used, context_window: window } = usage
  return { used, window, share: Math.min(1, used / window) }
}
