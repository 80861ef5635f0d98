import type { RuntimeStatus } from '../api/legacy/conversation-routes.ts'

/** What existing clients show a person by its name when a run has failed. A limit, or an agent that is stuck, has none. */
const STATUS_OF_FAILURE: Readonly<Record<string, RuntimeStatus>> = {
  llm_authentication: 'STATUS$ERROR_LLM_AUTHENTICATION',
  llm_no_credit: 'STATUS$ERROR_LLM_OUT_OF_CREDITS',
  llm_rate_limited: 'CHAT_INTERFACE$AGENT_RATE_LIMITED_STOPPED_MESSAGE',
  llm_unreachable: 'STATUS$ERROR_LLM_SERVICE_UNAVAILABLE',
  llm_failed: 'STATUS$ERROR_LLM_INTERNAL_SERVER_ERROR',
  llm_content_policy: 'STATUS$ERROR_LLM_CONTENT_POLICY_VIOLATION',
  engine_unavailable: 'STATUS$ERROR_RUNTIME_DISCONNECTED',
  sandbox_not_running: 'STATUS$ERROR_RUNTIME_DISCONNECTED',
  sandbox_not_found: 'STATUS$ERROR_RUNTIME_DISCONNECTED',
  llm_unknown_model: 'STATUS$ERROR',
  llm_bad_request: 'STATUS$ERROR',
  llm_context_exceeded: 'STATUS$ERROR',
  llm_history_refused: 'STATUS$ERROR',
  model_not_set: 'STATUS$ERROR',
  keychain_locked: 'STATUS$ERROR',
  keychain_missing: 'STATUS$ERROR',
  internal: 'STATUS$ERROR',
}

export function statusOfFailure(code: string): RuntimeStatus | undefined {
  return Object.hasOwn(STATUS_OF_FAILURE, code) ? STATUS_OF_FAILURE[code] : undefined
}
