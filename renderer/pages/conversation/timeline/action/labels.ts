import {
  BookOpen,
  CircleHelp,
  FilePen,
  FilePlus,
  FileSearch,
  Files,
  FileText,
  FileX,
  Flag,
  Globe,
  Keyboard,
  Lightbulb,
  ListTodo,
  type LucideIcon,
  Plug,
  Search,
  SquareTerminal,
  Undo2,
  UserRound,
} from 'lucide-react'
import type { Action } from '../../../../../server/api/event/actions.ts'
import type { EventOf } from '../../../../../server/api/event/events.ts'
import { type PatchFile, patchFiles } from './patch-files.ts'

export interface ActionLabel {
  icon: LucideIcon
  /** `Read`, `Edit`; null where the subject says it all. */
  verb: string | null
  /** A command, a path or a pattern, shown in monospace; '' where the verb says it all. */
  subject: string
}

type ActionOf<Kind extends Action['kind']> = Extract<Action, { kind: Kind }>
type FileEditorAction = ActionOf<'FileEditorAction'>

const FILE_LABELS = {
  view: { icon: FileText, verb: 'Read' },
  create: { icon: FilePlus, verb: 'Create' },
  str_replace: { icon: FilePen, verb: 'Edit' },
  insert: { icon: FilePen, verb: 'Edit' },
  undo_edit: { icon: Undo2, verb: 'Undo edit of' },
} as const satisfies Record<FileEditorAction['command'], Omit<ActionLabel, 'subject'>>

const PATCH_LABELS = {
  add: { icon: FilePlus, verb: 'Create' },
  update: { icon: FilePen, verb: 'Edit' },
  delete: { icon: FileX, verb: 'Delete' },
} as const satisfies Record<PatchFile['kind'], Omit<ActionLabel, 'subject'>>

/** What a call does, in a few words. Calls that could not be read, and kinds unknown to this window, are named. */
export function labelOf({ action, tool_name }: Pick<EventOf<'ActionEvent'>, 'action' | 'tool_name'>): ActionLabel {
  const unknown = { icon: CircleHelp, verb: 'Call', subject: tool_name }
  switch (action?.kind) {
    case undefined:
      return unknown
    case 'TerminalAction':
      return terminalLabel(action)
    case 'FileEditorAction':
      return { ...FILE_LABELS[action.command], subject: `${action.path}${rangeOf(action)}` }
    case 'ApplyPatchAction':
      return patchLabel(action)
    case 'GrepAction':
      return { icon: Search, verb: 'Search for', subject: `${action.pattern}${placeOf(action)}` }
    case 'GlobAction':
      return { icon: FileSearch, verb: 'Find files', subject: `${action.pattern}${placeOf(action)}` }
    case 'TaskTrackerAction':
      return {
        icon: ListTodo,
        verb: action.command === 'view' ? 'Look at the task list' : 'Update the task list',
        subject: '',
      }
    case 'ThinkAction':
      return { icon: Lightbulb, verb: 'Think', subject: '' }
    case 'InvokeSkillAction':
      return { icon: BookOpen, verb: 'Use the skill', subject: action.name }
    case 'TaskAction':
      return { icon: UserRound, verb: 'Hand over', subject: action.description ?? firstLine(action.prompt) }
    case 'MCPToolAction':
    case 'ClientToolAction':
      return { icon: Plug, verb: 'Call', subject: tool_name }
    case 'FinishAction':
      return { icon: Flag, verb: 'Finish', subject: '' }
    default:
      return action && isBrowserAction(action) ? { icon: Globe, ...browserWords(action) } : unknown
  }
}

function terminalLabel({ command, is_input, reset }: ActionOf<'TerminalAction'>): ActionLabel {
  if (reset && !command) return { icon: SquareTerminal, verb: 'Start a new terminal session', subject: '' }
  if (is_input) return { icon: Keyboard, verb: 'Type', subject: command || '⏎' }
  if (!command) return { icon: SquareTerminal, verb: 'Wait for output', subject: '' }
  return { icon: SquareTerminal, verb: null, subject: command }
}

function patchLabel({ patch }: ActionOf<'ApplyPatchAction'>): ActionLabel {
  const files = patchFiles(patch)
  const [first] = files
  if (!first) return { icon: FilePen, verb: 'Apply a patch', subject: '' }
  if (files.length === 1) return { ...PATCH_LABELS[first.kind], subject: first.path }
  return { icon: Files, verb: 'Change', subject: files.map(({ path }) => path).join(', ') }
}

type BrowserAction = Extract<Action, { kind: `Browser${string}` }>

function isBrowserAction(action: Action): action is BrowserAction {
  return action.kind.startsWith('Browser')
}

function browserWords(action: BrowserAction): Omit<ActionLabel, 'icon'> {
  switch (action.kind) {
    case 'BrowserNavigateAction':
      return { verb: action.new_tab ? 'Open in a new tab' : 'Open', subject: action.url }
    case 'BrowserClickAction':
      return { verb: 'Click element', subject: String(action.index) }
    case 'BrowserTypeAction':
      return { verb: `Type into element ${action.index}`, subject: action.text }
    case 'BrowserGetStateAction':
      return { verb: 'Look at the page', subject: '' }
    case 'BrowserGetContentAction':
      return { verb: 'Read the page', subject: '' }
    case 'BrowserScrollAction':
      return { verb: `Scroll ${action.direction}`, subject: '' }
    case 'BrowserGoBackAction':
      return { verb: 'Go back to the page before', subject: '' }
    case 'BrowserListTabsAction':
      return { verb: 'List the tabs', subject: '' }
    case 'BrowserSwitchTabAction':
      return { verb: 'Switch to tab', subject: action.tab_id }
    case 'BrowserCloseTabAction':
      return { verb: 'Close tab', subject: action.tab_id }
    case 'BrowserGetStorageAction':
      return { verb: 'Read what pages store', subject: '' }
    case 'BrowserSetStorageAction':
      return { verb: 'Write what pages store', subject: '' }
  }
}

function rangeOf({ view_range }: FileEditorAction): string {
  const [first, last] = view_range ?? []
  if (first === undefined || last === undefined) return ''
  return last === -1 ? `:${first}–` : `:${first}–${last}`
}

function placeOf({ path, include }: { path?: string | undefined; include?: string | undefined }): string {
  return `${include ? ` in ${include}` : ''}${path ? ` under ${path}` : ''}`
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}
