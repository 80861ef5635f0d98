import { type Action, action as anyAction } from '../../../api/event/actions.ts'
import { observation as anyObservation, type Observation } from '../../../api/event/observations.ts'
import { contentOf, metadataOf, textsOf } from '../content.ts'
import { taskListOf } from '../tasks.ts'
import { type Fields, fieldsOf, imagesIn, integerIn, textIn, withoutNulls } from '../values.ts'

/** Names of kinds in earlier versions. */
const RENAMED: Readonly<Record<string, string>> = {
  ExecuteBashAction: 'TerminalAction',
  ExecuteBashObservation: 'TerminalObservation',
  StrReplaceEditorAction: 'FileEditorAction',
  StrReplaceEditorObservation: 'FileEditorObservation',
  PlanningFileEditorAction: 'FileEditorAction',
  PlanningFileEditorObservation: 'FileEditorObservation',
}

/** An action; what has no kind here is a call of its tool with its fields. */
export function toAction(value: unknown): Action {
  const fields = withoutNulls(fieldsOf(value))
  const kind = RENAMED[textIn(fields, 'kind')] ?? textIn(fields, 'kind')
  const tasks = kind === 'TaskTrackerAction' ? { task_list: taskListOf(fields.task_list) } : {}
  const { data } = anyAction.safeParse({ ...fields, ...tasks, kind })
  if (data && !hasOwnFields(kind, fields)) return data
  const { kind: _, ...parameters } = fields
  return { kind: 'MCPToolAction', data: 'data' in parameters ? { ...fieldsOf(parameters.data) } : parameters }
}

/** A client's action has the fields of its tool, in a kind of its own. */
function hasOwnFields(kind: string, fields: Fields): boolean {
  return kind === 'MCPToolAction' && typeof fields.data !== 'object'
}

/** What came of an action; what has no kind here is read as text. */
export function toObservation(value: unknown, tool: string): Observation {
  const fields = withoutNulls(fieldsOf(value))
  const kind = RENAMED[textIn(fields, 'kind')] ?? textIn(fields, 'kind')
  const observed = { content: observedContent(fields), is_error: isError(fields) }
  const { data } = anyObservation.safeParse({ ...fields, ...observed, ...filled(kind, fields), kind })
  if (data) return data
  return { kind: 'MCPToolObservation', ...observed, tool_name: tool }
}

/** Fields that not every version has written. */
function filled(kind: string, fields: Fields): Fields {
  switch (kind) {
    case 'TerminalObservation': {
      const metadata = metadataOf(fieldsOf(fields.metadata))
      const exit_code = integerIn(fields, 'exit_code') ?? metadata.exit_code
      return { command: textIn(fields, 'command'), exit_code, timeout: fields.timeout === true, metadata }
    }
    case 'FileEditorObservation':
      return { path: textIn(fields, 'path'), prev_exist: fields.prev_exist !== false }
    case 'TaskTrackerObservation':
      return { task_list: taskListOf(fields.task_list), command: fields.command === 'view' ? 'view' : 'plan' }
    case 'MCPToolObservation':
      return { tool_name: textIn(fields, 'tool_name') }
    case 'BrowserObservation': {
      const [image] = imagesIn([fields.screenshot_data, `data:image/png;base64,${textIn(fields, 'screenshot_data')}`])
      return { screenshot_data: textIn(fields, 'screenshot_data') === '' ? undefined : image }
    }
    default:
      return {}
  }
}

/** Earlier versions have one text, and what went wrong beside it. */
function observedContent(fields: Fields) {
  const content = contentOf(fields.content)
  if (content.length > 0) return content
  const text = [textIn(fields, 'output', 'message'), textIn(fields, 'error')].filter(part => part !== '').join('\n')
  return textsOf(text)
}

function isError(fields: Fields): boolean {
  return fields.is_error === true || fields.error === true || textIn(fields, 'error') !== ''
}
