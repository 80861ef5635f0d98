import type { Action } from '../../../../../server/api/event/actions.ts'
import type { EventOf } from '../../../../../server/api/event/events.ts'
import { publishCallOf } from '../../../../../server/api/event/publish.ts'
import { answerCallOf } from '../../../../../server/api/event/review-comments.ts'
import { CopyButton } from '../../../../ui/CopyButton.tsx'
import { SecretText } from '../../../../ui/field/SecretText.tsx'
import { OutcomeBadge } from '../../OutcomeBadge.tsx'
import { TaskListView } from '../../TaskListView.tsx'
import { Markdown } from '../message/Markdown.tsx'
import { TextBlock } from '../message/TextBlock.tsx'
import { t } from '../text.ts'
import { DiffView } from './DiffView.tsx'
import { PublishBody } from './PublishBody.tsx'

export interface RequestBodyProps {
  event: Pick<EventOf<'ActionEvent'>, 'action' | 'tool_name' | 'tool_call'>
  /** Whether a result follows, which then shows what the request would say again. */
  answered: boolean
}

/** The call to the letter: the command, the change, the arguments. */
export function RequestBody({ event, answered }: RequestBodyProps) {
  const { action, tool_call } = event
  const published = publishCallOf(event)
  if (published) return <PublishBody call={published} />
  const answer = answerCallOf(event)
  if (answer)
    return (
      <>
        <p>
          <OutcomeBadge outcome={answer.outcome} />
        </p>
        <Markdown text={answer.text} />
      </>
    )
  switch (action?.kind) {
    case 'TerminalAction':
      return <Command command={action.command} />
    case 'FileEditorAction':
      return <FileRequest action={action} answered={answered} />
    case 'ApplyPatchAction':
      return answered ? null : <TextBlock text={action.patch} label={t('patch')} />
    case 'TaskTrackerAction':
      return answered || action.command === 'view' ? null : <TaskListView tasks={action.task_list} />
    case 'TaskAction':
      return <TextBlock text={action.prompt} label={t('task')} />
    case 'MCPToolAction':
    case 'ClientToolAction':
      return <TextBlock text={JSON.stringify(action.data, null, 2)} label={t('arguments')} />
    case 'GrepAction':
    case 'GlobAction':
    case 'ThinkAction':
    case 'FinishAction':
    case 'InvokeSkillAction':
      return null
    default:
      return action?.kind.startsWith('Browser') && answered ? null : (
        <TextBlock text={pretty(tool_call.arguments)} label={t('arguments')} />
      )
  }
}

function Command({ command }: { command: string }) {
  if (!command) return null
  return (
    <div className="flex items-start gap-1">
      <pre className="min-w-0 flex-1 whitespace-pre-wrap py-0.5 font-mono text-sm leading-5 [overflow-wrap:anywhere]">
        <span className="select-none text-faint">$ </span>
        <SecretText text={command} />
      </pre>
      <CopyButton text={command} label={t('copyCommand')} />
    </div>
  )
}

type FileEditorAction = Extract<Action, { kind: 'FileEditorAction' }>

function FileRequest({ action, answered }: { action: FileEditorAction; answered: boolean }) {
  const change = answered ? null : requestedChange(action)
  return (
    <>
      <p className="flex items-center gap-1 font-mono text-soft text-sm">
        <span className="min-w-0 break-all">
          <SecretText text={action.path} />
        </span>
        <CopyButton text={action.path} label={t('copyPath')} />
      </p>
      {change && (
        <div className="overflow-hidden rounded-md border border-line bg-surface">
          <DiffView path={action.path} {...change} />
        </div>
      )}
    </>
  )
}

/** The change as the call itself says it; null where it says too little. */
export function requestedChange(action: FileEditorAction): { before: string; after: string } | null {
  switch (action.command) {
    case 'create':
      return { before: '', after: action.file_text ?? '' }
    case 'str_replace':
      return { before: action.old_str ?? '', after: action.new_str ?? '' }
    case 'insert':
      return { before: '', after: action.new_str ?? '' }
    case 'view':
    case 'undo_edit':
      return null
  }
}

function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}
