import { type Call, type Result, resultsByCall } from '../api/event/calls.ts'
import type { Event, EventOf } from '../api/event/events.ts'
import { textOf } from '../event/model-messages.ts'
import { modelContent } from '../event/model-text.ts'

export type StuckVerdict = null | { kind: 'nudge'; text: string } | { kind: 'stuck'; why: string }

/**
 * Whether the agent goes round in circles since a person last had a say in it. The first time that a pattern shows, the
 * model gets a nudge, to be recorded as a message of the environment with exactly this text: that is how a second time
 * is distinguished from a first. If the pattern goes on, the agent is stuck. To be asked when every call has its result.
 */
export function checkStuck(branch: readonly Event[]): StuckVerdict {
  const start = branch.findLastIndex(startsOver) + 1
  const steps = stepsOf(branch, start)
  const nudged = new Set(
    branch
      .slice(start)
      .filter(isNudge)
      .map(message => textOf(message.llm_message.content)),
  )
  for (const { length, nudgeAt, stuckAt, nudge, why } of PATTERNS) {
    const found = length(steps)
    if (found >= stuckAt && (nudgeAt === null || nudged.has(nudge))) return { kind: 'stuck', why }
    if (nudgeAt !== null && found >= nudgeAt && !nudged.has(nudge)) return { kind: 'nudge', text: nudge }
  }
  return null
}

/** Steps that are looked at: enough for the longest pattern. */
const WINDOW = 24

/** One answer of the model with what came of it, or a condensation. Two are equal when their texts are. */
type Step =
  | { kind: 'calls'; calls: string; words: string; results: string; failed: boolean; waits: boolean }
  | { kind: 'message' }
  | { kind: 'condensation' }
type CallStep = Extract<Step, { kind: 'calls' }>

interface Pattern {
  /** How long the pattern at the end of the steps is. */
  length(steps: readonly Step[]): number
  /** null where asking the model is of no use */
  nudgeAt: number | null
  stuckAt: number
  nudge: string
  why: string
}

const PATTERNS: readonly Pattern[] = [
  {
    length: steps => callsAtEnd(steps, (step, last) => step.failed && step.calls === last.calls),
    nudgeAt: 3,
    stuckAt: 4,
    nudge:
      'The same call has failed three times. Read the error again: change the call, or reach the goal in another way.',
    why: 'The agent repeats a call that fails. Say how it should go on.',
  },
  {
    length: steps => callsAtEnd(steps, (step, last) => isRepeat(step, last) && step.words === last.words),
    nudgeAt: 3,
    stuckAt: 4,
    nudge:
      'You have made the same call three times with the same result. Another time will not change it: do something else, or finish and say what stands in the way.',
    why: 'The agent repeats the same call with the same result. Say how it should go on.',
  },
  {
    length: steps => callsAtEnd(steps, isRepeat),
    nudgeAt: 5,
    stuckAt: 7,
    nudge:
      'You keep making the same call with the same result, only in other words. Do something else, or finish and say what stands in the way.',
    why: 'The agent repeats the same call with the same result, only in other words. Say how it should go on.',
  },
  {
    length: steps => callsAtEnd(steps, (step, last) => step.waits && same(step, last)),
    nudgeAt: 8,
    stuckAt: 24,
    nudge:
      'The process has said nothing new for a long time. If it is at work, wait with a longer timeout. If it waits for input, give it; if it hangs, interrupt it with C-c.',
    why: 'The agent waits for a process that says nothing any more. Look at the process, or say how to go on.',
  },
  {
    length: steps => Math.max(...[2, 3, 4].map(period => roundsAtEnd(steps, period) * 2)),
    nudgeAt: 5,
    stuckAt: 6,
    nudge:
      'You go through the same calls over and over with the same results. Stop, think of what none of them has told you, and take another way.',
    why: 'The agent goes through the same calls over and over. Say how it should go on.',
  },
  {
    length: steps => countAtEnd(steps, step => step.kind === 'message', 'condensation'),
    nudgeAt: 2,
    stuckAt: 3,
    nudge: 'You have answered twice without doing anything. Call a tool to go on with the task, or call finish.',
    why: 'The agent talks without doing anything. Say what it should do.',
  },
  {
    length: steps => countAtEnd(steps, step => step.kind === 'condensation'),
    nudgeAt: null,
    stuckAt: 3,
    nudge: '',
    why: 'The conversation was summed up three times in a row and still does not fit. Choose a model with a larger context window, or go on in a new conversation.',
  },
]

function isRepeat(step: CallStep, last: CallStep): boolean {
  return !step.waits && !step.failed && same(step, last)
}

function same(step: CallStep, other: CallStep): boolean {
  return step.calls === other.calls && step.results === other.results
}

/** How many answers with calls at the end are like the last of them; condensations do not interrupt. */
function callsAtEnd(steps: readonly Step[], alike: (step: CallStep, last: CallStep) => boolean): number {
  const last = steps.findLast(step => step.kind !== 'condensation')
  if (last?.kind !== 'calls') return 0
  return countAtEnd(steps, step => step.kind === 'calls' && alike(step, last), 'condensation')
}

function countAtEnd(steps: readonly Step[], counts: (step: Step) => boolean, skipped?: Step['kind']): number {
  const considered = skipped ? steps.filter(step => step.kind !== skipped) : steps
  const end = considered.findLastIndex(step => !counts(step))
  return considered.length - 1 - end
}

/** How often several calls have come round in the same order at the end: 2.5 when half of a third round is done. */
function roundsAtEnd(steps: readonly Step[], period: number): number {
  const answers = steps.filter(step => step.kind !== 'condensation')
  const [last, before] = [answers.at(-1), answers.at(-2)]
  if (last?.kind !== 'calls' || before?.kind !== 'calls' || same(last, before)) return 0
  const repeats = answers.map((step, index) => {
    const earlier = answers[index - period]
    return step.kind === 'calls' && earlier?.kind === 'calls' && !step.waits && same(step, earlier)
  })
  const repeated = repeats.length - 1 - repeats.lastIndexOf(false)
  return repeated === 0 ? 0 : (repeated + period) / period
}

/** The newest steps. The calls of one answer are one step; an answer whose calls are still open is none yet. */
function stepsOf(events: readonly Event[], from: number): Step[] {
  const starts: number[] = []
  for (let index = events.length - 1; index >= from && starts.length < WINDOW; index--) {
    if (beginsStep(events[index], events[index - 1])) starts.unshift(index)
  }
  const results = resultsByCall(events.slice(starts[0]))
  return starts.flatMap((index): Step[] => {
    const event = events[index]
    if (event?.kind === 'MessageEvent') return [{ kind: 'message' }]
    if (event?.kind === 'Condensation') return [{ kind: 'condensation' }]
    return callStep(batchFrom(events, index), results)
  })
}

function beginsStep(event: Event | undefined, before: Event | undefined): boolean {
  if (event?.kind === 'MessageEvent') return event.source === 'agent'
  return event?.kind === 'Condensation' || (event?.kind === 'ActionEvent' && !continues(event, before))
}

function continues(call: Call, before: Event | undefined): boolean {
  return before?.kind === 'ActionEvent' && before.llm_response_id === call.llm_response_id
}

function batchFrom(events: readonly Event[], start: number): Call[] {
  const batch: Call[] = []
  for (let index = start; index < events.length; index++) {
    const event = events[index]
    if (event?.kind !== 'ActionEvent' || (index > start && !continues(event, events[index - 1]))) break
    batch.push(event)
  }
  return batch
}

function callStep(batch: readonly Call[], results: Map<string, Result>): CallStep[] {
  const answers = batch.map(call => results.get(call.id))
  if (answers.some(answer => answer === undefined)) return []
  const step: CallStep = {
    kind: 'calls',
    calls: JSON.stringify(batch.map(({ action, tool_call, tool_name }) => [tool_name, action ?? tool_call.arguments])),
    words: JSON.stringify(batch.map(({ thought }) => thought.map(part => part.text))),
    results: JSON.stringify(answers.map(answer => answer && comparableResult(answer))),
    failed: answers.every(answer => answer?.kind === 'AgentErrorEvent'),
    waits: batch.length === 1 && isPolling(batch[0], answers[0]),
  }
  return [step]
}

/** What the model reads of a result: process ids, times and files that output was saved to are not part of it. */
function comparableResult(result: Result): unknown {
  switch (result.kind) {
    case 'ObservationEvent':
      return [result.observation.is_error, modelContent(result.observation)]
    case 'UserRejectObservation':
      return ['rejected', result.rejection_reason]
    case 'AgentErrorEvent':
      return ['error', result.error]
  }
}

/** Looking again at a process that goes on is not repeating oneself: time passes meanwhile. */
function isPolling(call: Call | undefined, result: Result | undefined): boolean {
  if (call?.action?.kind !== 'TerminalAction' || call.action.command.trim() !== '') return false
  return result?.kind === 'ObservationEvent' && result.observation.kind === 'TerminalObservation'
    ? result.observation.exit_code === -1
    : false
}

/** A person who rejects, stops or lets go on what had ended wants the agent to try anew. */
function startsOver(event: Event): boolean {
  switch (event.kind) {
    case 'MessageEvent':
      return event.source === 'user'
    case 'UserRejectObservation':
      return event.rejection_source === 'user'
    case 'PauseEvent':
    case 'InterruptEvent':
    case 'ConversationErrorEvent':
      return true
    default:
      return false
  }
}

function isNudge(event: Event): event is EventOf<'MessageEvent'> {
  return event.kind === 'MessageEvent' && event.source === 'environment'
}
