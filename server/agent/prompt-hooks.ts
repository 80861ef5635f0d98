import type { Event, EventOf } from '../api/event/events.ts'
import { TRUST_NOTICE } from '../api/v1/conversation/repository-trust.ts'
import { nudge } from './answer.ts'
import type { AgentRun } from './run.ts'

type Run = Pick<AgentRun, 'events' | 'hooks' | 'record' | 'signal'>

/**
 * Tells the repository's hooks that the agent begins, and of what a person has said.
 * @param since where the log was when the model was last asked in this run: what was said while it answered stands before its
 * answer. undefined before it is asked, when only what comes after the last answer is new.
 * @returns whether they forbid an answer
 */
export async function submitMessages(run: Run, since: number | undefined): Promise<boolean> {
  const { hooks, signal } = run
  if (!hooks) return false
  const last = run.events.findLastIndex(isAgentMessage)
  if (last < 0 && !run.events.some(isSessionStart)) {
    const { events, context } = await hooks.sessionStart(signal)
    run.record([...events, ...(context === null ? [] : [nudge(context)])])
  }
  for (const message of run.events.slice(since ?? last + 1).filter(isUserMessage)) {
    if (run.events.some(event => event.kind === 'HookExecutionEvent' && event.message_id === message.id)) continue
    const { events, blocked, context } = await hooks.userPromptSubmit(message, signal)
    run.record([...events, ...(context === null ? [] : [nudge(context)])])
    if (blocked !== null) return true
  }
  return false
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
