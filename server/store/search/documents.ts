import type { Action } from '../../api/event/actions.ts'
import type { Content } from '../../api/event/content.ts'
import type { Event, EventOf } from '../../api/event/events.ts'
import type { Observation } from '../../api/event/observations.ts'
import type { SearchKind } from '../../api/search-kinds.ts'
import { BOUNDS } from '../../domain/bounds.ts'
import { clipMiddle } from '../../text/clip.ts'

/** A part of an event that is found by itself; an event has at most one of a kind. */
export interface Document {
  kind: Exclude<SearchKind, 'title'>
  text: string
}

/** @param body as it is stored @returns nothing for what cannot be read, which is no reason to index nothing else */
export function documentsIn(body: string): Document[] {
  try {
    // The log checked it before it was stored. Where it was damaged since, what is missing throws, or is no text.
    return documentsOf(JSON.parse(body) as Event).filter(({ text }) => typeof text === 'string' && text !== '')
  } catch {
    return []
  }
}

/** What of an event is found. */
export function documentsOf(event: Event): Document[] {
  switch (event.kind) {
    case 'MessageEvent':
      return [long('message', textIn(event.llm_message.content))]
    case 'ActionEvent':
      return [
        long('message', proseOf(event)),
        short('thought', event.reasoning_content ?? event.thinking_blocks.map(block => block.thinking).join('\n')),
        ...(event.action ? documentsOfAction(event.action, event) : []),
      ]
    case 'ObservationEvent':
      return outputOf(event.observation)
    case 'UserRejectObservation':
      return [short('output', event.rejection_reason)]
    case 'AgentErrorEvent':
      return [short('output', event.error)]
    case 'ConversationErrorEvent':
      return [short('output', event.detail)]
    case 'HookExecutionEvent':
      return [short('output', lines(event.hook_command, event.reason, event.error, event.stdout, event.stderr))]
    case 'Condensation':
    case 'CondensationRequest':
    case 'ConversationStateUpdateEvent':
    case 'InterruptEvent':
    case 'PauseEvent':
    case 'SystemPromptEvent':
      return []
  }
}

/** What the agent says to a person with a call; its last message is the call itself. */
function proseOf({ thought, action }: EventOf<'ActionEvent'>): string {
  const said = thought.map(({ text }) => text).join('\n')
  return lines(said, action?.kind === 'FinishAction' ? action.message : undefined)
}

function documentsOfAction(action: Action, { summary, tool_name }: EventOf<'ActionEvent'>): Document[] {
  switch (action.kind) {
    case 'TerminalAction':
      return [long('command', lines(action.command, summary))]
    case 'FileEditorAction':
      if (action.command === 'view') return [long('file', action.path)]
      return [long('change', lines(action.path, action.new_str, action.file_text, action.old_str))]
    case 'ApplyPatchAction':
      return [long('change', action.patch)]
    case 'GrepAction':
    case 'GlobAction':
      return [long('command', lines(action.pattern, action.path, summary))]
    case 'TaskTrackerAction':
      return [long('command', lines(...action.task_list.flatMap(({ title, notes }) => [title, notes])))]
    case 'TaskAction':
      return [long('command', lines(action.description, action.prompt))]
    case 'InvokeSkillAction':
      return [long('command', action.name)]
    case 'ThinkAction':
      return [short('thought', action.thought)]
    case 'FinishAction':
      return []
    case 'MCPToolAction':
    case 'ClientToolAction':
      return [long('command', lines(tool_name, summary, JSON.stringify(action.data)))]
    default:
      return [long('command', lines(tool_name, summary, 'url' in action ? action.url : undefined))]
  }
}

/** What only says that the action was done is left out. */
function outputOf(observation: Observation): Document[] {
  switch (observation.kind) {
    case 'FinishObservation':
    case 'ThinkObservation':
    case 'TaskTrackerObservation':
      return []
    default:
      return [short('output', textIn(observation.content))]
  }
}

function textIn(content: readonly Content[]): string {
  return content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function lines(...parts: (string | undefined)[]): string {
  return parts.filter(part => part).join('\n')
}

function long(kind: Document['kind'], text: string): Document {
  return { kind, text: clipMiddle(text, BOUNDS.searchedText.limit, () => CUT) }
}

function short(kind: Document['kind'], text: string): Document {
  return { kind, text: clipMiddle(text, BOUNDS.searchedOutput.limit, () => CUT) }
}

const CUT = '\n…\n'
