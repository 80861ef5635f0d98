import type { Action } from '../../api/event/actions.ts'
import type { Event, EventOf } from '../../api/event/events.ts'
import type { LegacyAction, ToolCallMetadata } from '../../api/legacy/events.ts'
import { textOf } from '../../event/model-messages.ts'
import { type BrowserAction, browserWords } from './browser.ts'

const RISKS: Record<EventOf<'ActionEvent'>['security_risk'], number> = { UNKNOWN: -1, LOW: 0, MEDIUM: 1, HIGH: 2 }

type Words = Pick<LegacyAction, 'action' | 'args' | 'message'> & { timeout?: number }

/** Whether a person allowed a call, or was not asked. */
export type ConfirmationState = 'confirmed' | 'rejected' | 'awaiting_confirmation'

/** The legacy action of an event; undefined for one that is an observation there. */
export function toLegacyAction(event: Event, confirmation: ConfirmationState): LegacyAction | undefined {
  const source = event.source === 'hook' ? 'environment' : event.source
  const base = { id: event.seq, timestamp: event.timestamp, source }
  switch (event.kind) {
    case 'SystemPromptEvent':
      return { ...base, ...systemWords(event) }
    case 'MessageEvent':
      return { ...base, ...messageWords(event) }
    case 'ActionEvent':
      return { ...base, ...callWords(event, confirmation), tool_call_metadata: callMetadata(event) }
    case 'PauseEvent':
      return { ...base, ...stateWords('paused') }
    case 'InterruptEvent':
      return { ...base, ...stateWords('stopped') }
    default:
      return undefined
  }
}

function systemWords(event: EventOf<'SystemPromptEvent'>): Words {
  const content = [event.system_prompt.text, event.dynamic_context?.text].filter(Boolean).join('\n\n')
  const args = { content, tools: event.tools, openhands_version: null, agent_class: 'CodeActAgent' }
  return { action: 'system', args, message: content }
}

function messageWords({ llm_message, source }: EventOf<'MessageEvent'>): Words {
  const content = textOf(llm_message.content)
  const images = llm_message.content.flatMap(part => (part.type === 'image' ? part.image_urls : []))
  const args = {
    content,
    file_urls: null,
    image_urls: images.length > 0 ? images : null,
    wait_for_response: source === 'agent',
    security_risk: -1,
  }
  return { action: 'message', args, message: content }
}

function stateWords(agent_state: string): Words {
  return { action: 'change_agent_state', args: { agent_state, thought: '' }, message: '' }
}

function callWords(event: EventOf<'ActionEvent'>, confirmation_state: ConfirmationState): Words {
  if (!event.action) return { action: 'null', args: {}, message: 'The call could not be understood.' }
  const common = { thought: textOf(event.thought), security_risk: RISKS[event.security_risk], confirmation_state }
  return actionWords(event.action, event.tool_call, common)
}

interface Common {
  thought: string
  security_risk: number
  confirmation_state: ConfirmationState
}

/** Kinds that the legacy vocabulary lacks are shown as calls of a tool by its name. */
function actionWords(action: Action, call: { name: string }, common: Common): Words {
  switch (action.kind) {
    case 'TerminalAction': {
      const { command, is_input, timeout } = action
      const fixed = { blocking: false, is_static: false, cwd: null, hidden: false }
      const args = { command, is_input, ...fixed, ...common }
      return { action: 'run', args, message: `Running command: ${command}`, ...(timeout !== undefined && { timeout }) }
    }
    case 'FileEditorAction':
      return editorWords(action, common)
    case 'ThinkAction':
      return { action: 'think', args: { thought: action.thought }, message: `I am thinking: ${action.thought}` }
    case 'ClientToolAction':
    case 'MCPToolAction': {
      const args = { name: call.name, arguments: action.data, ...common }
      return { action: 'call_tool_mcp', args, message: `Calling the tool ${call.name}.` }
    }
    case 'TaskTrackerAction': {
      const args = { command: action.command, task_list: action.task_list, ...common }
      return { action: 'task_tracking', args, message: `Managing ${action.task_list.length} tasks` }
    }
    case 'FinishAction': {
      const args = { final_thought: action.message, outputs: {}, thought: common.thought }
      return { action: 'finish', args, message: action.message }
    }
    default: {
      if (isBrowserAction(action)) return browserWords(action, common)
      const { kind: _, ...parameters } = action
      const args = { name: call.name, arguments: parameters, ...common }
      return { action: 'call_tool_mcp', args, message: `Calling the tool ${call.name}.` }
    }
  }
}

function isBrowserAction(action: Action): action is BrowserAction {
  return action.kind.startsWith('Browser')
}

function editorWords(action: Extract<Action, { kind: 'FileEditorAction' }>, common: Common): Words {
  const { path, command } = action
  const range = { start: command === 'view' ? 0 : 1, end: -1, impl_source: 'oh_aci' }
  if (command === 'view') {
    const args = { path, ...range, view_range: action.view_range ?? null, ...common }
    return { action: 'read', args, message: `Reading file: ${path}` }
  }
  const args = {
    path,
    command,
    file_text: action.file_text ?? null,
    old_str: action.old_str ?? null,
    new_str: action.new_str ?? null,
    insert_line: action.insert_line ?? null,
    content: '',
    ...range,
    ...common,
  }
  return { action: 'edit', args, message: `Editing file: ${path}` }
}

/** The call as the model wrote it, so that a trajectory can be replayed to the letter. */
export function callMetadata(event: EventOf<'ActionEvent'>): ToolCallMetadata {
  const { name, arguments: text } = event.tool_call
  const call = { id: event.tool_call_id, type: 'function', function: { name, arguments: text } }
  const message = { role: 'assistant', content: textOf(event.thought), tool_calls: [call] }
  return {
    function_name: name,
    tool_call_id: event.tool_call_id,
    model_response: { id: event.llm_response_id, choices: [{ index: 0, message }] },
    total_calls_in_response: 1,
  }
}
