import type { LanguageModelV3 } from '@ai-sdk/provider'
import { isHeaderText } from '../api/input-text.ts'
import { AppError } from '../domain/errors.ts'
import { withAdditions } from './additions.ts'
import { reasoningDetails } from './answer/reasoning-details.ts'
import { withUsageFigures } from './answer/usage-figures.ts'
import type { ModelTarget } from './provider.ts'
import type { RequestProfile } from './request-profile.ts'

/** The SDKs look for a key in environment variables unless they get one; servers without keys ignore it. */
const NO_KEY = 'none'

/**
 * The model behind a target, at the level of one request and its stream of parts: no retries, no tool execution, and
 * tool arguments as text, just as the model wrote them. A provider's SDK is loaded when it is first asked.
 * @throws AppError `llm_authentication` when the provider needs a key and there is none, or one that cannot be sent
 */
export async function openModel(
  target: ModelTarget,
  profile: RequestProfile,
  outbound: typeof globalThis.fetch,
): Promise<LanguageModelV3> {
  const { provider, wire, model, baseUrl, apiKey } = target
  const fetch = withAdditions(withUsageFigures(outbound), target, profile)
  if (provider.needsKey && !apiKey && baseUrl === provider.baseUrl) {
    throw new AppError(
      'llm_authentication',
      `${provider.label} wants a key and none is set. Add it in Settings › Model.`,
    )
  }
  if (apiKey && !isHeaderText(apiKey)) {
    throw new AppError(
      'llm_authentication',
      'The key for the model has characters that no key has, such as line breaks or accents. Enter it again in Settings › Model.',
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
