import { z } from 'zod'
import { route } from '../../contract/route.ts'

/** What models were asked for and what it cost. */
const usageFigures = z.object({
  steps: z.int().min(0).describe('Answers of a model.'),
  prompt_tokens: z.int().min(0).describe('Tokens of the prompts, cached ones too.'),
  completion_tokens: z.int().min(0).describe('Tokens of the answers.'),
  cache_read_tokens: z.int().min(0).describe("Tokens of the prompts that were read from the provider's cache."),
  cache_write_tokens: z.int().min(0).describe("Tokens of the prompts that were written to the provider's cache."),
  reasoning_tokens: z.int().min(0).describe('Tokens of the answers that were reasoning.'),
  cost: z.number().min(0).describe('US dollars; a lower bound when `unknown_cost_steps` is not 0.'),
  unknown_cost_steps: z.int().min(0).describe('Answers of models without a known price.'),
})
export type UsageFigures = z.output<typeof usageFigures>

export function addFigures(a: UsageFigures, b: UsageFigures): UsageFigures {
  return {
    steps: a.steps + b.steps,
    prompt_tokens: a.prompt_tokens + b.prompt_tokens,
    completion_tokens: a.completion_tokens + b.completion_tokens,
    cache_read_tokens: a.cache_read_tokens + b.cache_read_tokens,
    cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
    reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
    cost: a.cost + b.cost,
    unknown_cost_steps: a.unknown_cost_steps + b.unknown_cost_steps,
  }
}

export const modelUsage = z.object({
  model: z.string().describe('Name of the model, as `provider/model`.'),
  usage_id: z
    .string()
    .describe('What the answers were for: `default` is the agent, `condenser` its summaries, `title` the titles.'),
  ...usageFigures.shape,
})
export type ModelUsage = z.output<typeof modelUsage>

export const dayUsage = z.object({
  day: z.iso.date().describe('The day, in the time zone of the machine.'),
  ...usageFigures.shape,
  by_model: z.array(modelUsage).describe('Figures of each model and use.'),
})

export const usageReport = z.object({
  days: z.array(dayUsage).describe('Every day of the range, oldest first; the last is today.'),
  total: usageFigures.describe('Figures of the whole range.'),
  by_model: z.array(modelUsage).describe('Figures of the whole range by model and use, the dearest first.'),
})
export type UsageReport = z.output<typeof usageReport>

export const getUsage = route({
  method: 'get',
  path: '/api/v1/usage',
  summary: 'Tokens and cost of each day, of deleted conversations too',
  description: 'Sums the tokens and the cost of each day up to today, also those of conversations that were deleted.',
  tag: 'System',
  query: z.object({ days: z.int().min(1).max(366).default(30).describe('How many days, today being the last.') }),
  reply: usageReport,
})
