import type { ConversationStats, MetricsSnapshot, TokenUsage } from '../../api/event/metrics.ts'
import { type Fields, fieldsOf, integerIn, listIn, numberIn, textIn } from './values.ts'

/** The sums of a conversation whose steps nobody counted. */
export function sumOf(fields: Fields): ConversationStats {
  const cost = numberIn(fields, 'accumulated_cost') ?? 0
  const usage = usageOf({ ...fields, model: textIn(fields, 'llm_model') })
  const isNothing = cost === 0 && usage.prompt_tokens + usage.completion_tokens === 0
  const metrics: MetricsSnapshot = {
    model_name: usage.model,
    accumulated_cost: Math.max(0, cost),
    max_budget_per_task: null,
    accumulated_token_usage: usage,
  }
  return { usage_to_metrics: isNothing ? {} : { default: metrics }, steps: 0, cost_unknown: false, last_step: null }
}

/** `usage_to_metrics`, as the second generation counts. */
export function statsOf(value: unknown, steps: number): ConversationStats {
  const entries = Object.entries(fieldsOf(fieldsOf(value).usage_to_metrics)).slice(0, 100)
  return {
    usage_to_metrics: Object.fromEntries(
      entries.map(([id, metrics]) => [id === 'agent' ? 'default' : id, snapshotOf(fieldsOf(metrics))]),
    ),
    steps,
    cost_unknown: false,
    last_step: null,
  }
}

/** `llm_metrics` of an event, as the first generation has them. */
export function statsOfStep(value: Fields, steps: number): ConversationStats {
  const last = listIn(value, 'token_usages').at(-1)
  const cost = numberIn(fieldsOf(listIn(value, 'costs').at(-1)), 'cost')
  const latency = numberIn(fieldsOf(listIn(value, 'response_latencies').at(-1)), 'latency') ?? 0
  const usage = usageOf(fieldsOf(last))
  return {
    usage_to_metrics: { default: snapshotOf({ ...value, model_name: usage.model }) },
    steps,
    cost_unknown: false,
    last_step:
      last === undefined
        ? null
        : { response_id: usage.response_id, cost: cost ?? null, latency_ms: Math.max(0, latency * 1000), usage },
  }
}

function snapshotOf(metrics: Fields): MetricsSnapshot {
  const usage = metrics.accumulated_token_usage
  return {
    model_name: textIn(metrics, 'model_name'),
    accumulated_cost: Math.max(0, numberIn(metrics, 'accumulated_cost') ?? 0),
    max_budget_per_task: numberIn(metrics, 'max_budget_per_task') ?? null,
    accumulated_token_usage: usage === undefined || usage === null ? null : usageOf(fieldsOf(usage)),
  }
}

function usageOf(fields: Fields): TokenUsage {
  const count = (name: string) => Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, integerIn(fields, name) ?? 0))
  return {
    model: textIn(fields, 'model'),
    prompt_tokens: count('prompt_tokens'),
    completion_tokens: count('completion_tokens'),
    cache_read_tokens: count('cache_read_tokens'),
    cache_write_tokens: count('cache_write_tokens'),
    reasoning_tokens: count('reasoning_tokens'),
    context_window: count('context_window'),
    per_turn_token: count('per_turn_token'),
    response_id: textIn(fields, 'response_id'),
  }
}
