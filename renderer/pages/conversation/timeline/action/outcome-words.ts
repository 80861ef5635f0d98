import type { Observation } from '../../../../../server/api/event/observations.ts'
import { isCannedReason } from '../../../../../server/api/event/rejection-reasons.ts'
import type { ActionItem } from '../../../../state/conversation/item.ts'
import { splitContent } from '../../../../state/conversation/items.ts'
import { formatDuration } from '../../../../state/format.ts'
import { t } from '../text.ts'
import { diffCounts } from './diff-lines.ts'

/** `exit 0 · 4.2 s · 12 lines`: what came of it, in a few words. */
export function outcomeWords(outcome: ActionItem['outcome']): string[] {
  switch (outcome.state) {
    case 'queued':
      return [t('waits')]
    case 'running':
      return []
    case 'failed':
      return [t('failed'), ...durationWords(outcome.seconds)]
    case 'stopped':
      return [t('stopped'), ...durationWords(outcome.seconds)]
    case 'rejected':
      return [outcome.event.rejection_source === 'user' ? t('rejectedByYou') : t('stoppedByHook')]
    case 'ok':
    case 'error':
      return observationWords(outcome)
  }
}

/** Whether its row is open until a person folds it: what went wrong, and a reason that a person gave. */
export function opensByItself(outcome: ActionItem['outcome']): boolean {
  if (outcome.state === 'rejected') {
    const { rejection_source, rejection_reason } = outcome.event
    return rejection_source === 'user' && !isCannedReason(rejection_reason)
  }
  return outcome.state === 'error' || outcome.state === 'failed'
}

type Answered = Extract<ActionItem['outcome'], { state: 'ok' | 'error' }>

function observationWords({ state, event, seconds }: Answered): string[] {
  const { observation } = event
  if (observation.kind === 'TerminalObservation') return terminalWords(observation, seconds)
  if (state === 'error') return [t('failed'), ...durationWords(seconds)]
  switch (observation.kind) {
    case 'FileEditorObservation':
      return observation.command === 'view' ? lineWords(textOf(observation)) : editWords(observation)
    case 'ApplyPatchObservation':
      return patchWords(observation)
    case 'GrepObservation':
      return [found(observation.matches.length, observation.truncated ? 'firstMatches' : 'matches')]
    case 'GlobObservation':
      return [found(observation.files.length, observation.truncated ? 'firstFiles' : 'files')]
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
  const exit = observation.exit_code < 0 ? openWord(observation) : t('exit', { code: observation.exit_code })
  return [exit, ...durationWords(seconds), ...lineWords(textOf(observation))]
}

/** A command that was neither awaited to its end nor refused has lost its shell. */
function openWord({ timeout, is_error }: Extract<Observation, { kind: 'TerminalObservation' }>): string {
  return timeout || is_error ? t('stillRunning') : t('cutOff')
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
  return [...(changes.length > 1 ? [t('files', { count: changes.length })] : []), sumWords(changes)]
}

function sumWords(changes: readonly Change[]): string {
  const counts = changes.map(({ old_content = '', new_content = '' }) => diffCounts(old_content, new_content))
  const added = counts.reduce((sum, one) => sum + one.added, 0)
  const removed = counts.reduce((sum, one) => sum + one.removed, 0)
  return [`+${added}`, ...(removed > 0 ? [`−${removed}`] : [])].join(' ')
}

function taskWords({ task_list }: Extract<Observation, { kind: 'TaskTrackerObservation' }>): string[] {
  if (task_list.length === 0) return [t('empty')]
  return [t('tasksDone', { done: task_list.filter(({ status }) => status === 'done').length, total: task_list.length })]
}

function found(count: number, words: 'matches' | 'firstMatches' | 'files' | 'firstFiles'): string {
  return count === 0 ? t('nothingFound') : t(words, { count })
}

function textOf({ content }: Observation): string {
  return splitContent(content).text
}

function lineWords(text: string): string[] {
  const kept = text.replace(CLIP_NOTE, '\n')
  if (kept.trim() === '') return [t('noOutput')]
  return [t(kept === text ? 'lines' : 'linesShown', { count: kept.trimEnd().split('\n').length })]
}

/** Stands where part of an output was left out; how many lines that were is not known here. */
const CLIP_NOTE = /\n?<response clipped><NOTE>[^<]*<\/NOTE>\n?/g

/** Under a tenth of a second is not worth a word. */
function durationWords(seconds: number): string[] {
  return seconds < 0.1 ? [] : [formatDuration(seconds * 1000)]
}
