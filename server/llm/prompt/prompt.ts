import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { CompletionRequest, ModelMessage } from '../completion.ts'
import type { ModelTarget } from '../provider.ts'
import type { RequestProfile } from '../request-profile.ts'
import { toAssistant, toToolMessages, toUser } from './messages.ts'
import { OncePerMessage } from './once-per-message.ts'

type ToolAnswer = Extract<ModelMessage, { role: 'tool' }>

/** Claude caches everything up to a mark, also behind OpenRouter and LiteLLM; whoever knows no marks ignores them. */
const CACHE_MARK = {
  anthropic: { cacheControl: { type: 'ephemeral' } },
  openaiCompatible: { cache_control: { type: 'ephemeral' } },
}

/** A conversation sends all its messages again with each step, and a long one waits for that. */
const once = { user: new OncePerMessage(toUser), assistant: new OncePerMessage(toAssistant) }

type PromptRequest = Pick<CompletionRequest, 'system' | 'dynamicSystem' | 'messages'>

/** The conversation in the SDK's words, with what the provider's rules need. */
export function toPrompt(asked: PromptRequest, target: ModelTarget, profile: RequestProfile): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = []
  let results: ToolAnswer[] = []
  const flush = () => {
    if (results.length > 0) prompt.push(...toToolMessages(results, target))
    results = []
  }
  for (const message of asked.messages) {
    if (message.role === 'tool') {
      results.push(message)
      continue
    }
    flush()
    if (message.role === 'user') prompt.push(once.user.of(message, target))
    else {
      const assistant = once.assistant.of(message, target)
      if (assistant) prompt.push(assistant)
    }
  }
  flush()
  // Newer models refuse to go on from words of their own.
  const last = prompt.at(-1)?.role
  if (last !== 'user' && last !== 'tool') prompt.push({ role: 'user', content: [{ type: 'text', text: 'Go on.' }] })
  const marked = !profile.without.has('cache') && supportsCacheMarks(target)
  return [...toSystem(asked, target, marked), ...(marked ? markCacheableTurns(prompt) : prompt)]
}

function supportsCacheMarks({ wire, provider, model }: ModelTarget): boolean {
  if (wire === 'anthropic') return true
  return ['openrouter', 'litellm_proxy'].includes(provider.id) && /claude|gemini/.test(model)
}

/** What changes stands in a block of its own where the part before it can be cached, and in the same text elsewhere. */
function toSystem(
  { system, dynamicSystem }: PromptRequest,
  target: ModelTarget,
  marked: boolean,
): LanguageModelV3Prompt {
  const mark = marked && { providerOptions: CACHE_MARK }
  if (!dynamicSystem) return [{ role: 'system', content: system, ...mark }]
  if (target.wire === 'anthropic') {
    return [
      { role: 'system', content: system, ...mark },
      { role: 'system', content: dynamicSystem },
    ]
  }
  return [{ role: 'system', content: `${system}\n\n${dynamicSystem}`, ...mark }]
}

/**
 * The last turn is marked to be written, and the one before it to be found: a cache is looked for in the 20 blocks
 * before a mark only, which many parallel calls exceed.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
function markCacheableTurns(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const assistant = prompt.findLastIndex(message => message.role === 'assistant')
  const marked = [prompt.length - 1, assistant - 1]
  return prompt.map((message, index) => (marked.includes(index) ? withMark(message) : message))
}

function withMark(message: LanguageModelV3Message): LanguageModelV3Message {
  const last = message.content.length - 1
  const mark = <T>(part: T, index: number) => (index === last ? { ...part, providerOptions: CACHE_MARK } : part)
  if (message.role === 'user') return { ...message, content: message.content.map(mark) }
  return message.role === 'tool' ? { ...message, content: message.content.map(mark) } : message
}
