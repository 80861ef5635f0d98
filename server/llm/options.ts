import type { LanguageModelV3CallOptions } from '@ai-sdk/provider'
import type { ModelOptions } from '../api/model-options.ts'
import { clipMiddle } from '../text/clip.ts'
import type { WaitLimits } from './answer/wait-limits.ts'
import type { ModelMessage } from './completion.ts'
import type { ModelTarget } from './provider.ts'
import type { Feature, RequestProfile } from './request-profile.ts'
import type { RetryOptions } from './retry.ts'

/** What a model may be asked for by what is known of it and by what was asked for; only the former is remembered. */
export function effectiveProfile(profile: RequestProfile, { options, wire }: ModelTarget): RequestProfile {
  const without = new Set<Feature>(profile.without)
  if (options.native_tool_calling === false) without.add('tools')
  if (options.disable_vision) without.add('images')
  if (options.disable_stop_word) without.add('stop-word')
  if (options.caching_prompt === false) without.add('cache')
  if (options.stream === false) without.add('streaming')
  if (options.enable_encrypted_reasoning === false && wire === 'responses') without.add('signatures')
  if (options.force_string_serializer && wire === 'openai') without.add('images').add('cache')
  return { ...profile, without }
}

/** Parameters that every wire of the SDK knows; it leaves out what a provider does not have. */
export function samplingOf({ options }: ModelTarget, { without }: RequestProfile): Partial<LanguageModelV3CallOptions> {
  if (without.has('sampling')) return {}
  const { temperature, top_p, top_k, seed } = options
  return {
    ...(temperature !== undefined && { temperature }),
    ...(top_p !== undefined && { topP: top_p }),
    ...(top_k !== undefined && { topK: top_k }),
    ...(seed !== undefined && { seed }),
  }
}

/** The smaller of what was asked for and what the server has said that it gives. */
export function outputTokens({ options, wire, known }: ModelTarget, { maxOutputTokens: given }: RequestProfile) {
  // The SDK would allow 4,096 tokens to a model of another maker behind this wire.
  const usual = wire === 'anthropic' && !known.includes('claude') ? 32_000 : null
  const asked = options.max_output_tokens ?? usual
  if (asked === null && given === null) return {}
  return { maxOutputTokens: Math.min(asked ?? Number.POSITIVE_INFINITY, given ?? Number.POSITIVE_INFINITY) }
}

export function retryOf(options: ModelOptions): Partial<RetryOptions> {
  const { num_retries, retry_multiplier, retry_min_wait, retry_max_wait } = options
  return {
    ...(num_retries !== undefined && { attempts: Math.max(1, num_retries) }),
    ...(retry_multiplier !== undefined && { baseMs: retry_multiplier * 1000 }),
    ...(retry_min_wait !== undefined && { minMs: retry_min_wait * 1000 }),
    ...(retry_max_wait !== undefined && { maxMs: retry_max_wait * 1000 }),
  }
}

export function waitLimitsOf({ timeout }: ModelOptions): Partial<WaitLimits> {
  return timeout === undefined ? {} : { silenceMs: timeout * 1000 }
}

/** What people and tools say; what the model itself has said stays as it was. */
export function clippedMessages(messages: ModelMessage[], { max_message_chars: limit }: ModelOptions): ModelMessage[] {
  if (limit === undefined) return messages
  const clip = (text: string) => clipMiddle(text, limit, () => CLIPPED)
  return messages.map(message => {
    if (message.role === 'assistant') return message
    if (message.role === 'tool') return { ...message, text: clip(message.text) }
    const content = message.content.map(part => (part.type === 'text' ? { ...part, text: clip(part.text) } : part))
    return { ...message, content }
  })
}

const CLIPPED = '\n[The middle of this message was cut out.]\n'
