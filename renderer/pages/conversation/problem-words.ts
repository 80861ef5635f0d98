import type { EventOf } from '../../../server/api/event/events.ts'
import { t } from './text.ts'

export interface ProblemWords {
  meaning: string
  remedy: 'raise_iterations' | 'raise_budget' | 'settings' | 'retry' | 'none'
}

type Problem = EventOf<'ConversationErrorEvent'>
type ErrorKind = Problem['classification']['kind']

const LIMITS: Readonly<Record<string, ProblemWords>> = {
  MaxIterationsReached: { meaning: t('workSoFarIsKept'), remedy: 'raise_iterations' },
  MaxBudgetReached: { meaning: t('workSoFarIsKept'), remedy: 'raise_budget' },
}

const STOPPED: Readonly<Record<string, ProblemWords>> = {
  AgentStuck: { meaning: t('itWasStoppedBefore'), remedy: 'retry' },
  StopHookObjects: { meaning: t('workSoFarIsKept'), remedy: 'retry' },
}

const MEANINGS = {
  auth: t('keyKeepsAgentFromWorking'),
  quota: t('providerRefusesToAnswer'),
  rate_limit: t('providerLimitsRate'),
  config: t('settingsKeepAgentFromWorking'),
  transient: t('thisMayPassByItself'),
  agent_action: t('stepFailed'),
  internal: t('faultInAtelierStoppedRun'),
  limit: t('limitStoppedRun'),
  unknown: t('runStopped'),
} as const satisfies Record<ErrorKind, string>

/** What a stopped run means for the person's work, and what helps. */
export function problemWords({ code, classification }: Problem): ProblemWords {
  const known = LIMITS[code] ?? STOPPED[code]
  if (known) return known
  const { kind, user_action, retryable } = classification
  const remedy = user_action === 'none' && retryable ? 'retry' : user_action
  return { meaning: MEANINGS[kind], remedy }
}
