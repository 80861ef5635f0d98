import { ApiError } from '../../../server/client/api-error.ts'
import { t } from './text.ts'

/** What an error means for the person's work, and the page that helps. Trying again is offered where it is possible. The service's words say what happened. */
export interface Problem {
  what: string
  meaning: string | null
  remedy: 'none' | 'model-settings' | 'system' | 'sandboxes'
}

const MEANINGS: Readonly<Record<string, Omit<Problem, 'what'>>> = {
  unreachable: { meaning: t('whatYouSee'), remedy: 'none' },
  unauthorized: { meaning: t('serviceDoesNotAccept'), remedy: 'none' },
  engine_unavailable: { meaning: t('sandboxesNeedEngine'), remedy: 'system' },
  engine_failed: { meaning: t('sandboxIsUnchanged'), remedy: 'none' },
  image_missing: { meaning: t('specCannotStart'), remedy: 'none' },
  image_pull_failed: { meaning: t('sandboxWasNotStarted'), remedy: 'none' },
  image_build_failed: { meaning: t('sandboxWasNotStarted'), remedy: 'none' },
  sandbox_not_found: { meaning: t('itWasRemoved'), remedy: 'none' },
  sandbox_not_running: { meaning: t('nothingCanBeDone'), remedy: 'none' },
  too_many_sandboxes: { meaning: t('nothingIsLost'), remedy: 'sandboxes' },
  clone_failed: { meaning: t('conversationWasNotStarted'), remedy: 'none' },
  model_not_set: { meaning: t('agentCannotWorkWithoutModel'), remedy: 'model-settings' },
  llm_authentication: { meaning: t('agentCannotWorkWithThisKey'), remedy: 'model-settings' },
  llm_unknown_model: { meaning: t('agentCannotWorkWithThisModel'), remedy: 'model-settings' },
  llm_no_credit: { meaning: t('providerRefusesToAnswer'), remedy: 'none' },
  llm_rate_limited: { meaning: t('providerLimitsRate'), remedy: 'none' },
  llm_unreachable: { meaning: t('modelsServerDoesNotAnswer'), remedy: 'none' },
  keychain_locked: { meaning: t('keysCannotBeRead'), remedy: 'system' },
  keychain_missing: { meaning: t('keysAreKeptInMemory'), remedy: 'system' },
  validation: { meaning: t('nothingWasSaved'), remedy: 'none' },
  conflict: { meaning: null, remedy: 'none' },
  internal: { meaning: t('logSays'), remedy: 'none' },
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) {
    return { what: error.message, ...(MEANINGS[error.code] ?? { meaning: null, remedy: 'none' }) }
  }
  const what = error instanceof Error ? error.message : String(error)
  return { what, meaning: null, remedy: 'none' }
}
