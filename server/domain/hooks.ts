import type { Action } from '../api/event/actions.ts'
import type { EventOf, NewEvent } from '../api/event/events.ts'
import type { Observation } from '../api/event/observations.ts'

/** What the hooks of one moment said, all of them taken together. */
export interface HookOutcome {
  /** One `HookExecutionEvent` for each hook that ran, in order; to be recorded whatever came out. */
  events: Extract<NewEvent, { kind: 'HookExecutionEvent' }>[]
  /** Why it must not happen, in words for the model and the user; null lets it happen. */
  blocked: string | null
  /** What the hooks add for the model to read; null is nothing. Masked and limited in size. */
  context: string | null
}

export type LoggedCall = EventOf<'ActionEvent'> & { action: Action }

/**
 * The repository's own commands at fixed moments of the agent's work.
 *
 * INVARIANTS: a hook that fails, is slow or answers nonsense lets everything go on (its event says so); nothing
 * is run and `events` is empty where no hook matches. Rejects only with the signal's reason, or with AppError when the
 * sandbox cannot serve.
 */
export interface AgentHooks {
  /** When a run begins for the first time in this conversation. `context` is for the model before its first step. */
  sessionStart(signal: AbortSignal): Promise<HookOutcome>
  /** Before the model is asked about a message. Blocked: the message is not answered and the run ends as finished. */
  userPromptSubmit(message: EventOf<'MessageEvent'>, signal: AbortSignal): Promise<HookOutcome>
  /** Before a call is carried out. Blocked: answered with a `UserRejectObservation` of source `hook` instead. */
  preToolUse(call: LoggedCall, signal: AbortSignal): Promise<HookOutcome>
  /** After it. Blocked: the result stands, and the model gets the reason with it (as `context` is). */
  postToolUse(call: LoggedCall, observation: Observation, signal: AbortSignal): Promise<HookOutcome>
  /** When the agent wants to end. Blocked: it goes on, with the reason as its next instruction. */
  stop(signal: AbortSignal): Promise<HookOutcome>
  /** When the conversation is closed or deleted while its sandbox runs; nothing can block it. */
  sessionEnd(signal: AbortSignal): Promise<HookOutcome>
}
