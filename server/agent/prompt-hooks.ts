import { isResult } from '../api/event/calls.ts'
import type { Event, EventOf } from '../api/event/events.ts'
import { TRUST_NOTICE } from '../api/v1/conversation/repository-trust.ts'
import { nudge } from './answer.ts'
import type { AgentRun } from './run.ts'

type Run = Pick<AgentRun, 'events' | 'hooks' | 'record' | 'signal'>

/**
 * Tells the repository's hooks that the agent begins, and of what a person has said; also of what is said meanwhile.
 * @param since up to where in the log that was done in this run; undefined at its beginning
 * @returns whether they forbid an answer
 */
export async function submitMessages(run: Run, since: number | undefined): Promise<boolean> {
  const { events, hooks, signal } = run
  if (!hooks) return false
  if (!events.some(isAgentMessage) && !events.some(isSessionStart)) {
    const { events: started, context } = await hooks.sessionStart(signal)
    run.record([...started, ...(context === null ? [] : [nudge(context)])])
  }
  for (let index = since ?? firstUnheard(events); index < events.length; index++) {
    const message = events[index]
    if (!message || !isUserMessage(message) || isSubmitted(events, message)) continue
    const { events: executed, blocked, context } = await hooks.userPromptSubmit(message, signal)
    run.record([...executed, ...(context === null ? [] : [nudge(context)])])
    if (blocked !== null) return true
  }
  return false
}

/**
 * What follows the last answer. What was said while the model gave it stands before it, and is new where its calls ended the run,
 * as those do that wait for a person.
 */
function firstUnheard(events: readonly Event[]): number {
  const last = events.findLastIndex(isAgentMessage)
  const answer = events[last]
  if (answer?.kind !== 'ActionEvent' || answer.action?.kind === 'FinishAction') return last + 1
  const isOfAnswer = (event: Event | undefined) =>
    event?.kind === 'ActionEvent' && event.llm_response_id === answer.llm_response_id
  let first = last
  while (first > 0 && isOfAnswer(events[first - 1])) first--
  const before = events.slice(0, first).findLastIndex(event => isAgentMessage(event) || isResult(event))
  return before + 1
}

function isSubmitted(events: readonly Event[], { id }: EventOf<'MessageEvent'>): boolean {
  return events.some(event => event.kind === 'HookExecutionEvent' && event.message_id === id)
}

function isAgentMessage(event: Event): boolean {
  return event.kind === 'ActionEvent' || (event.kind === 'MessageEvent' && event.source === 'agent')
}

function isUserMessage(event: Event): event is EventOf<'MessageEvent'> {
  return event.kind === 'MessageEvent' && event.source === 'user'
}

function isSessionStart(event: Event): boolean {
  if (event.kind !== 'HookExecutionEvent' || event.hook_event_type !== 'SessionStart') return false
  return event.hook_command !== TRUST_NOTICE
}
