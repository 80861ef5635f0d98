import type { CompletionRequest, ModelMessage, UserPart } from '../completion.ts'
import { withPromptTools } from '../prompt/tools.ts'
import type { RequestProfile } from '../request-profile.ts'

/** The request as a model can take it, without what it lacks. */
export function applyProfile(request: CompletionRequest, { without }: RequestProfile): CompletionRequest {
  let reduced = request
  if (without.has('images')) reduced = { ...reduced, messages: reduced.messages.map(withoutImages) }
  if (without.has('signatures')) reduced = { ...reduced, messages: reduced.messages.map(withoutSignatures) }
  return without.has('tools') ? withPromptTools(reduced) : reduced
}

const NOTE = '[An image was left out here: it cannot be shown to this model.]'

function withoutImages(message: ModelMessage): ModelMessage {
  if (message.role === 'user') {
    const content = message.content.map(
      (part): UserPart => (part.type === 'image' ? { type: 'text', text: NOTE } : part),
    )
    return { role: 'user', content }
  }
  if (message.role === 'assistant' || message.imageUrls.length === 0) return message
  const notes = message.imageUrls.map(() => NOTE)
  return { ...message, imageUrls: [], text: [message.text, ...notes].filter(Boolean).join('\n') }
}

function withoutSignatures(message: ModelMessage): ModelMessage {
  if (message.role !== 'assistant') return message
  const { role, text, toolCalls } = message
  return { role, text, toolCalls, reasoning: [] }
}
