import {
  BookOpen,
  CircleHelp,
  CloudUpload,
  FilePen,
  FilePlus,
  FileSearch,
  Files,
  FileText,
  FileX,
  Flag,
  GitPullRequest,
  Globe,
  Keyboard,
  Lightbulb,
  ListTodo,
  type LucideIcon,
  MessageSquareReply,
  Plug,
  Search,
  SquareTerminal,
  Undo2,
  UserRound,
} from 'lucide-react'
import type { Action } from '../../../../../server/api/event/actions.ts'
import type { EventOf } from '../../../../../server/api/event/events.ts'
import { publishCallOf } from '../../../../../server/api/event/publish.ts'
import { answerCallOf } from '../../../../../server/api/event/review-comments.ts'
import { t } from '../text.ts'
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
  view: { icon: FileText, verb: t('read') },
  create: { icon: FilePlus, verb: t('create') },
  str_replace: { icon: FilePen, verb: t('edit') },
  insert: { icon: FilePen, verb: t('edit') },
  undo_edit: { icon: Undo2, verb: t('undoEdit') },
} as const satisfies Record<FileEditorAction['command'], Omit<ActionLabel, 'subject'>>

const PATCH_LABELS = {
  add: { icon: FilePlus, verb: t('create') },
  update: { icon: FilePen, verb: t('edit') },
  delete: { icon: FileX, verb: t('delete') },
} as const satisfies Record<PatchFile['kind'], Omit<ActionLabel, 'subject'>>

/** What a call does, in a few words. Calls that could not be read, and kinds unknown to this window, are named. */
export function labelOf({ action, tool_name }: Pick<EventOf<'ActionEvent'>, 'action' | 'tool_name'>): ActionLabel {
  const unknown = { icon: CircleHelp, verb: t('call'), subject: tool_name }
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
      return { icon: Search, verb: t('searchFor'), subject: searchedBy(action) }
    case 'GlobAction':
      return { icon: FileSearch, verb: t('findFiles'), subject: searchedBy(action) }
    case 'TaskTrackerAction':
      return {
        icon: ListTodo,
        verb: action.command === 'view' ? t('lookAtTaskList') : t('updateTaskList'),
        subject: '',
      }
    case 'ThinkAction':
      return { icon: Lightbulb, verb: t('think'), subject: '' }
    case 'InvokeSkillAction':
      return { icon: BookOpen, verb: t('useSkill'), subject: action.name }
    case 'TaskAction':
      return { icon: UserRound, verb: t('delegate'), subject: action.description ?? firstLine(action.prompt) }
    case 'MCPToolAction':
      return (
        publishLabel({ action, tool_name }) ??
        answerLabel({ action, tool_name }) ?? { icon: Plug, verb: t('call'), subject: tool_name }
      )
    case 'ClientToolAction':
      return { icon: Plug, verb: t('call'), subject: tool_name }
    case 'FinishAction':
      return { icon: Flag, verb: t('finish'), subject: '' }
    default:
      return action && isBrowserAction(action) ? { icon: Globe, ...browserWords(action) } : unknown
  }
}

function publishLabel(call: Parameters<typeof publishCallOf>[0]): ActionLabel | null {
  const published = publishCallOf(call)
  if (!published) return null
  const { plan, request } = published
  return request
    ? { icon: GitPullRequest, verb: t('openPullRequest'), subject: request.title }
    : { icon: CloudUpload, verb: t('pushBranch'), subject: plan.branch }
}

function answerLabel(call: Parameters<typeof answerCallOf>[0]): ActionLabel | null {
  const answer = answerCallOf(call)
  if (!answer) return null
  const { comment, path, line } = answer
  if (path === undefined || line === undefined)
    return { icon: MessageSquareReply, verb: t('answerComment', { number: String(comment) }), subject: '' }
  const subject = t('placeOfComment', { path, line: String(line) })
  return { icon: MessageSquareReply, verb: t('answerCommentOn'), subject }
}

function terminalLabel({ command, is_input, reset }: ActionOf<'TerminalAction'>): ActionLabel {
  if (reset && !command) return { icon: SquareTerminal, verb: t('startNewTerminalSession'), subject: '' }
  if (is_input) return { icon: Keyboard, verb: t('type'), subject: command || '⏎' }
  if (!command) return { icon: SquareTerminal, verb: t('waitForOutput'), subject: '' }
  return { icon: SquareTerminal, verb: null, subject: command }
}

function patchLabel({ patch }: ActionOf<'ApplyPatchAction'>): ActionLabel {
  const files = patchFiles(patch)
  const [first] = files
  if (!first) return { icon: FilePen, verb: t('applyPatch'), subject: '' }
  if (files.length === 1) return { ...PATCH_LABELS[first.kind], subject: first.path }
  return { icon: Files, verb: t('change'), subject: files.map(({ path }) => path).join(', ') }
}

type BrowserAction = Extract<Action, { kind: `Browser${string}` }>

function isBrowserAction(action: Action): action is BrowserAction {
  return action.kind.startsWith('Browser')
}

function browserWords(action: BrowserAction): Omit<ActionLabel, 'icon'> {
  switch (action.kind) {
    case 'BrowserNavigateAction':
      return { verb: action.new_tab ? t('openInNewTab') : t('open'), subject: action.url }
    case 'BrowserClickAction':
      return { verb: t('clickElement'), subject: String(action.index) }
    case 'BrowserTypeAction':
      return { verb: t('typeIntoElementIndex', { index: action.index }), subject: action.text }
    case 'BrowserGetStateAction':
      return { verb: t('lookAtPage'), subject: '' }
    case 'BrowserGetContentAction':
      return { verb: t('readPage'), subject: '' }
    case 'BrowserScrollAction':
      return { verb: action.direction === 'up' ? t('scrollUp') : t('scrollDown'), subject: '' }
    case 'BrowserGoBackAction':
      return { verb: t('goBackToPageBefore'), subject: '' }
    case 'BrowserListTabsAction':
      return { verb: t('listTabs'), subject: '' }
    case 'BrowserSwitchTabAction':
      return { verb: t('switchToTab'), subject: action.tab_id }
    case 'BrowserCloseTabAction':
      return { verb: t('closeTab'), subject: action.tab_id }
    case 'BrowserGetStorageAction':
      return { verb: t('readWhatPagesStore'), subject: '' }
    case 'BrowserSetStorageAction':
      return { verb: t('writeWhatPagesStore'), subject: '' }
  }
}

function rangeOf({ view_range }: FileEditorAction): string {
  const [first, last] = view_range ?? []
  if (first === undefined || last === undefined) return ''
  return last === -1 ? `:${first}–` : `:${first}–${last}`
}

/** The pattern of a search, and where it looks. */
function searchedBy({
  pattern,
  path,
  include,
}: {
  pattern: string
  path?: string | undefined
  include?: string | undefined
}): string {
  if (include && path) return t('inFilesUnderPath', { pattern, include, path })
  if (include) return t('inFiles', { pattern, include })
  return path ? t('underPath', { pattern, path }) : pattern
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}
