import type { LanguageModelV3, SharedV3ProviderOptions } from '@ai-sdk/provider'
import { AppError } from '../errors.ts'
import type { ModelTarget } from './provider.ts'

/** The SDKs look for a key in environment variables unless they get one; servers without keys ignore it. */
const NO_KEY = 'none'

/**
 * The model behind a target, at the level of one request and its stream of parts: no retries, no tool execution, and
 * tool arguments as text, just as the model wrote them. A provider's SDK is loaded when it is first asked.
 * @throws AppError `llm_authentication` when the provider needs a key and there is none
 */
export async function openModel(
  target: ModelTarget,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): Promise<LanguageModelV3> {
  const { provider, model, baseUrl, apiKey } = target
  if (provider.needsKey && !apiKey && baseUrl === provider.baseUrl) {
    throw new AppError(
      'llm_authentication',
      `${provider.label} wants a key and none is set. Add it in Settings › Model.`,
    )
  }
  switch (provider.wire) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic({ baseURL: baseUrl, apiKey: apiKey ?? NO_KEY, fetch })(model)
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      return createGoogleGenerativeAI({ baseURL: baseUrl, apiKey: apiKey ?? NO_KEY, fetch })(model)
    }
    case 'openai': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({
        name: 'openaiCompatible',
        baseURL: baseUrl,
        includeUsage: true,
        fetch,
        ...(apiKey && { apiKey }),
      })(model)
    }
  }
}

/** Asks models that can show their thinking to do so; the others refuse the option. */
export function thinkingOptions(target: ModelTarget): SharedV3ProviderOptions {
  const { provider, model } = target
  if (provider.wire === 'anthropic' && /claude-[a-z]+-(4-[6-9]|[5-9])/.test(model)) {
    return { anthropic: { thinking: { type: 'adaptive', display: 'summarized' } } }
  }
  if (provider.wire === 'google' && /gemini-(2\.5|[3-9])/.test(model) && !/image|tts|live/.test(model)) {
    return { google: { thinkingConfig: { includeThoughts: true } } }
  }
  return {}
}
