import { type Action, action as anyAction, FILE_EDITOR_COMMANDS } from '../../../api/event/actions.ts'
import { taskListOf } from '../tasks.ts'
import { type Fields, fieldsOf, given, integerIn, numberIn, optionalText, textIn } from '../values.ts'

/** An action in the words of today, with the name of its tool. */
export interface TranslatedAction {
  tool: string
  action: Action
}

/** The action of a tool. What has no tool of its own here is a call of one by its name. */
export function toAction(name: string, args: Fields, timeout: unknown): TranslatedAction {
  const found = KINDS[name]?.(args, timeout)
  const parsed = found && anyAction.safeParse(found.action).data
  if (found && parsed) return { tool: found.tool, action: parsed }
  const { thought: _, confirmation_state: __, security_risk: ___, ...data } = args
  return called(name, data)
}

interface Untyped {
  tool: string
  action: Fields
}

const KINDS: Readonly<Record<string, (args: Fields, timeout: unknown) => Untyped | TranslatedAction | undefined>> = {
  run: (args, timeout) => ({
    tool: 'terminal',
    action: {
      kind: 'TerminalAction',
      command: textIn(args, 'command'),
      is_input: args.is_input === true || args.is_input === 'true',
      ...given('timeout', numberIn({ timeout }, 'timeout')),
    },
  }),
  run_ipython: args => called('execute_ipython_cell', { code: textIn(args, 'code') }),
  read: args => editor({ command: 'view', path: textIn(args, 'path'), ...given('view_range', rangeOf(args)) }),
  write: args => editor({ command: 'create', path: textIn(args, 'path'), file_text: textIn(args, 'content') }),
  edit: args => {
    const command = FILE_EDITOR_COMMANDS.find(each => each === args.command)
    // One that a model carries out has lines and a text in the place of them.
    if (!command) {
      const { path, content, start, end } = args
      return called('edit_file', { path, content, start, end })
    }
    return editor({
      command,
      path: textIn(args, 'path'),
      ...given('file_text', optionalText(args, 'file_text')),
      ...given('old_str', optionalText(args, 'old_str')),
      ...given('new_str', optionalText(args, 'new_str')),
      ...given('insert_line', integerIn(args, 'insert_line')),
      ...given('view_range', command === 'view' ? rangeOf(args) : undefined),
    })
  },
  browse: args => ({
    tool: 'browser_navigate',
    action: { kind: 'BrowserNavigateAction', url: textIn(args, 'url') },
  }),
  browse_interactive: args => called('browser', { code: textIn(args, 'browser_actions') }),
  call_tool_mcp: args => called(textIn(args, 'name') || 'mcp', fieldsOf(args.arguments)),
  think: args => ({ tool: 'think', action: { kind: 'ThinkAction', thought: textIn(args, 'thought') } }),
  delegate: args => called('delegate', { agent: args.agent, inputs: args.inputs }),
  task_tracking: args => ({
    tool: 'task_tracker',
    action: {
      kind: 'TaskTrackerAction',
      command: args.command === 'view' ? 'view' : 'plan',
      task_list: taskListOf(args.task_list),
    },
  }),
  finish: args => ({
    tool: 'finish',
    action: { kind: 'FinishAction', message: finishText(args) },
  }),
  reject: args => ({
    tool: 'finish',
    action: { kind: 'FinishAction', message: textIn(fieldsOf(args.outputs), 'reason') || textIn(args, 'thought') },
  }),
}

function called(tool: string, data: Fields): TranslatedAction {
  return { tool, action: { kind: 'MCPToolAction', data: { ...data } } }
}

function editor(fields: Fields): Untyped {
  return { tool: 'file_editor', action: { kind: 'FileEditorAction', ...fields } }
}

function finishText(args: Fields): string {
  return textIn(args, 'final_thought') || textIn(fieldsOf(args.outputs), 'content') || textIn(args, 'thought')
}

function rangeOf(args: Fields): number[] | undefined {
  const range = args.view_range
  if (Array.isArray(range) && range.length === 2 && range.every(Number.isSafeInteger)) return range as number[]
  const [start = 0, end = -1] = [integerIn(args, 'start'), integerIn(args, 'end')]
  return start > 0 || end > 0 ? [Math.max(1, start), end] : undefined
}
