import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import { calcPrice, findProvider } from '@pydantic/genai-prices'
import type { TokenUsage } from '../api/event/metrics.ts'
import type { ModelChoice } from './completion.ts'
import { isPrivate, LISTED_PROVIDERS, type ModelTarget, resolveModel } from './provider.ts'

/**
 * Token counts in the service's words: `prompt_tokens` holds all of the prompt, cached tokens too, and
 * `completion_tokens` holds the reasoning too. `context_window` is 0 when unknown.
 */
export function toTokenUsage(usage: LanguageModelV3Usage, target: ModelTarget, responseId: string): TokenUsage {
  const { inputTokens: input, outputTokens: output } = usage
  const prompt = count(input.total)
  const completion = count(output.total)
  return {
    model: target.model,
    prompt_tokens: prompt,
    completion_tokens: completion,
    cache_read_tokens: count(input.cacheRead),
    cache_write_tokens: count(input.cacheWrite),
    reasoning_tokens: count(output.reasoning),
    context_window: windowOf(target) ?? 0,
    per_turn_token: prompt + completion,
    response_id: responseId,
  }
}

/** What no answer has; sums of more would be no numbers any more. */
const MAX_TOKENS = 1e9
const MAX_COST = 1e6

function count(tokens: number | undefined): number {
  return Math.min(MAX_TOKENS, Math.max(0, Math.trunc(tokens ?? 0)))
}

/**
 * US dollars of one answer. A price that the server itself reports wins: OpenRouter in its usage, LiteLLM in a header;
 * then the one that was given for the model, then the list's.
 * @returns null when the price is unknown
 */
export function costOf(
  usage: LanguageModelV3Usage,
  target: ModelTarget,
  headers: Record<string, string> | undefined,
): number | null {
  const reported = usage.raw?.cost ?? headers?.['x-litellm-response-cost']
  // A cost below zero would take back what was spent, and with it the limit of the conversation.
  if (isCost(reported)) return Number(reported)
  // Zero tokens mean that the server does not count, not that the answer was free.
  if (!usage.inputTokens.total && !usage.outputTokens.total) return null
  const { input_cost_per_token: perInput, output_cost_per_token: perOutput } = target.options
  if (perInput !== undefined || perOutput !== undefined) {
    return count(usage.inputTokens.total) * (perInput ?? 0) + count(usage.outputTokens.total) * (perOutput ?? 0)
  }
  const found = price(target, {
    input_tokens: count(usage.inputTokens.total),
    output_tokens: count(usage.outputTokens.total),
    cache_read_tokens: count(usage.inputTokens.cacheRead),
    cache_write_tokens: count(usage.inputTokens.cacheWrite),
  })
  return found ? found.total_price : null
}

function isCost(reported: unknown): boolean {
  const isNumber = typeof reported === 'number' || (typeof reported === 'string' && reported.trim() !== '')
  return isNumber && Number(reported) >= 0 && Number(reported) <= MAX_COST
}

/** Tokens that fit into one request, null when unknown. */
function windowOf(target: ModelTarget): number | null {
  const { max_input_tokens, model_canonical_name: canonical } = target.options
  return max_input_tokens ?? price(target, {})?.model.context_window ?? (canonical ? listedWindow(canonical) : null)
}

/** Of a model wherever it is served. */
function listedWindow(name: string): number | null {
  const { provider, known } = resolveModel({ model: name, baseUrl: 'http://localhost', apiKey: null, namedBy: 'other' })
  if (!provider.prices) return null
  return calcPrice({}, known, { providerId: provider.prices })?.model.context_window ?? null
}

/** Whether what the model's answers cost will be known, unless its server says so itself. */
export function isPriceKnown(choice: ModelChoice): boolean {
  const target = resolveModel(choice)
  const { input_cost_per_token, output_cost_per_token } = target.options
  return input_cost_per_token !== undefined || output_cost_per_token !== undefined || price(target, {}) !== null
}

/** The price list knows who serves at a URL. What a server of one's own costs is not known. */
function price(target: ModelTarget, usage: Record<string, number>) {
  if (isPrivate(target.baseUrl)) return null
  const served = findProvider({ providerApiUrl: target.baseUrl })
  const providerId = served?.id ?? target.provider.prices
  return providerId ? calcPrice(usage, target.model, { providerId }) : null
}

export interface KnownModel {
  name: string
  provider: string
  context_window: number | null
}

/** Text models that the price list names, by provider and the newest first, with the names under which they can be chosen. */
export function knownModels(): KnownModel[] {
  return LISTED_PROVIDERS.flatMap(({ id, prices }) => {
    const models = findProvider({ providerId: prices })?.models ?? []
    return models
      .filter(model => !model.deprecated && WRITES_TEXT[id]?.test(model.id) !== false && !NO_AGENT.test(model.id))
      .toSorted((a, b) => versionOf(b.id) - versionOf(a.id) || (a.id < b.id ? -1 : 1))
      .map(model => ({ name: `${id}/${model.id}`, provider: id, context_window: model.context_window ?? null }))
  })
}

/** The list has no dates, but later models have higher numbers: 4.5 in `claude-opus-4-5-20251101`. Sizes such as 120b are none. */
function versionOf(id: string): number {
  const [, major = '0', minor = '0'] = /(?<!\d)(\d{1,2})(?![\db])(?:[.-](\d{1,2})(?![\db]))?/.exec(id) ?? []
  return Number(`${major}.${minor}`)
}

/** Some lists hold what a provider resells, or entries that stand for a family. */
const WRITES_TEXT: Readonly<Record<string, RegExp>> = {
  openrouter: /^[^/]+\/[^/]+$/,
  openai: /^(gpt-[4-9](?!:)|gpt-oss|o[1-9])/,
  anthropic: /^claude-[a-z]+-\d|^claude-3-\d/,
  gemini: /^(gemini-[2-9]|gemma-[3-9])/,
}
const NO_AGENT =
  /audio|voice|voxtral|embed|image|live|moderation|realtime|search|transcribe|tts|vision|whisper|ocr|guard|instruct$|\.ft-|:extended/
