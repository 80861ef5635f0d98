import type { Action } from '../../../../server/api/event/actions.ts'
import type { EventOf } from '../../../../server/api/event/events.ts'
import { type PublishCall, publishCallOf } from '../../../../server/api/event/publish.ts'
import { type AnswerCall, answerCallOf } from '../../../../server/api/event/review-comments.ts'
import { t } from '../text.ts'
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
      return t('searchFilesOfSandbox')
    case 'TaskTrackerAction':
      return t('writeItsTaskList')
    case 'ThinkAction':
      return t('noteThought')
    case 'InvokeSkillAction':
      return t('readSkillName', { name: action.name })
    case 'TaskAction':
      return t('handTaskToSubAgent')
    case 'MCPToolAction':
      return (
        publishIntent(publishCallOf({ action, tool_name })) ??
        answerIntent(answerCallOf({ action, tool_name })) ??
        t('callToolName', { toolName: tool_name })
      )
    case 'ClientToolAction':
      return t('callClientTool', { toolName: tool_name })
    case 'FinishAction':
      return t('finish')
    case 'BrowserNavigateAction':
      return t('openUrlInSandboxsBrowser', { url: action.url })
    case 'BrowserClickAction':
      return t('clickElementIndex', { index: action.index })
    case 'BrowserTypeAction':
      return t('typeTextIntoElementIndex', { text: action.text, index: action.index })
    case 'BrowserGetStorageAction':
      return t('readCookiesAndStoredData')
    case 'BrowserSetStorageAction':
      return t('changeCookiesAndStoredData')
    default:
      return action?.kind.startsWith('Browser') ? t('useSandboxsBrowser') : t('callTool', { toolName: tool_name })
  }
}

function publishIntent(call: PublishCall | null): string | null {
  if (!call) return null
  const { plan, request } = call
  if (!request) return t('pushBranchIntent', { branch: plan.branch })
  return plan.commits > 0
    ? t('pushAndOpenRequestIntent', { branch: plan.branch })
    : t('openRequestIntent', { branch: plan.branch })
}

/** Answers alone are never asked about, but they can stand beside calls that are. */
function answerIntent(call: AnswerCall | null): string | null {
  if (call?.path === undefined || call.line === undefined) return null
  return t('answerCommentIntent', { path: call.path, line: String(call.line) })
}

function terminalIntent({ command, is_input, reset }: ActionOf<'TerminalAction'>): string {
  if (reset) return command ? t('restartTerminalAndRun') : t('restartTerminal')
  if (is_input) return t('typeThisIntoProgram')
  return command ? t('runCommandInSandbox') : t('waitForMoreOutput')
}

const FILE_INTENTS = {
  view: 'readPath',
  create: 'createPath',
  str_replace: 'changePath',
  insert: 'changePath',
  undo_edit: 'undoChangeOfPath',
} as const satisfies Record<ActionOf<'FileEditorAction'>['command'], string>

function fileIntent({ command, path }: ActionOf<'FileEditorAction'>): string {
  return t(FILE_INTENTS[command], { path })
}

const PATCH_INTENTS = {
  add: { one: 'createPath', many: 'createFiles' },
  update: { one: 'changePath', many: 'changeFiles' },
  delete: { one: 'deletePath', many: 'deleteFiles' },
} as const

function patchIntent({ patch }: ActionOf<'ApplyPatchAction'>): string {
  const files = patchFiles(patch)
  const [first] = files
  if (first && files.length === 1) return t(PATCH_INTENTS[first.kind].one, { path: first.path })
  const parts = (['add', 'update', 'delete'] as const).flatMap(kind => {
    const amount = files.filter(file => file.kind === kind).length
    return amount > 0 ? [t(PATCH_INTENTS[kind].many, { count: amount })] : []
  })
  return parts.length > 0 ? parts.join(', ') : t('applyPatch')
}
