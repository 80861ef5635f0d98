import type { EventOf } from '../../../server/api/event/events.ts'

export interface ProblemWords {
  meaning: string
  remedy: 'raise_iterations' | 'raise_budget' | 'settings' | 'retry' | 'none'
}

type Problem = EventOf<'ConversationErrorEvent'>
type ErrorKind = Problem['classification']['kind']

const LIMITS: Readonly<Record<string, ProblemWords>> = {
  MaxIterationsReached: { meaning: 'The work so far is kept.', remedy: 'raise_iterations' },
  MaxBudgetReached: { meaning: 'The work so far is kept.', remedy: 'raise_budget' },
}

const STOPPED: Readonly<Record<string, ProblemWords>> = {
  AgentStuck: { meaning: 'It was stopped before it used up more. A hint from you helps it on.', remedy: 'retry' },
  StopHookObjects: { meaning: 'The work so far is kept.', remedy: 'retry' },
}

const MEANINGS = {
  auth: 'The agent cannot work until the key or the model is changed. Nothing is lost.',
  quota: 'The provider refuses to answer until the account is topped up. Nothing is lost.',
  rate_limit: 'The provider asks for a break. The agent can go on later.',
  config: 'The agent cannot work with these settings. Nothing is lost.',
  transient: 'This may pass by itself. The agent can go on from its last step.',
  agent_action: 'The agent could not carry out its step. It can go on from there.',
  internal: 'A fault in Atelier stopped the run. The events up to here are on disk.',
  limit: 'A limit stopped the run. The work so far is kept.',
  unknown: 'The run stopped. The work so far is kept.',
} as const satisfies Record<ErrorKind, string>

/** What a stopped run means for the person's work, and what helps. */
export function problemWords({ code, classification }: Problem): ProblemWords {
  const known = LIMITS[code] ?? STOPPED[code]
  if (known) return known
  const { kind, user_action, retryable } = classification
  const remedy = user_action === 'none' && retryable ? 'retry' : user_action
  return { meaning: MEANINGS[kind], remedy }
}
