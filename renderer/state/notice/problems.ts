import { ApiError } from '../../../server/client/api-error.ts'

/** What an error means for the person's work, and the page that helps. Trying again is offered where it is possible. The service's words say what happened. */
export interface Problem {
  what: string
  meaning: string | null
  remedy: 'none' | 'model-settings' | 'system'
}

const MEANINGS: Readonly<Record<string, Omit<Problem, 'what'>>> = {
  unreachable: { meaning: 'What you see may be out of date.', remedy: 'none' },
  unauthorized: { meaning: 'The service does not accept this window’s key.', remedy: 'none' },
  engine_unavailable: { meaning: 'Sandboxes cannot start until the engine answers.', remedy: 'system' },
  engine_failed: { meaning: 'The sandbox is as it was before.', remedy: 'none' },
  image_missing: { meaning: 'Sandboxes of this spec cannot start.', remedy: 'none' },
  image_pull_failed: { meaning: 'The sandbox was not started.', remedy: 'none' },
  sandbox_not_found: { meaning: 'It was removed, here or outside of Atelier.', remedy: 'none' },
  sandbox_not_running: { meaning: 'Nothing can be done in it until it runs.', remedy: 'none' },
  clone_failed: { meaning: 'The conversation was not started. Nothing was changed.', remedy: 'none' },
  model_not_set: { meaning: 'The agent cannot work without a model.', remedy: 'model-settings' },
  llm_authentication: { meaning: 'The agent cannot work with this key.', remedy: 'model-settings' },
  llm_unknown_model: { meaning: 'The agent cannot work with this model.', remedy: 'model-settings' },
  llm_no_credit: { meaning: 'The provider refuses to answer until the account is topped up.', remedy: 'none' },
  llm_rate_limited: { meaning: 'The provider asks for a break.', remedy: 'none' },
  llm_unreachable: { meaning: 'The model’s server does not answer.', remedy: 'none' },
  keychain_locked: { meaning: 'Keys cannot be read or stored until it is unlocked.', remedy: 'system' },
  keychain_missing: { meaning: 'Keys are kept in memory only.', remedy: 'system' },
  validation: { meaning: 'Nothing was saved.', remedy: 'none' },
  conflict: { meaning: null, remedy: 'none' },
  internal: { meaning: 'The log says more. Your conversations are on disk.', remedy: 'none' },
}

export function problemOf(error: unknown): Problem {
  if (error instanceof ApiError) {
    return { what: error.message, ...(MEANINGS[error.code] ?? { meaning: null, remedy: 'none' }) }
  }
  const what = error instanceof Error ? error.message : String(error)
  return { what, meaning: null, remedy: 'none' }
}
