import {
  CircleHelp,
  FilePen,
  FilePlus,
  FileText,
  Flag,
  Keyboard,
  Lightbulb,
  type LucideIcon,
  SquareTerminal,
  Undo2,
} from 'lucide-react'
import type { Action } from '../../../../server/api/actions.ts'
import type { EventOf } from '../../../../server/api/events.ts'
import { type ActionItem, splitContent } from '../../../state/conversation-items.ts'
import { count, formatDuration } from '../../../state/format.ts'
import { diffCounts } from './diff-lines.ts'

export interface ActionLabel {
  icon: LucideIcon
  /** `Read`, `Edit`; null where the subject says it all. */
  verb: string | null
  /** A command or a path, shown in monospace. */
  subject: string
}

type FileEditorAction = Extract<Action, { kind: 'FileEditorAction' }>

const FILE_LABELS = {
  view: { icon: FileText, verb: 'Read' },
  create: { icon: FilePlus, verb: 'Create' },
  str_replace: { icon: FilePen, verb: 'Edit' },
  insert: { icon: FilePen, verb: 'Edit' },
  undo_edit: { icon: Undo2, verb: 'Undo edit of' },
} as const satisfies Record<FileEditorAction['command'], Omit<ActionLabel, 'subject'>>

export function labelOf({ action, tool_name }: EventOf<'ActionEvent'>): ActionLabel {
  switch (action?.kind) {
    case undefined:
      return { icon: CircleHelp, verb: 'Call of', subject: tool_name }
    case 'TerminalAction':
      return terminalLabel(action)
    case 'FileEditorAction':
      return { ...FILE_LABELS[action.command], subject: `${action.path}${rangeOf(action)}` }
    case 'ThinkAction':
      return { icon: Lightbulb, verb: 'Think', subject: '' }
    case 'FinishAction':
      return { icon: Flag, verb: 'Finish', subject: '' }
    default:
      return { icon: CircleHelp, verb: 'Call of', subject: tool_name }
  }
}

function terminalLabel({ command, is_input, reset }: Extract<Action, { kind: 'TerminalAction' }>): ActionLabel {
  if (reset && !command) return { icon: SquareTerminal, verb: 'Start a new terminal session', subject: '' }
  if (is_input) return { icon: Keyboard, verb: 'Type', subject: command || '⏎' }
  if (!command) return { icon: SquareTerminal, verb: 'Wait for output', subject: '' }
  return { icon: SquareTerminal, verb: null, subject: command }
}

function rangeOf({ view_range }: FileEditorAction): string {
  const [first, last] = view_range ?? []
  if (first === undefined || last === undefined) return ''
  return last === -1 ? `:${first}–` : `:${first}–${last}`
}

/** `exit 0 · 4.2 s · 12 lines`: what came of it, in a few words. */
export function outcomeWords(outcome: ActionItem['outcome']): string[] {
  switch (outcome.state) {
    case 'queued':
      return ['waits']
    case 'running':
      return []
    case 'failed':
      return ['failed', ...durationWords(outcome.seconds)]
    case 'rejected':
      return [`rejected by ${outcome.event.rejection_source === 'user' ? 'you' : 'a hook'}`]
    case 'ok':
    case 'error':
      return observationWords(outcome)
  }
}

function observationWords({ state, event, seconds }: Extract<ActionItem['outcome'], { state: 'ok' | 'error' }>) {
  const { observation } = event
  const { text } = splitContent(observation.content)
  const duration = durationWords(seconds)
  switch (observation.kind) {
    case 'TerminalObservation':
      return [
        observation.exit_code < 0 ? 'still running' : `exit ${observation.exit_code}`,
        ...duration,
        ...lineWords(text),
      ]
    case 'FileEditorObservation':
      if (state === 'error') return ['failed']
      return observation.command === 'view' ? lineWords(text) : editWords(observation)
    default:
      return state === 'error' ? ['failed'] : []
  }
}

function editWords({
  old_content,
  new_content,
  prev_exist,
}: {
  old_content?: string | undefined
  new_content?: string | undefined
  prev_exist: boolean
}) {
  if (new_content === undefined || (prev_exist && old_content === undefined)) return []
  const { added, removed } = diffCounts(old_content ?? '', new_content)
  return [[`+${added}`, ...(removed > 0 ? [`−${removed}`] : [])].join(' ')]
}

function lineWords(text: string): string[] {
  const lines = text.trim() === '' ? 0 : text.trimEnd().split('\n').length
  return lines === 0 ? ['no output'] : [count(lines, 'line')]
}

/** Under a tenth of a second is not worth a word. */
function durationWords(seconds: number): string[] {
  return seconds < 0.1 ? [] : [formatDuration(seconds * 1000)]
}
