import { createHash } from 'node:crypto'
import type { LanguageModelV3FilePart, LanguageModelV3Message } from '@ai-sdk/provider'
import { THINK_TAG } from '../answer/think-tags.ts'
import type { ModelMessage, UserPart } from '../completion.ts'
import { argumentsOf } from './arguments.ts'
import { type MessageTarget, OncePerMessage } from './once-per-message.ts'
import { type PartOrder, parsePartOrder } from './part-order.ts'

type Assistant = Extract<ModelMessage, { role: 'assistant' }>
type ToolAnswer = Extract<ModelMessage, { role: 'tool' }>
type AssistantPart = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]
type ToolPart = Extract<LanguageModelV3Message, { role: 'tool' }>['content'][number]
type ToolOutput = Extract<ToolPart, { type: 'tool-result' }>['output']

export function toUser({ content: parts }: Extract<ModelMessage, { role: 'user' }>, target: MessageTarget) {
  const content = joinTexts(parts, target).flatMap(part => {
    if (part.type === 'image') return [toImage(part.url, target)]
    return part.text.trim() ? [{ type: 'text' as const, text: part.text }] : []
  })
  const written = content.length > 0 ? content : [{ type: 'text' as const, text: '(empty message)' }]
  return { role: 'user' as const, content: written }
}

/** Text alone goes out as one string: many servers of this wire take no lists. */
function joinTexts(parts: UserPart[], { wire }: MessageTarget): UserPart[] {
  const texts = parts.flatMap(part => (part.type === 'text' ? [part.text] : []))
  return wire === 'openai' && texts.length === parts.length ? [{ type: 'text', text: texts.join('\n\n') }] : parts
}

function toImage(url: string, target: MessageTarget): LanguageModelV3FilePart | { type: 'text'; text: string } {
  const data = imageData(url)
  if (data) return { type: 'file', ...data }
  const remote = /^https?:/.test(url) && URL.canParse(url)
  if (remote && target.wire !== 'google') return { type: 'file', mediaType: 'image/*', data: new URL(url) }
  return { type: 'text', text: remote ? `[Image at ${url}]` : '[Image in a form that cannot be shown]' }
}

function imageData(url: string): { mediaType: string; data: string } | undefined {
  const match = /^data:(image\/[\w.+-]+);base64,(.+)$/s.exec(url)
  return match?.[1] && match[2] ? { mediaType: match[1], data: match[2] } : undefined
}

/** null for a message of which nothing is left. */
export function toAssistant(message: Assistant, target: MessageTarget): LanguageModelV3Message | null {
  const found = parsePartOrder(message.providerMetadata)
  const layout = found?.provider === target.provider.id ? found : undefined
  const content = layout ? fromPartOrder(message, layout, target) : fromUnordered(message, target, found !== undefined)
  if (content.length === 0) return null
  return { role: 'assistant', content, ...(layout?.message && { providerOptions: layout.message }) }
}

function fromUnordered(message: Assistant, target: MessageTarget, foreign: boolean): AssistantPart[] {
  const calls = message.toolCalls.map(call => toCall(call, target))
  const text = message.text.trim() ? [{ type: 'text' as const, text: message.text }] : []
  return [...plainReasoning(message, target, foreign), ...text, ...calls]
}

function plainReasoning({ reasoning }: Assistant, target: MessageTarget, foreign: boolean): AssistantPart[] {
  if (target.wire === 'openai') {
    if (!target.takesReasoning) return []
    return reasoning.map(({ text }) => ({ type: 'reasoning', text }))
  }
  if (target.wire !== 'anthropic' || foreign) return []
  return reasoning.flatMap(({ text, signature }): AssistantPart[] =>
    signature ? [{ type: 'reasoning', text, providerOptions: { anthropic: { signature } } }] : [],
  )
}

function fromPartOrder(message: Assistant, layout: PartOrder, target: MessageTarget): AssistantPart[] {
  const parts: AssistantPart[] = []
  const calls = new Map(message.toolCalls.map(call => [call.id, call]))
  const reasoningFits = target.wire !== 'openai' || target.takesReasoning
  let rest = message.text
  for (const part of layout.parts) {
    const providerOptions = part.options && { providerOptions: part.options }
    if (part.type === 'reasoning') {
      if (part.options?.atelier?.tag === THINK_TAG.atelier.tag) {
        if (target.wire === 'openai') parts.push({ type: 'text', text: `<think>${part.text}</think>` })
      } else if (reasoningFits) parts.push({ type: 'reasoning', text: part.text, ...providerOptions })
    } else if (part.type === 'text') {
      const text = rest.slice(0, part.length)
      rest = rest.slice(part.length)
      if (text.trim()) parts.push({ type: 'text', text, ...providerOptions })
    } else {
      const call = calls.get(part.id)
      calls.delete(part.id)
      if (call) parts.push({ ...toCall(call, target), ...providerOptions })
    }
  }
  if (rest.trim()) parts.push({ type: 'text', text: rest })
  return [...parts, ...[...calls.values()].map(call => toCall(call, target))]
}

function toCall(call: Assistant['toolCalls'][number], target: MessageTarget): AssistantPart & { type: 'tool-call' } {
  const input = argumentsOf(call.arguments)
  return { type: 'tool-call', toolCallId: acceptableId(call.id, target), toolName: call.name, input }
}

const toolParts = new OncePerMessage((result: ToolAnswer, target: MessageTarget): ToolPart => {
  const { toolName } = result
  return {
    type: 'tool-result',
    toolCallId: acceptableId(result.toolCallId, target),
    toolName,
    output: toOutput(result, target),
  }
})

/** Results of one answer's calls belong into one message; images that a wire cannot carry in it follow as a user's. */
export function toToolMessages(results: ToolAnswer[], target: MessageTarget): LanguageModelV3Message[] {
  const content = results.map(result => toolParts.of(result, target))
  const images = target.wire === 'openai' ? results.flatMap(result => result.imageUrls) : []
  if (images.length === 0) return [{ role: 'tool', content }]
  const note = { type: 'text' as const, text: 'Images from the tool results above:' }
  return [
    { role: 'tool', content },
    { role: 'user', content: [note, ...images.map(url => toImage(url, target))] },
  ]
}

function toOutput(result: ToolAnswer, target: MessageTarget): ToolOutput {
  const images = target.wire === 'openai' ? [] : result.imageUrls.flatMap(url => imageData(url) ?? [])
  if (images.length === 0) return { type: result.isError ? 'error-text' : 'text', value: result.text }
  const text = result.text.trim() ? [{ type: 'text' as const, text: result.text }] : []
  return { type: 'content', value: [...text, ...images.map(image => ({ type: 'image-data' as const, ...image }))] }
}

/**
 * A conversation may have been begun with another provider, whose ids this one refuses.
 * https://docs.mistral.ai/capabilities/function_calling: nine letters or digits
 */
function acceptableId(id: string, { wire, provider }: MessageTarget): string {
  const hashed = () => createHash('sha256').update(id).digest('hex')
  if (provider.id === 'mistral') return /^[a-zA-Z0-9]{9}$/.test(id) ? id : hashed().slice(0, 9)
  if (id.length > MAX_ID_LENGTH) return hashed().slice(0, 32)
  return wire === 'anthropic' ? id.replace(/[^a-zA-Z0-9_-]/g, '_') : id
}

/** OpenAI and Anthropic take no more. */
const MAX_ID_LENGTH = 64
