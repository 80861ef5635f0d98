import type { ConversationStats, MetricsSnapshot, TokenUsage } from '../api/event/metrics.ts'
import type { Completion } from '../llm/completion.ts'

export interface Limits {
  max_iterations: number
  /** US dollars; null for no limit */
  max_budget_per_task: number | null
}

export type Limit = keyof Limits

export const LIMIT_ERROR_CODES = {
  max_iterations: 'MaxIterationsReached',
  max_budget_per_task: 'MaxBudgetReached',
} as const satisfies Record<Limit, string>

export const NO_STATS: ConversationStats = { usage_to_metrics: {}, steps: 0, cost_unknown: false, last_step: null }

/** The limit that forbids another step, if any. */
export function reachedLimit(stats: ConversationStats, limits: Limits): Limit | null {
  if (stats.steps >= limits.max_iterations) return 'max_iterations'
  const budget = limits.max_budget_per_task
  if (budget !== null && totalCost(stats) >= budget) return 'max_budget_per_task'
  return null
}

export function limitMessage(limit: Limit, limits: Limits): string {
  switch (limit) {
    case 'max_iterations':
      return `The limit of ${limits.max_iterations} ${limits.max_iterations === 1 ? 'step' : 'steps'} is reached. Raise it to let the agent go on.`
    case 'max_budget_per_task':
      return `The budget of $${limits.max_budget_per_task} is used up. Raise it to let the agent go on.`
  }
}

export function totalCost(stats: ConversationStats): number {
  return Object.values(stats.usage_to_metrics).reduce((sum, metrics) => sum + metrics.accumulated_cost, 0)
}

/** What the agent's steps are counted under, if its model has no name of its own for that. */
const AGENT_USAGE = 'default'

/** Of the agent, as its newest step was counted; null before the first. */
export function agentMetrics({ usage_to_metrics, last_step }: ConversationStats): MetricsSnapshot | null {
  return usage_to_metrics[last_step?.usage_id ?? AGENT_USAGE] ?? null
}

/** The statistics after one more step of the agent. Costs that are unknown count as 0 and set `cost_unknown`. */
export function addStep(stats: ConversationStats, completion: Completion, limits: Limits): ConversationStats {
  const { responseId, cost, latencyMs, usage, usageId = AGENT_USAGE } = completion
  const added = addUsage(stats, usageId, completion, limits)
  return {
    ...added,
    steps: stats.steps + 1,
    last_step: { response_id: responseId, cost, latency_ms: latencyMs, usage, usage_id: usageId },
  }
}

/** The statistics after an answer that was no step; `usageId` says what it was for, as in `condenser`. */
export function addUsage(
  stats: ConversationStats,
  usageId: string,
  { usage, cost }: Pick<Completion, 'usage' | 'cost'>,
  limits: Limits,
): ConversationStats {
  const before = stats.usage_to_metrics[usageId]
  const metrics = {
    model_name: usage.model,
    accumulated_cost: (before?.accumulated_cost ?? 0) + (cost ?? 0),
    max_budget_per_task: limits.max_budget_per_task,
    accumulated_token_usage: sum(before?.accumulated_token_usage ?? null, usage),
  }
  return {
    ...stats,
    cost_unknown: stats.cost_unknown || cost === null,
    usage_to_metrics: { ...stats.usage_to_metrics, [usageId]: metrics },
  }
}

function sum(before: TokenUsage | null, usage: TokenUsage): TokenUsage {
  if (!before) return usage
  return {
    ...usage,
    prompt_tokens: before.prompt_tokens + usage.prompt_tokens,
    completion_tokens: before.completion_tokens + usage.completion_tokens,
    cache_read_tokens: before.cache_read_tokens + usage.cache_read_tokens,
    cache_write_tokens: before.cache_write_tokens + usage.cache_write_tokens,
    reasoning_tokens: before.reasoning_tokens + usage.reasoning_tokens,
  }
}
