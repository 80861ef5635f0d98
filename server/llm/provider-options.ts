import { createHash } from 'node:crypto'
import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { CompletionRequest } from './completion.ts'
import type { ModelTarget } from './provider.ts'
import type { Feature, RequestProfile } from './request-profile.ts'
import { thinkingOptions } from './thinking.ts'

/** Options of one provider beside the conversation; the others ignore them. */
export function providerOptions(
  target: ModelTarget,
  request: Pick<CompletionRequest, 'system' | 'messages'>,
  { without }: RequestProfile,
): SharedV3ProviderOptions {
  if (target.wire === 'responses') return { openai: responsesOptions(target, request, without) }
  if (target.wire === 'openai') return { openaiCompatible: chatOptions(target, request, without) }
  return thinkingOptions(target, without)
}

function chatOptions(
  target: ModelTarget,
  request: Pick<CompletionRequest, 'system' | 'messages'>,
  without: ReadonlySet<Feature>,
): SharedV3ProviderOptions[string] {
  const effort = target.options.reasoning_effort
  return {
    ...(effort !== undefined && !without.has('effort') && { reasoningEffort: effort }),
    ...(atOpenAi(target) && !without.has('cache') && { prompt_cache_key: cacheKey(request) }),
  }
}

/** Nothing is kept at OpenAI: the thinking comes back encrypted, and goes with the history. */
function responsesOptions(
  { known, options }: ModelTarget,
  request: Pick<CompletionRequest, 'system' | 'messages'>,
  without: ReadonlySet<Feature>,
): SharedV3ProviderOptions[string] {
  const effort = without.has('effort') ? undefined : options.reasoning_effort
  const retention = options.prompt_cache_retention?.replace('-', '_') ?? (KEEPS_CACHE.test(known) ? '24h' : undefined)
  return {
    store: false,
    // The SDK knows by its name which model thinks, and an alias has another one.
    ...(effort !== undefined && { reasoningEffort: effort, forceReasoning: true }),
    ...(!without.has('thinking') && { reasoningSummary: options.reasoning_summary ?? 'auto' }),
    ...(!without.has('cache') && {
      promptCacheKey: cacheKey(request),
      ...(retention !== undefined && { promptCacheRetention: retention }),
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
