import { type Call, type Result, resultsByCall } from '../../api/event/calls.ts'
import type { Event, EventOf } from '../../api/event/events.ts'
import { textOf } from '../../event/model-messages.ts'
import { clipMiddle } from '../../text/clip.ts'
import { contentOf } from './size.ts'

/** Stands before what is not the model's summary but was taken from the log itself. */
const HEADING = '## From the log'

/**
 * What a summary must not lose, whatever the model makes of it: taken from the whole branch each time, and so never
 * summed up twice. `keptIds` are the events that the model still sees, which need no repeating.
 */
export function factsOf(branch: readonly Event[], keptIds: ReadonlySet<string>): string {
  const sections = [
    section('What the user said, word for word', userWords(branch, keptIds)),
    section('Files changed', changedFiles(branch)),
    section('Task list', taskList(branch, keptIds)),
    section('Still running in the terminal', stillRunning(branch)),
    section('The last step, too long to be shown whole: ask for less', lastStep(branch, keptIds)),
  ]
  const known = sections.filter(text => text !== '')
  return known.length === 0 ? '' : `${HEADING}\n${known.join('\n')}`
}

/** A summary without what was taken from the log. */
export function withoutFacts(summary: string): string {
  const start = summary.lastIndexOf(`\n${HEADING}\n`)
  if (start !== -1) return summary.slice(0, start).trimEnd()
  return summary.startsWith(`${HEADING}\n`) ? '' : summary
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `### ${title}\n${lines.map(line => `* ${line}`).join('\n')}`
}

const MAX_WORDS = 2_000
const MAX_ALL_WORDS = 10_000
const MAX_FILES = 100

/** The newest messages in full as far as there is room; what a person wants is never left to a summary alone. */
function userWords(branch: readonly Event[], keptIds: ReadonlySet<string>): string[] {
  const words: string[] = []
  let room = MAX_ALL_WORDS
  for (const event of branch.toReversed()) {
    if (event.kind !== 'MessageEvent' || event.source !== 'user' || keptIds.has(event.id)) continue
    const text = clipMiddle(textOf(event.llm_message.content).trim(), MAX_WORDS, () => ' […] ')
    room -= text.length
    if (room < 0) break
    if (text) words.unshift(text.replaceAll('\n', '\n  '))
  }
  return words
}

/** Newest last, each once. */
function changedFiles(branch: readonly Event[]): string[] {
  const paths = new Set<string>()
  for (const result of resultsByCall(branch).values()) {
    for (const path of result.kind === 'ObservationEvent' ? pathsOf(result) : []) {
      paths.delete(path)
      paths.add(path)
    }
  }
  const all = [...paths]
  const left = all.length - MAX_FILES
  return [...(left > 0 ? [`${left} more, changed earlier`] : []), ...all.slice(-MAX_FILES)]
}

function pathsOf({ observation }: EventOf<'ObservationEvent'>): string[] {
  if (observation.is_error) return []
  if (observation.kind === 'FileEditorObservation') return observation.command === 'view' ? [] : [observation.path]
  if (observation.kind !== 'ApplyPatchObservation') return []
  return Object.entries(observation.commit?.changes ?? {}).map(([path, change]) =>
    change.move_path ? `${path} → ${change.move_path}` : change.type === 'delete' ? `${path} (deleted)` : path,
  )
}

function taskList(branch: readonly Event[], keptIds: ReadonlySet<string>): string[] {
  const newest = branch.findLast(
    event => event.kind === 'ObservationEvent' && event.observation.kind === 'TaskTrackerObservation',
  )
  if (newest?.kind !== 'ObservationEvent' || keptIds.has(newest.id)) return []
  if (newest.observation.kind !== 'TaskTrackerObservation') return []
  return newest.observation.task_list.map(
    ({ title, notes, status }) => `[${status}] ${title}${notes.trim() ? `: ${notes.trim()}` : ''}`,
  )
}

function stillRunning(branch: readonly Event[]): string[] {
  const newest = branch.findLast(
    event => event.kind === 'ObservationEvent' && event.observation.kind === 'TerminalObservation',
  )
  if (newest?.kind !== 'ObservationEvent' || newest.observation.kind !== 'TerminalObservation') return []
  const { exit_code } = newest.observation
  if (exit_code !== -1) return []
  const started = branch.findLast(isCommand)
  return [clipMiddle(started?.action.command.trim() ?? newest.observation.command, MAX_WORDS, () => ' […] ')]
}

const MAX_LAST_STEP = 6_000
const MAX_CALL = 500

/** What the newest answer called for, when even its results had to go: otherwise it would only ask for them again. */
function lastStep(branch: readonly Event[], keptIds: ReadonlySet<string>): string[] {
  const newest = branch.findLast(event => event.kind === 'ActionEvent')
  if (newest?.kind !== 'ActionEvent' || keptIds.has(newest.id)) return []
  const results = resultsByCall(branch)
  const calls = branch.filter(
    (event): event is Call => event.kind === 'ActionEvent' && event.llm_response_id === newest.llm_response_id,
  )
  const room = Math.floor(MAX_LAST_STEP / calls.length)
  return calls.map(
    call =>
      `${call.tool_name} ${shortened(call.tool_call.arguments, MAX_CALL)}\n  ${resultText(results.get(call.id), room)}`,
  )
}

function resultText(result: Result | undefined, room: number): string {
  const text = result ? textOf(contentOf(result)) : 'no result'
  return shortened(text.trim(), room).replaceAll('\n', '\n  ')
}

function shortened(text: string, most: number): string {
  return clipMiddle(text, most, () => '\n[…]\n')
}

type CommandEvent = EventOf<'ActionEvent'> & { action: { kind: 'TerminalAction'; command: string } }

/** The command that was started, not what was typed into it. */
function isCommand(event: Event): event is CommandEvent {
  if (event.kind !== 'ActionEvent' || event.action?.kind !== 'TerminalAction') return false
  return !event.action.is_input && event.action.command.trim() !== ''
}
