import { isResult, type Result } from '../../api/event/calls.ts'
import type { Content } from '../../api/event/content.ts'
import type { Event } from '../../api/event/events.ts'
import type { TokenUsage } from '../../api/event/metrics.ts'
import { type ViewItem, viewOf } from '../../event/condensed.ts'
import { textOf } from '../../event/model-messages.ts'
import { modelContent } from '../../event/model-text.ts'

/** What an item is for the model, roughly: estimates only choose what to forget, the model's own counts say when. */
export function estimateTokens(items: readonly ViewItem[]): number {
  return items.reduce((sum, item) => sum + estimateItem(item), 0)
}

function estimateText(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

export const CHARACTERS_PER_TOKEN = 3.5
const TOKENS_PER_IMAGE = 1_500
/** Names, ids and separators of one item. */
const FRAME_TOKENS = 12

/**
 * Tokens of the next request: what the model counted for its last answer and what has come since. Without a count of an
 * answer that is still seen (a server that does not count, a condensation or a way back since) all of it is estimated.
 */
export function nextPromptTokens(branch: readonly Event[], usage: TokenUsage | null): number {
  const counted = usage ? usage.prompt_tokens + usage.completion_tokens : 0
  const answer = usage ? branch.findLastIndex(event => responseId(event) === usage.response_id) : -1
  const condensed = branch.findLastIndex(event => event.kind === 'Condensation')
  if (counted === 0 || answer === -1 || answer < condensed) {
    return estimateTokens(viewOf(branch)) + estimatePrompt(branch)
  }
  return counted + estimateTokens(branch.slice(answer + 1).filter(isVisibleEvent))
}

function estimateItem(item: ViewItem): number {
  switch (item.kind) {
    case 'SystemPromptEvent':
      return 0
    case 'CondensationSummaryEvent':
      return FRAME_TOKENS + estimateText(item.text)
    case 'MessageEvent':
      return FRAME_TOKENS + estimateContent(item.llm_message.content) + estimateContent(item.extended_content)
    case 'ActionEvent': {
      const thinking = item.thinking_blocks.map(block => block.thinking).join('') || (item.reasoning_content ?? '')
      return FRAME_TOKENS + estimateText(textOf(item.thought) + thinking + item.tool_call.arguments)
    }
    default:
      return FRAME_TOKENS + estimateContent(contentOf(item))
  }
}

/** What the model reads of a result. */
export function contentOf(result: Result): Content[] {
  switch (result.kind) {
    case 'ObservationEvent':
      return result.extended_content
        ? [...modelContent(result.observation), ...result.extended_content]
        : modelContent(result.observation)
    case 'UserRejectObservation':
      return [{ type: 'text', text: result.rejection_reason }]
    case 'AgentErrorEvent':
      return [{ type: 'text', text: result.error }]
  }
}

function estimateContent(content: readonly Content[]): number {
  const images = content.reduce((sum, part) => sum + (part.type === 'image' ? part.image_urls.length : 0), 0)
  return estimateText(textOf(content)) + images * TOKENS_PER_IMAGE
}

/** The system prompt and the tools, which are sent along. */
function estimatePrompt(branch: readonly Event[]): number {
  const prompt = branch.find(event => event.kind === 'SystemPromptEvent')
  if (!prompt) return 0
  const text = prompt.system_prompt.text + (prompt.dynamic_context?.text ?? '')
  return estimateText(text + JSON.stringify(prompt.tools))
}

function isVisibleEvent(event: Event): event is Extract<ViewItem, Event> {
  return event.kind === 'MessageEvent' || isResult(event)
}

function responseId(event: Event): string | undefined {
  return event.kind === 'ActionEvent' || event.kind === 'MessageEvent' ? event.llm_response_id : undefined
}
