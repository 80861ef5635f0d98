import type { UsageFigures, UsageReport } from '../../server/api/v1/system/usage.ts'
import { formatCost, formatTokens } from './format.ts'
import { t } from './text.ts'

export interface UsageBar {
  day: string
  /** 0 to 1 of the highest bar. */
  height: number
  /** What the day was, in words. */
  words: string
}

/** A bar a day, by cost where any is known, else by tokens. */
export function usageBars({ days, total }: UsageReport): UsageBar[] {
  const weightOf = total.cost > 0 ? (figures: UsageFigures) => figures.cost : tokensOf
  const highest = Math.max(...days.map(weightOf), Number.MIN_VALUE)
  return days.map(day => ({ day: day.day, height: weightOf(day) / highest, words: usageWords(day) }))
}

/** `$1.20 · 84k tokens · 12 answers`. A cost that is not wholly known says so. */
export function usageWords(figures: UsageFigures): string {
  if (figures.steps === 0) return t('nothing')
  const answers = t('answers', { count: figures.steps })
  return [costWords(figures), t('tokens', { tokens: formatTokens(tokensOf(figures)) }), answers].join(' · ')
}

export function costWords({ cost, steps, unknown_cost_steps }: UsageFigures): string {
  if (unknown_cost_steps === 0) return formatCost(cost)
  return unknown_cost_steps === steps ? t('costUnknown') : t('atLeastCost', { cost: formatCost(cost) })
}

export function tokensOf({ prompt_tokens, completion_tokens }: UsageFigures): number {
  return prompt_tokens + completion_tokens
}
