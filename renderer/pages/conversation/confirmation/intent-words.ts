import type { Action } from '../../../../server/api/event/actions.ts'
import type { EventOf } from '../../../../server/api/event/events.ts'
import { count } from '../../../state/format.ts'
import { patchFiles } from '../timeline/action/patch-files.ts'

type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>

/** What a call will do, as it goes on after "The agent wants to". */
export function intentOf({ action, tool_name }: Pick<EventOf<'ActionEvent'>, 'action' | 'tool_name'>): string {
  switch (action?.kind) {
    case 'TerminalAction':
      return terminalIntent(action)
    case 'FileEditorAction':
      return fileIntent(action)
    case 'ApplyPatchAction':
      return patchIntent(action)
    case 'GrepAction':
    case 'GlobAction':
      return 'search the files of the sandbox'
    case 'TaskTrackerAction':
      return 'write its task list'
    case 'ThinkAction':
      return 'note a thought'
    case 'InvokeSkillAction':
      return `read the skill “${action.name}”`
    case 'TaskAction':
      return 'hand a task to a sub-agent, which works in the same sandbox'
    case 'MCPToolAction':
      return `call ${tool_name}, a tool of a tool server, with these arguments`
    case 'ClientToolAction':
      return `call ${tool_name}, a tool of another program, with these arguments`
    case 'FinishAction':
      return 'finish'
    case 'BrowserNavigateAction':
      return `open ${action.url} in the sandbox’s browser`
    case 'BrowserClickAction':
      return `click element ${action.index} of the page`
    case 'BrowserTypeAction':
      return `type “${action.text}” into element ${action.index} of the page`
    case 'BrowserGetStorageAction':
      return 'read the cookies and stored data of the sandbox’s browser'
    case 'BrowserSetStorageAction':
      return 'change the cookies and stored data of the sandbox’s browser'
    default:
      return action?.kind.startsWith('Browser') ? 'use the sandbox’s browser' : `call ${tool_name} with these arguments`
  }
}

function terminalIntent({ command, is_input, reset }: ActionOf<'TerminalAction'>): string {
  if (reset) return command ? 'start the terminal anew and run a command' : 'start the terminal anew'
  if (is_input) return 'type this into the program that runs'
  return command ? 'run a command in the sandbox' : 'wait for more output of the program that runs'
}

const FILE_VERBS = {
  view: 'read',
  create: 'create',
  str_replace: 'change',
  insert: 'change',
  undo_edit: 'undo its last change of',
} as const satisfies Record<ActionOf<'FileEditorAction'>['command'], string>

function fileIntent({ command, path }: ActionOf<'FileEditorAction'>): string {
  return `${FILE_VERBS[command]} ${path}`
}

const PATCH_VERBS = { add: 'create', update: 'change', delete: 'delete' } as const

function patchIntent({ patch }: ActionOf<'ApplyPatchAction'>): string {
  const files = patchFiles(patch)
  const [first] = files
  if (first && files.length === 1) return `${PATCH_VERBS[first.kind]} ${first.path}`
  const parts = (['add', 'update', 'delete'] as const).flatMap(kind => {
    const amount = files.filter(file => file.kind === kind).length
    return amount > 0 ? [`${PATCH_VERBS[kind]} ${count(amount, 'file')}`] : []
  })
  return parts.length > 0 ? parts.join(', ') : 'apply a patch'
}
