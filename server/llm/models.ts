import { createHash } from 'node:crypto'
import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider'
import { AppError } from '../errors.ts'
import type { CompletionRequest } from './completion.ts'
import type { Feature, Manner } from './features.ts'
import type { ModelTarget } from './provider.ts'
import { reasoningDetails } from './reasoning-details.ts'

/** The SDKs look for a key in environment variables unless they get one; servers without keys ignore it. */
const NO_KEY = 'none'

/**
 * The model behind a target, at the level of one request and its stream of parts: no retries, no tool execution, and
 * tool arguments as text, just as the model wrote them. A provider's SDK is loaded when it is first asked.
 * @throws AppError `llm_authentication` when the provider needs a key and there is none
 */
export async function openModel(target: ModelTarget, fetch: typeof globalThis.fetch): Promise<LanguageModelV3> {
  const { provider, wire, model, baseUrl, apiKey } = target
  if (provider.needsKey && !apiKey && baseUrl === provider.baseUrl) {
    throw new AppError(
      'llm_authentication',
      `${provider.label} wants a key and none is set. Add it in Settings › Model.`,
    )
  }
  switch (wire) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? NO_KEY, fetch })(model)
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: apiKey ?? NO_KEY, fetch })(model)
    }
    case 'responses': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ baseURL: baseUrl, apiKey: apiKey ?? NO_KEY, fetch }).responses(model)
    }
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({
        name: 'openaiCompatible',
        baseURL: baseUrl,
        includeUsage: true,
        fetch,
        transformRequestBody: markedAsParts,
        ...(provider.id === 'openrouter' && { metadataExtractor: reasoningDetails }),
        ...(apiKey && { apiKey }),
      })(model)
    }
  }
}

/** Servers look for cache marks in parts of a message, while the SDK writes single texts without parts. */
function markedAsParts(body: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(body.messages)) return body
  const messages = body.messages.map(({ cache_control, ...message }) =>
    cache_control && typeof message.content === 'string'
      ? { ...message, content: [{ type: 'text', text: message.content, cache_control }] }
      : message,
  )
  return { ...body, messages }
}

/** What each provider wants to be told beside the conversation; the others ignore it. */
export function providerOptions(
  target: ModelTarget,
  request: Pick<CompletionRequest, 'system' | 'messages'>,
  { without }: Manner,
): SharedV3ProviderOptions {
  const thinks = !without.has('thinking')
  if (target.wire === 'responses') return { openai: responsesOptions(target, request, without) }
  if (target.wire === 'openai' && atOpenAi(target) && !without.has('cache')) {
    return { openaiCompatible: { prompt_cache_key: cacheKey(request) } }
  }
  return thinks ? thinkingOptions(target) : {}
}

/** Nothing is kept at OpenAI: the thinking comes back encrypted, and goes with the history. */
function responsesOptions(
  { model }: ModelTarget,
  request: Pick<CompletionRequest, 'system' | 'messages'>,
  without: ReadonlySet<Feature>,
): SharedV3ProviderOptions[string] {
  return {
    store: false,
    ...(!without.has('thinking') && { reasoningSummary: 'auto' }),
    ...(!without.has('cache') && {
      promptCacheKey: cacheKey(request),
      ...(KEEPS_CACHE.test(model) && { promptCacheRetention: '24h' }),
    }),
  }
}

/** https://platform.openai.com/docs/guides/prompt-caching: an agent may wait for a person longer than the usual minutes. */
const KEEPS_CACHE = /^gpt-5(\.\d+)?(-codex(-max)?)?(-\d{4}-\d\d-\d\d)?$/

function atOpenAi({ provider, baseUrl }: ModelTarget): boolean {
  return provider.id === 'openai' && baseUrl === provider.baseUrl
}

/** The same for all answers of a conversation, so that they meet the same cache. */
function cacheKey({ system, messages }: Pick<CompletionRequest, 'system' | 'messages'>): string {
  const first = messages.find(message => message.role === 'user')
  return createHash('sha256')
    .update(JSON.stringify([system, first]))
    .digest('hex')
    .slice(0, 32)
}

/** Asks models that can show their thinking to do so; the others refuse the option. */
function thinkingOptions({ wire, model }: ModelTarget): SharedV3ProviderOptions {
  if (wire === 'anthropic' && /claude-[a-z]+-(4-[6-9]|[5-9])/.test(model)) {
    return { anthropic: { thinking: { type: 'adaptive', display: 'summarized' } } }
  }
  if (wire === 'google' && /gemini-(2\.5|[3-9])/.test(model) && !/image|tts|live/.test(model)) {
    return { google: { thinkingConfig: { includeThoughts: true } } }
  }
  return {}
}
