import type { ConversationStats, MetricsSnapshot } from '../../api/event/metrics.ts'
import { addFigures, type ModelUsage, type UsageFigures, type UsageReport } from '../../api/v1/system/usage.ts'
import type { UsageTable } from '../../store/usage.ts'

interface Dependencies {
  table: UsageTable
  now: () => Date
}

/** What models cost, day by day. */
export class UsageLedger {
  readonly #table: UsageTable
  readonly #now: () => Date

  constructor({ table, now }: Dependencies) {
    this.#table = table
    this.#now = now
  }

  /** Adds what the answers between two statistics of a conversation took; to be called in their transaction. */
  count = (before: ConversationStats, after: ConversationStats): void => {
    const day = dayOf(this.#now())
    for (const usage of usageBetween(before, after)) this.#table.add(day, usage)
  }

  /** The last `days` days, today included. */
  report(days: number): UsageReport {
    const range = lastDays(this.#now(), days)
    const rows = this.#table.since(range[0] ?? '')
    return {
      days: range.map(day => {
        const ofDay = rows.filter(row => row.day === day)
        return { day, ...sumOf(ofDay), by_model: byModel(ofDay) }
      }),
      total: sumOf(rows),
      by_model: byModel(rows),
    }
  }
}

/**
 * What was used from one state of the statistics to the next. A step of the agent says itself whether its price is known;
 * other answers say so only by costing nothing while prices are known to be missing.
 */
export function usageBetween(before: ConversationStats, after: ConversationStats): ModelUsage[] {
  return Object.entries(after.usage_to_metrics).flatMap(([usageId, metrics]) => {
    const earlier = before.usage_to_metrics[usageId]
    const difference = subtract(metrics, earlier)
    const tokens = difference.prompt_tokens + difference.completion_tokens
    const isAgent = usageId === (after.last_step?.usage_id ?? 'default') && after.steps > before.steps
    const steps = isAgent ? after.steps - before.steps : Number(tokens > 0)
    if (steps === 0 && tokens === 0 && difference.cost === 0) return []
    const free = difference.cost === 0 && after.cost_unknown
    const unknown = isAgent ? after.last_step?.cost === null : free
    return [
      {
        model: metrics.model_name,
        usage_id: usageId,
        steps,
        ...difference,
        unknown_cost_steps: unknown ? steps : 0,
      },
    ]
  })
}

function subtract(metrics: MetricsSnapshot, earlier: MetricsSnapshot | undefined) {
  const now = metrics.accumulated_token_usage
  const then = earlier?.accumulated_token_usage
  const since = (
    name: 'prompt_tokens' | 'completion_tokens' | `cache_${'read' | 'write'}_tokens` | 'reasoning_tokens',
  ) => Math.max(0, (now?.[name] ?? 0) - (then?.[name] ?? 0))
  return {
    prompt_tokens: since('prompt_tokens'),
    completion_tokens: since('completion_tokens'),
    cache_read_tokens: since('cache_read_tokens'),
    cache_write_tokens: since('cache_write_tokens'),
    reasoning_tokens: since('reasoning_tokens'),
    cost: Math.max(0, metrics.accumulated_cost - (earlier?.accumulated_cost ?? 0)),
  }
}

const NOTHING: UsageFigures = {
  steps: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  cost: 0,
  unknown_cost_steps: 0,
}

function sumOf(usages: readonly UsageFigures[]): UsageFigures {
  return usages.reduce(addFigures, NOTHING)
}

/** The dearest first. */
function byModel(usages: readonly ModelUsage[]): ModelUsage[] {
  const sums = new Map<string, ModelUsage>()
  for (const usage of usages) {
    const { model, usage_id } = usage
    const key = JSON.stringify([model, usage_id])
    sums.set(key, { model, usage_id, ...sumOf([sums.get(key) ?? NOTHING, usage]) })
  }
  return [...sums.values()].sort((a, b) => b.cost - a.cost || b.prompt_tokens - a.prompt_tokens)
}

/** As the machine's clock has it: a day is what a person takes for one. */
function dayOf(date: Date): string {
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

function lastDays(today: Date, days: number): string[] {
  const [year, month, day] = [today.getFullYear(), today.getMonth(), today.getDate()]
  // Noon, so that a change to summer time cannot move a day.
  return [...Array(days).keys()].map(index => dayOf(new Date(year, month, day - days + 1 + index, 12)))
}
