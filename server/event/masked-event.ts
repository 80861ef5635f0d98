import type { Action } from '../api/event/actions.ts'
import type { Content, TextContent } from '../api/event/content.ts'
import type { NewEvent } from '../api/event/events.ts'
import { ANSWER_REVIEW_COMMENT } from '../api/event/review-comments.ts'
import { maskedValue } from '../secret/mask/value.ts'

type MaskText = (text: string) => string

/**
 * Hides secret values in what the agent and its surroundings say before it is kept: messages, thoughts, summaries,
 * errors, reports. Observations are masked by their tools already. What is to be carried out stays as it is, or it
 * would do something else; and so does what the user wrote.
 */
export function maskEvent(event: NewEvent, hide: MaskText): NewEvent {
  switch (event.kind) {
    case 'MessageEvent':
      return event.source === 'user'
        ? { ...event, extended_content: texts(event.extended_content, hide) }
        : maskedMessage(event, hide)
    case 'ActionEvent':
      return maskedAction(event, hide)
    case 'ObservationEvent':
      return event.extended_content ? { ...event, extended_content: texts(event.extended_content, hide) } : event
    case 'UserRejectObservation':
      return { ...event, rejection_reason: hide(event.rejection_reason) }
    case 'AgentErrorEvent':
      return { ...event, error: hide(event.error) }
    case 'ConversationErrorEvent':
      return { ...event, detail: hide(event.detail) }
    case 'ConversationStateUpdateEvent':
      return TEXT_KEYS.has(event.key) ? { ...event, value: maskedValue(event.value, hide) } : event
    case 'SystemPromptEvent':
      return {
        ...event,
        system_prompt: { ...event.system_prompt, text: hide(event.system_prompt.text) },
        tools: maskedValue(event.tools, hide),
        ...(event.dynamic_context && {
          dynamic_context: { ...event.dynamic_context, text: hide(event.dynamic_context.text) },
        }),
      }
    case 'Condensation':
      return { ...event, ...(event.summary !== undefined && { summary: hide(event.summary) }) }
    case 'HookExecutionEvent':
      return {
        ...event,
        ...hidden(event, ['hook_command', 'stdout', 'stderr', 'reason', 'additional_context', 'error'], hide),
      }
    default:
      return event
  }
}

/** Keys of states that hold what a model, a server or a person has said. */
const TEXT_KEYS: ReadonlySet<string> = new Set(['title', 'llm_retry', 'llm_fallback'])

type NewOf<K extends NewEvent['kind']> = Extract<NewEvent, { kind: K }>

function maskedMessage(event: NewOf<'MessageEvent'>, hide: MaskText): NewEvent {
  const { llm_message, extended_content } = event
  const content = llm_message.content.map(part => hiddenContent(part, hide))
  return { ...event, llm_message: { ...llm_message, content }, extended_content: texts(extended_content, hide) }
}

function maskedAction(event: NewOf<'ActionEvent'>, hide: MaskText): NewEvent {
  const { action, tool_call } = event
  const said = action && maskTextAction({ action, tool_name: event.tool_name }, hide)
  return {
    ...event,
    ...hidden(event, ['reasoning_content', 'summary'], hide),
    thought: texts(event.thought, hide),
    ...(event.risk_reasons && { risk_reasons: event.risk_reasons.map(hide) }),
    ...(said && { action: said, tool_call: { ...tool_call, arguments: hide(tool_call.arguments) } }),
  }
}

/** Actions that only say something; undefined for those that do something in the sandbox. */
function maskTextAction(
  { action, tool_name }: { action: Action; tool_name: string },
  hide: MaskText,
): Action | undefined {
  switch (action.kind) {
    case 'MCPToolAction':
      return tool_name === ANSWER_REVIEW_COMMENT ? { ...action, data: maskedValue(action.data, hide) } : undefined
    case 'ThinkAction':
      return { ...action, thought: hide(action.thought) }
    case 'FinishAction':
      return { ...action, message: hide(action.message) }
    case 'TaskTrackerAction': {
      const task_list = action.task_list.map(task => ({ ...task, title: hide(task.title), notes: hide(task.notes) }))
      return { ...action, task_list }
    }
    default:
      return undefined
  }
}

function hidden<K extends string>(from: Partial<Record<K, string | undefined>>, names: readonly K[], hide: MaskText) {
  const masked: Partial<Record<K, string>> = {}
  for (const name of names) {
    const text = from[name]
    if (text !== undefined) masked[name] = hide(text)
  }
  return masked
}

function texts(parts: readonly TextContent[], hide: MaskText): TextContent[] {
  return parts.map(part => ({ ...part, text: hide(part.text) }))
}

function hiddenContent(part: Content, hide: MaskText): Content {
  return part.type === 'text' ? { ...part, text: hide(part.text) } : part
}
