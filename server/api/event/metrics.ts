import { z } from 'zod'

export const tokenUsage = z.object({
  model: z.string().describe('Name of the model.'),
  prompt_tokens: z.int().describe('Tokens of the prompts, cached ones too.'),
  completion_tokens: z.int().describe('Tokens of the answers.'),
  cache_read_tokens: z.int().describe("Tokens of the prompts that were read from the provider's cache."),
  cache_write_tokens: z.int().describe("Tokens of the prompts that were written to the provider's cache."),
  reasoning_tokens: z.int().describe('Tokens of the answers that were reasoning.'),
  context_window: z.int().describe('Tokens that the model can read at once; 0 when that is not known.'),
  per_turn_token: z.int().describe('Tokens of the last prompt and its answer.'),
  response_id: z.string().describe('Id that the provider gave the last answer.'),
})
export type TokenUsage = z.output<typeof tokenUsage>

export const metricsSnapshot = z.object({
  model_name: z.string().describe('Name of the model.'),
  accumulated_cost: z
    .number()
    .describe('US dollars so far; a lower bound when a model without a known price has answered.'),
  max_budget_per_task: z.number().nullable().describe('US dollars that the conversation may cost; null for no limit.'),
  accumulated_token_usage: tokenUsage.nullable().describe('Tokens so far; null before the first answer.'),
})
export type MetricsSnapshot = z.output<typeof metricsSnapshot>

/** The value of the persisted state update with key `stats`, written after every model step. */
export const conversationStats = z.object({
  usage_to_metrics: z
    .record(z.string(), metricsSnapshot)
    .describe('Tokens and cost by what the answers were for: `default` is the agent, if its model has no other name.'),
  steps: z.int().describe('Steps of the agent so far.'),
  cost_unknown: z
    .boolean()
    .describe('Whether a model without a known price has answered: the cost is then a lower bound.'),
  last_step: z
    .object({
      response_id: z.string().describe('Id that the provider gave the answer.'),
      cost: z.number().nullable().describe('US dollars of the answer; null when its price is not known.'),
      latency_ms: z.number().describe('Milliseconds from the request to the end of the answer.'),
      usage: tokenUsage.describe('Tokens of the answer.'),
      usage_id: z
        .string()
        .optional()
        .describe('What the answer is counted under in `usage_to_metrics`; absent is `default`.'),
    })
    .nullable()
    .describe('The newest answer of a model; absent before the first.'),
})
export type ConversationStats = z.output<typeof conversationStats>
