/**
 * Every failure the service can name. The code is the contract: callers branch on it, never on the message.
 * `status` is the HTTP status a client sees.
 */
export const ERROR_STATUS = {
  bad_request: 400,
  invalid_id: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  too_large: 413,
  too_many_requests: 429,
  internal: 500,
  not_supported: 501,
  unavailable: 503,

  engine_unavailable: 503,
  engine_failed: 500,
  image_missing: 404,
  image_pull_failed: 500,
  sandbox_not_found: 404,
  sandbox_not_running: 409,
  sandbox_start_failed: 500,
  command_failed: 500,
  file_not_found: 404,
  file_too_large: 413,
  file_not_text: 415,
  not_a_repository: 404,

  conversation_not_found: 404,
  conversation_exists: 409,
  not_waiting: 409,
  conversation_running: 409,
  event_not_found: 404,
  settings_not_found: 404,
  model_not_set: 400,
  clone_failed: 500,
  trajectory_invalid: 400,

  llm_authentication: 401,
  llm_unknown_model: 404,
  llm_no_credit: 402,
  llm_rate_limited: 429,
  llm_context_exceeded: 413,
  llm_history_refused: 400,
  llm_content_policy: 400,
  llm_bad_request: 400,
  llm_unreachable: 502,
  llm_failed: 502,

  secret_not_found: 404,
  secret_exists: 400,
  provider_token_invalid: 401,
  provider_unavailable: 503,

  keychain_locked: 503,
  keychain_missing: 503,
  keychain_failed: 503,
  store_failed: 500,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** One error type for the whole service. The message is for a person: what happened, then what to do next. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details ?? {}
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code)
}

/** The text of anything thrown, for logs and for wrapping; never for deciding. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
