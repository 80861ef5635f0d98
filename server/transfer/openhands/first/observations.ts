import type { Action } from '../../../api/event/actions.ts'
import type { Content } from '../../../api/event/content.ts'
import type { Observation } from '../../../api/event/observations.ts'
import { metadataOf, textsOf } from '../content.ts'
import { taskListOf } from '../tasks.ts'
import { type Fields, fieldsOf, given, imagesIn, integerIn, optionalText, textIn } from '../values.ts'

/** What came of an action. A kind that does not answer the action's is read as text. */
export function toObservation(name: string, value: Fields, action: Action | null, tool: string): Observation {
  const extras = fieldsOf(value.extras)
  const observed = { content: textsOf(textIn(value, 'content')), is_error: value.success === false }
  switch (action?.kind) {
    case 'TerminalAction':
      if (name === 'run') return terminal(value, extras, action.command)
      break
    case 'FileEditorAction':
      return {
        kind: 'FileEditorObservation',
        ...observed,
        command: action.command,
        path: textIn(extras, 'path') || action.path,
        prev_exist: extras.prev_exist !== false,
        ...given('old_content', action.command === 'view' ? undefined : optionalText(extras, 'old_content')),
        ...given('new_content', action.command === 'view' ? undefined : optionalText(extras, 'new_content')),
      }
    case 'ThinkAction':
      return { kind: 'ThinkObservation', ...observed }
    case 'TaskTrackerAction':
      return {
        kind: 'TaskTrackerObservation',
        ...observed,
        command: action.command,
        task_list: taskListOf(extras.task_list),
      }
    case 'FinishAction':
      return { kind: 'FinishObservation', ...observed }
    case 'BrowserNavigateAction':
      return { kind: 'BrowserObservation', ...observed, is_error: extras.error === true, ...screenshot(extras) }
  }
  const [image] = imagesIn([extras.screenshot])
  const content: Content[] = image ? [...observed.content, { type: 'image', image_urls: [image] }] : observed.content
  return { kind: 'MCPToolObservation', ...observed, content, tool_name: tool }
}

function screenshot(extras: Fields) {
  return given('screenshot_data', imagesIn([extras.screenshot])[0])
}

/** Older ones say the exit status beside the metadata. */
function terminal(value: Fields, extras: Fields, command: string): Observation {
  const metadata = fieldsOf(extras.metadata)
  const exit_code = integerIn(metadata, 'exit_code') ?? integerIn(extras, 'exit_code') ?? -1
  return {
    kind: 'TerminalObservation',
    content: textsOf(textIn(value, 'content')),
    is_error: exit_code > 0,
    command: textIn(extras, 'command') || command,
    exit_code,
    timeout: false,
    metadata: metadataOf({
      ...metadata,
      exit_code,
      pid: integerIn(metadata, 'pid') ?? integerIn(extras, 'command_id'),
    }),
  }
}
