import { createHash } from 'node:crypto'
import type { LanguageModelV3FilePart, LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { ModelMessage, UserPart } from './completion.ts'
import { type Layout, parseLayout } from './layout.ts'
import type { Provider } from './provider.ts'

type Assistant = Extract<ModelMessage, { role: 'assistant' }>
type ToolAnswer = Extract<ModelMessage, { role: 'tool' }>
type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]
type ToolPart = Extract<LanguageModelV3Message, { role: 'tool' }>['content'][number]
type ToolOutput = Extract<ToolPart, { type: 'tool-result' }>['output']

const CACHE_MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } }

/** The conversation in the SDK's words, with what the provider's rules need. */
export function toPrompt(system: string, messages: ModelMessage[], provider: Provider): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [{ role: 'system', content: system, providerOptions: CACHE_MARK }]
  let results: ToolAnswer[] = []
  const flush = () => {
    if (results.length > 0) prompt.push(...toToolMessages(results, provider))
    results = []
  }
  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(message)
      continue
    }
    flush()
    if (message.role === 'user') prompt.push({ role: 'user', content: toUserContent(message.content, provider) })
    else {
      const content = toAssistantContent(message, provider)
      if (content.length > 0) prompt.push({ role: 'assistant', content })
    }
  }
  flush()
  // Newer models refuse to go on from words of their own.
  const last = prompt.at(-1)?.role
  if (last !== 'user' && last !== 'tool') prompt.push({ role: 'user', content: [{ type: 'text', text: 'Go on.' }] })
  return markLast(prompt)
}

/** Anthropic caches everything up to a mark; other providers ignore it. */
function markLast(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const last = prompt.findLastIndex(message => message.role === 'user' || message.role === 'tool')
  return prompt.map((message, index) => (index === last ? { ...message, providerOptions: CACHE_MARK } : message))
}

function toUserContent(parts: UserPart[], provider: Provider) {
  const content = parts.flatMap(part => {
    if (part.type === 'image') return [toImage(part.url, provider)]
    return part.text.trim() ? [{ type: 'text' as const, text: part.text }] : []
  })
  return content.length > 0 ? content : [{ type: 'text' as const, text: '(empty message)' }]
}

function toImage(url: string, provider: Provider): LanguageModelV3FilePart | { type: 'text'; text: string } {
  const data = imageData(url)
  if (data) return { type: 'file', ...data }
  const remote = /^https?:/.test(url) && URL.canParse(url)
  if (remote && provider.wire !== 'google') return { type: 'file', mediaType: 'image/*', data: new URL(url) }
  return { type: 'text', text: remote ? `[Image at ${url}]` : '[Image in a form that cannot be shown]' }
}

function imageData(url: string): { mediaType: string; data: string } | undefined {
  const match = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(url)
  return match?.[1] && match[2] ? { mediaType: match[1], data: match[2] } : undefined
}

function toAssistantContent(message: Assistant, provider: Provider): AssistantPart[] {
  const layout = parseLayout(message.providerMetadata)
  if (layout?.provider === provider.id) return fromLayout(message, layout, provider)
  const calls = message.toolCalls.map(call => toCall(call, provider))
  const text = message.text.trim() ? [{ type: 'text' as const, text: message.text }] : []
  return [...plainReasoning(message, provider, layout !== undefined), ...text, ...calls]
}

function plainReasoning({ reasoning }: Assistant, provider: Provider, foreign: boolean): AssistantPart[] {
  if (provider.wire === 'openai') {
    if (!provider.takesReasoning) return []
    return reasoning.map(({ text }) => ({ type: 'reasoning', text }))
  }
  if (provider.wire !== 'anthropic' || foreign) return []
  return reasoning.flatMap(({ text, signature }): AssistantPart[] =>
    signature ? [{ type: 'reasoning', text, providerOptions: { anthropic: { signature } } }] : [],
  )
}

function fromLayout(message: Assistant, layout: Layout, provider: Provider): AssistantPart[] {
  const parts: AssistantPart[] = []
  const calls = new Map(message.toolCalls.map(call => [call.id, call]))
  const reasoningFits = provider.wire !== 'openai' || provider.takesReasoning
  let rest = message.text
  for (const part of layout.parts) {
    const providerOptions = part.options && { providerOptions: part.options }
    if (part.type === 'reasoning') {
      if (reasoningFits) parts.push({ type: 'reasoning', text: part.text, ...providerOptions })
    } else if (part.type === 'text') {
      const text = rest.slice(0, part.length)
      rest = rest.slice(part.length)
      if (text.trim()) parts.push({ type: 'text', text, ...providerOptions })
    } else {
      const call = calls.get(part.id)
      calls.delete(part.id)
      if (call) parts.push({ ...toCall(call, provider), ...providerOptions })
    }
  }
  if (rest.trim()) parts.push({ type: 'text', text: rest })
  return [...parts, ...[...calls.values()].map(call => toCall(call, provider))]
}

function toCall(call: Assistant['toolCalls'][number], provider: Provider): AssistantPart & { type: 'tool-call' } {
  const input = objectOf(call.arguments)
  return { type: 'tool-call', toolCallId: acceptableId(call.id, provider), toolName: call.name, input }
}

/** Providers want an object in the history, even where the model wrote something else. */
function objectOf(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  } catch {
    return {}
  }
}

/** Results of one answer's calls belong into one message; images that a wire cannot carry in it follow as a user's. */
function toToolMessages(results: ToolAnswer[], provider: Provider): LanguageModelV3Message[] {
  const content = results.map(
    (result): ToolPart => ({
      type: 'tool-result',
      toolCallId: acceptableId(result.toolCallId, provider),
      toolName: result.toolName,
      output: toOutput(result, provider),
    }),
  )
  const images = provider.wire === 'openai' ? results.flatMap(result => result.imageUrls) : []
  if (images.length === 0) return [{ role: 'tool', content }]
  const note = { type: 'text' as const, text: 'Images from the tool results above:' }
  return [
    { role: 'tool', content },
    { role: 'user', content: [note, ...images.map(url => toImage(url, provider))] },
  ]
}

function toOutput(result: ToolAnswer, provider: Provider): ToolOutput {
  const images = provider.wire === 'openai' ? [] : result.imageUrls.flatMap(url => imageData(url) ?? [])
  if (images.length === 0) return { type: result.isError ? 'error-text' : 'text', value: result.text }
  const text = result.text.trim() ? [{ type: 'text' as const, text: result.text }] : []
  return { type: 'content', value: [...text, ...images.map(image => ({ type: 'image-data' as const, ...image }))] }
}

/**
 * A conversation may have been begun with another provider, whose ids this one refuses.
 * https://docs.mistral.ai/capabilities/function_calling: nine letters or digits
 */
function acceptableId(id: string, provider: Provider): string {
  if (provider.wire === 'anthropic') return id.replace(/[^a-zA-Z0-9_-]/g, '_')
  if (provider.id !== 'mistral' || /^[a-zA-Z0-9]{9}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
}
