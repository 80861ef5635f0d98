import type { Observation } from '../../../../../server/api/event/observations.ts'
import type { ActionItem } from '../../../../state/conversation/item.ts'
import { splitContent } from '../../../../state/conversation/items.ts'
import { count, formatDuration } from '../../../../state/format.ts'
import { diffCounts } from './diff-lines.ts'

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
      return [outcome.event.rejection_source === 'user' ? 'rejected by you' : 'stopped by a hook']
    case 'ok':
    case 'error':
      return observationWords(outcome)
  }
}

type Answered = Extract<ActionItem['outcome'], { state: 'ok' | 'error' }>

function observationWords({ state, event, seconds }: Answered): string[] {
  const { observation } = event
  if (observation.kind === 'TerminalObservation') return terminalWords(observation, seconds)
  if (state === 'error') return ['failed', ...durationWords(seconds)]
  switch (observation.kind) {
    case 'FileEditorObservation':
      return observation.command === 'view' ? lineWords(textOf(observation)) : editWords(observation)
    case 'ApplyPatchObservation':
      return patchWords(observation)
    case 'GrepObservation':
      return [found(observation.matches.length, 'match', 'matches', observation.truncated)]
    case 'GlobObservation':
      return [found(observation.files.length, 'file', 'files', observation.truncated)]
    case 'TaskTrackerObservation':
      return taskWords(observation)
    case 'TaskObservation':
      return [observation.status, ...durationWords(seconds)]
    case 'ThinkObservation':
    case 'FinishObservation':
    case 'InvokeSkillObservation':
      return []
    default:
      return durationWords(seconds)
  }
}

function terminalWords(observation: Extract<Observation, { kind: 'TerminalObservation' }>, seconds: number): string[] {
  const exit = observation.exit_code < 0 ? openWord(observation) : `exit ${observation.exit_code}`
  return [exit, ...durationWords(seconds), ...lineWords(textOf(observation))]
}

/** A command that was neither awaited to its end nor refused has lost its shell. */
function openWord({ timeout, is_error }: Extract<Observation, { kind: 'TerminalObservation' }>): string {
  return timeout || is_error ? 'still running' : 'cut off'
}

interface Change {
  old_content?: string | undefined
  new_content?: string | undefined
}

function editWords({ old_content, new_content, prev_exist }: Change & { prev_exist: boolean }): string[] {
  if (new_content === undefined || (prev_exist && old_content === undefined)) return []
  return [sumWords([{ old_content, new_content }])]
}

function patchWords({ commit }: Extract<Observation, { kind: 'ApplyPatchObservation' }>): string[] {
  const changes = Object.values(commit?.changes ?? {})
  if (changes.length === 0) return []
  return [...(changes.length > 1 ? [count(changes.length, 'file')] : []), sumWords(changes)]
}

function sumWords(changes: readonly Change[]): string {
  const counts = changes.map(({ old_content = '', new_content = '' }) => diffCounts(old_content, new_content))
  const added = counts.reduce((sum, one) => sum + one.added, 0)
  const removed = counts.reduce((sum, one) => sum + one.removed, 0)
  return [`+${added}`, ...(removed > 0 ? [`−${removed}`] : [])].join(' ')
}

function taskWords({ task_list }: Extract<Observation, { kind: 'TaskTrackerObservation' }>): string[] {
  if (task_list.length === 0) return ['empty']
  return [`${task_list.filter(({ status }) => status === 'done').length} of ${task_list.length} done`]
}

function found(amount: number, one: string, many: string, truncated: boolean): string {
  if (amount === 0) return 'nothing found'
  return truncated ? `first ${amount} ${many}` : count(amount, one, many)
}

function textOf({ content }: Observation): string {
  return splitContent(content).text
}

function lineWords(text: string): string[] {
  const lines = text.trim() === '' ? 0 : text.trimEnd().split('\n').length
  return lines === 0 ? ['no output'] : [count(lines, 'line')]
}

/** Under a tenth of a second is not worth a word. */
function durationWords(seconds: number): string[] {
  return seconds < 0.1 ? [] : [formatDuration(seconds * 1000)]
}
