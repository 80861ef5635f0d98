import { z } from 'zod'
import { route } from './route.ts'

/** What models were asked for and what it cost. */
const usageFigures = z.object({
  /** answers of a model */
  steps: z.int().min(0),
  /** all of the prompts, cached tokens too */
  prompt_tokens: z.int().min(0),
  completion_tokens: z.int().min(0),
  cache_read_tokens: z.int().min(0),
  cache_write_tokens: z.int().min(0),
  reasoning_tokens: z.int().min(0),
  /** US dollars; a lower bound when `unknown_cost_steps` is not 0 */
  cost: z.number().min(0),
  /** answers of models without a known price */
  unknown_cost_steps: z.int().min(0),
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
  model: z.string(),
  /** What the answers were for: `default` is the agent, `condenser` its summaries, `title`, `ask-agent-llm`, … */
  usage_id: z.string(),
  ...usageFigures.shape,
})
export type ModelUsage = z.output<typeof modelUsage>

export const dayUsage = z.object({
  /** in the time zone of the machine */
  day: z.iso.date(),
  ...usageFigures.shape,
  by_model: z.array(modelUsage),
})

export const usageReport = z.object({
  /** every day of the range, oldest first; the last is today */
  days: z.array(dayUsage),
  total: usageFigures,
  /** of the whole range, the dearest first */
  by_model: z.array(modelUsage),
})
export type UsageReport = z.output<typeof usageReport>

export const getUsage = route({
  method: 'get',
  path: '/api/v1/usage',
  summary: 'Tokens and cost of each day, of deleted conversations too',
  tag: 'System',
  query: z.object({ days: z.int().min(1).max(366).default(30) }),
  reply: usageReport,
})
