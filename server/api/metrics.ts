import { z } from 'zod'

export const tokenUsage = z.object({
  model: z.string(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  reasoning_tokens: z.int(),
  context_window: z.int(),
  per_turn_token: z.int(),
  response_id: z.string(),
})
export type TokenUsage = z.output<typeof tokenUsage>

export const metricsSnapshot = z.object({
  model_name: z.string(),
  /** US dollars */
  accumulated_cost: z.number(),
  max_budget_per_task: z.number().nullable(),
  accumulated_token_usage: tokenUsage.nullable(),
})
export type MetricsSnapshot = z.output<typeof metricsSnapshot>

/** The value of the persisted state update with key `stats`, written after every model step. */
export const conversationStats = z.object({
  usage_to_metrics: z.record(z.string(), metricsSnapshot),
  steps: z.int(),
  /** true when a step's model has no known price: the cost is then a lower bound, shown as unknown */
  cost_unknown: z.boolean(),
  last_step: z
    .object({ response_id: z.string(), cost: z.number().nullable(), latency_ms: z.number(), usage: tokenUsage })
    .nullable(),
})
export type ConversationStats = z.output<typeof conversationStats>
