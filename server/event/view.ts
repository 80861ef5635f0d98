import type { Content } from '../api/content.ts'
import type { Event, EventOf } from '../api/events.ts'
import type { ModelMessage, UserPart } from '../llm/completion.ts'
import { modelContent } from '../tools/model-text.ts'

type Result = EventOf<'ObservationEvent'> | EventOf<'UserRejectObservation'> | EventOf<'AgentErrorEvent'>

/**
 * The log as the model sees it. Calls of one answer become one assistant message, each followed by its result in the
 * order of the calls; what people wrote meanwhile comes after the results, because providers refuse anything between.
 */
export function toMessages(events: readonly Event[]): ModelMessage[] {
  const results = resultsByCall(events)
  const messages: ModelMessage[] = []
  let batch: EventOf<'ActionEvent'>[] = []
  let waiting: ModelMessage[] = []
  const flush = () => {
    if (batch.length > 0) messages.push(toAssistant(batch), ...batch.map(call => toToolMessage(call, results)))
    messages.push(...waiting)
    batch = []
    waiting = []
  }
  for (const event of events) {
    if (event.kind === 'ActionEvent') {
      if (batch[0] && batch[0].llm_response_id !== event.llm_response_id) flush()
      batch.push(event)
    } else if (event.kind === 'MessageEvent') {
      const answered = batch.every(call => (results.get(call.id)?.seq ?? Number.POSITIVE_INFINITY) < event.seq)
      if (answered) flush()
      ;(answered ? messages : waiting).push(toMessage(event))
    }
  }
  flush()
  return messages
}

/** Calls that have no result yet, in order. */
export function openCalls(events: readonly Event[]): EventOf<'ActionEvent'>[] {
  const results = resultsByCall(events)
  return events.filter(
    (event): event is EventOf<'ActionEvent'> => event.kind === 'ActionEvent' && !results.has(event.id),
  )
}

/** Every result by the id of its action event; errors name only the call, so they answer the newest such call. */
function resultsByCall(events: readonly Event[]): Map<string, Result> {
  const results = new Map<string, Result>()
  const newestByCall = new Map<string, string>()
  for (const event of events) {
    if (event.kind === 'ActionEvent') newestByCall.set(event.tool_call_id, event.id)
    else if (event.kind === 'ObservationEvent' || event.kind === 'UserRejectObservation') {
      results.set(event.action_id, event)
    } else if (event.kind === 'AgentErrorEvent') {
      const actionId = newestByCall.get(event.tool_call_id)
      if (actionId) results.set(actionId, event)
    }
  }
  return results
}

function toAssistant(batch: EventOf<'ActionEvent'>[]): ModelMessage {
  const [first] = batch
  return {
    role: 'assistant',
    text: (first?.thought ?? []).map(part => part.text).join('\n'),
    reasoning: reasoningOf(first),
    toolCalls: batch.map(call => ({
      id: call.tool_call_id,
      name: call.tool_call.name,
      arguments: call.tool_call.arguments,
    })),
    ...(first?.provider_metadata && { providerMetadata: first.provider_metadata }),
  }
}

function reasoningOf(first: EventOf<'ActionEvent'> | undefined) {
  if (!first) return []
  if (first.thinking_blocks.length > 0) {
    return first.thinking_blocks.map(({ thinking, signature }) => ({ text: thinking, ...(signature && { signature }) }))
  }
  return first.reasoning_content ? [{ text: first.reasoning_content }] : []
}

function toToolMessage(call: EventOf<'ActionEvent'>, results: Map<string, Result>): ModelMessage {
  const result = results.get(call.id)
  const base = { role: 'tool' as const, toolCallId: call.tool_call_id, toolName: call.tool_name }
  if (!result) return { ...base, text: 'The call was not carried out.', imageUrls: [], isError: true }
  switch (result.kind) {
    case 'ObservationEvent':
      return {
        ...base,
        text: textOf(modelContent(result.observation)),
        imageUrls: imagesOf(result.observation.content),
        isError: result.observation.is_error,
      }
    case 'UserRejectObservation':
      return {
        ...base,
        text: `The user rejected this action: ${result.rejection_reason}`,
        imageUrls: [],
        isError: true,
      }
    case 'AgentErrorEvent':
      return { ...base, text: result.error, imageUrls: [], isError: true }
  }
}

function toMessage(event: EventOf<'MessageEvent'>): ModelMessage {
  const { role, content } = event.llm_message
  if (role === 'assistant') {
    return {
      role,
      text: textOf(content),
      reasoning: [],
      toolCalls: [],
      ...(event.provider_metadata && { providerMetadata: event.provider_metadata }),
    }
  }
  return { role: 'user', content: [...content, ...event.extended_content].flatMap(toUserParts) }
}

function toUserParts(part: Content): UserPart[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  return part.image_urls.map(url => ({ type: 'image', url }))
}

export function textOf(content: Content[]): string {
  return content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function imagesOf(content: Content[]): string[] {
  return content.flatMap(part => (part.type === 'image' ? part.image_urls : []))
}
