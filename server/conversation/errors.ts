import type { ErrorCode } from '../api/contract/failures.ts'
import type { EventOf, NewEvent } from '../api/event/events.ts'
import { isAppError, messageOf } from '../domain/errors.ts'

type Classification = EventOf<'ConversationErrorEvent'>['classification']

/** What a person can do about each failure of a run; everything else is ours. */
const CLASSIFICATIONS: Partial<Record<ErrorCode, Classification>> = {
  llm_authentication: { kind: 'auth', retryable: true, user_action: 'settings' },
  llm_unknown_model: { kind: 'config', retryable: true, user_action: 'settings' },
  model_not_set: { kind: 'config', retryable: true, user_action: 'settings' },
  keychain_locked: { kind: 'auth', retryable: true, user_action: 'retry' },
  keychain_missing: { kind: 'auth', retryable: true, user_action: 'settings' },
  llm_no_credit: { kind: 'quota', retryable: true, user_action: 'settings' },
  llm_rate_limited: { kind: 'rate_limit', retryable: true, user_action: 'retry' },
  llm_context_exceeded: { kind: 'agent_action', retryable: false, user_action: 'none' },
  llm_history_refused: { kind: 'agent_action', retryable: false, user_action: 'none' },
  llm_content_policy: { kind: 'agent_action', retryable: true, user_action: 'none' },
  llm_bad_request: { kind: 'config', retryable: true, user_action: 'settings' },
  llm_unreachable: { kind: 'transient', retryable: true, user_action: 'retry' },
  llm_failed: { kind: 'transient', retryable: true, user_action: 'retry' },
  engine_unavailable: { kind: 'transient', retryable: true, user_action: 'retry' },
  sandbox_not_running: { kind: 'transient', retryable: true, user_action: 'retry' },
  sandbox_not_found: { kind: 'config', retryable: false, user_action: 'none' },
  disk_full: { kind: 'transient', retryable: true, user_action: 'retry' },
  store_unavailable: { kind: 'transient', retryable: true, user_action: 'retry' },
}

const INTERNAL: Classification = { kind: 'internal', retryable: true, user_action: 'retry' }

export function conversationError(error: unknown): NewEvent {
  const code = isAppError(error) ? error.code : 'internal'
  return {
    kind: 'ConversationErrorEvent',
    source: 'environment',
    code,
    detail: isAppError(error) ? error.message : `Atelier made a mistake: ${messageOf(error)}`,
    classification: CLASSIFICATIONS[code] ?? INTERNAL,
  }
}
