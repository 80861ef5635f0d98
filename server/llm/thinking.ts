import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { ModelTarget } from './provider.ts'
import type { Feature } from './request-profile.ts'

/** Asks models that can show their thinking to do so, and as much as was asked for; the others refuse the option. */
export function thinkingOptions(target: ModelTarget, without: ReadonlySet<Feature>): SharedV3ProviderOptions {
  if (target.wire === 'anthropic') return { anthropic: claudeOptions(target, without) }
  return { google: geminiOptions(target, without) }
}

/** https://platform.claude.com/docs/en/build-with-claude/effort: newer models take an effort, older ones a budget. */
function claudeOptions(
  { known, options }: ModelTarget,
  without: ReadonlySet<Feature>,
): SharedV3ProviderOptions[string] {
  const { reasoning_effort: effort, extended_thinking_budget: budget } = options
  const thinks = !without.has('thinking') && effort !== 'none'
  const adaptive = /claude-[a-z]+-(4-[6-9]|[5-9])/.test(known)
  const level = effort === undefined ? undefined : CLAUDE_EFFORTS[effort]
  return {
    ...(thinks && adaptive && { thinking: { type: 'adaptive', display: 'summarized' } }),
    ...(thinks &&
      BUDGETED_CLAUDE.test(known) &&
      budget !== undefined && { thinking: { type: 'enabled', budgetTokens: clamp(budget, 1_024, 32_000) } }),
    ...(level && (adaptive || !BUDGETED_CLAUDE.test(known)) && !without.has('effort') && { effort: level }),
  }
}

const BUDGETED_CLAUDE = /claude-(3-7-|(opus|sonnet|haiku)-4-([0-5]\b|20))/

const CLAUDE_EFFORTS: Partial<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'xhigh',
  max: 'max',
}

/** https://ai.google.dev/gemini-api/docs/thinking: a level since Gemini 3, a budget before. */
function geminiOptions(
  { known, options }: ModelTarget,
  without: ReadonlySet<Feature>,
): SharedV3ProviderOptions[string] {
  if (without.has('thinking') || !/gemini-(2\.5|[3-9])/.test(known) || /image|tts|live/.test(known)) return {}
  const thinking = without.has('effort') ? {} : thinkingOf(known, options)
  return { thinkingConfig: { includeThoughts: true, ...thinking } }
}

function thinkingOf(
  known: string,
  { reasoning_effort: effort, extended_thinking_budget: budget }: ModelTarget['options'],
) {
  if (!known.includes('gemini-2.5')) {
    const level = effort === undefined ? undefined : GEMINI_LEVELS[effort]
    return level ? { thinkingLevel: level } : {}
  }
  const tokens = (effort === undefined ? undefined : GEMINI_BUDGETS[effort]) ?? budget
  return tokens === undefined ? {} : { thinkingBudget: clamp(tokens, 0, GEMINI_MAX) }
}

const GEMINI_MAX = 24_576

const GEMINI_LEVELS: Partial<Record<string, string>> = {
  none: 'minimal',
  minimal: 'minimal',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}

/** Tokens, as LiteLLM translates efforts. */
const GEMINI_BUDGETS: Partial<Record<string, number>> = {
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: GEMINI_MAX,
  xhigh: GEMINI_MAX,
  max: GEMINI_MAX,
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
