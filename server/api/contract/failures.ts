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
  image_pull_failed: 502,
  image_build_failed: 500,
  sandbox_not_found: 404,
  sandbox_not_running: 409,
  sandbox_start_failed: 500,
  too_many_sandboxes: 409,
  command_failed: 500,
  command_stopped: 504,
  file_not_found: 404,
  file_too_large: 413,
  file_not_text: 415,
  not_a_repository: 404,

  conversation_not_found: 404,
  conversation_exists: 409,
  conversation_elsewhere: 409,
  not_waiting: 409,
  conversation_running: 409,
  event_not_found: 404,
  settings_not_found: 404,
  model_not_set: 400,
  clone_failed: 500,
  git_refused: 409,
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
  provider_token_missing: 401,
  provider_token_invalid: 401,
  provider_refused: 403,
  provider_rate_limited: 429,
  provider_unavailable: 503,

  keychain_locked: 503,
  keychain_missing: 503,
  keychain_failed: 503,
  store_failed: 500,
  /** The database cannot be read; the next start repairs it. */
  store_damaged: 503,
  /** The data folder cannot be read or written, by a disk that is read-only or fails. */
  store_unavailable: 503,
  disk_full: 507,
  /** The service waits for a person to say what to do without a usable database. */
  storage_undecided: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** What each code means, for whoever writes a client. The message of a failure says what to do about it. */
export const MEANING_OF_ERRORS: Record<ErrorCode, string> = {
  bad_request: 'A value fits its schema but cannot be used.',
  invalid_id: 'The id has characters or a length that no id has.',
  unauthorized: 'The key is absent or wrong.',
  forbidden: 'The caller is a page of another site, or the key does not open this.',
  not_found: 'What the request names is not there.',
  conflict: 'The state of what the request is about does not allow it.',
  gone: 'The operation was removed.',
  too_large: 'The request is larger than may be sent.',
  too_many_requests: 'Too many requests came at once; the header Retry-After says when to try again.',
  internal: 'Something went wrong that nobody foresaw; the log has it.',
  not_supported: 'Atelier does not have this.',
  unavailable: 'This build or the machine lacks what it needs.',
  engine_unavailable: 'The container engine does not answer.',
  engine_failed: 'The container engine refused what it was asked for.',
  image_missing: 'The image of the sandbox is not there and cannot be pulled.',
  image_pull_failed: 'The image of the sandbox could not be pulled.',
  image_build_failed: 'The image of the sandbox could not be built; the message has the end of the log.',
  sandbox_not_found: 'The sandbox does not exist any more.',
  sandbox_not_running: 'The sandbox does not run; resume it first.',
  sandbox_start_failed: 'The sandbox could not be started.',
  too_many_sandboxes: 'As many sandboxes run as may at once; pause one, or change `max_running_sandboxes`.',
  command_failed: 'A command in the sandbox failed.',
  command_stopped: 'A command in the sandbox took too long or wrote too much, and was stopped.',
  file_not_found: 'There is no such file or folder.',
  file_too_large: 'The file is larger than can be shown.',
  file_not_text: 'The file is no text.',
  not_a_repository: 'The folder is not in a git repository.',
  conversation_not_found: 'There is no conversation with this id.',
  conversation_exists: 'A conversation with this id is there already.',
  conversation_elsewhere: 'Another agent server runs this conversation, so it cannot be changed here.',
  not_waiting: 'Nothing waits for an answer.',
  conversation_running: 'The agent is at work; pause it first.',
  event_not_found: 'There is no event with this id.',
  settings_not_found: 'Nothing was saved yet.',
  model_not_set: 'No model is set up, and the request names none.',
  clone_failed: 'The repository could not be cloned.',
  git_refused: 'Git, a hook of the repository or its remote refused; the message has its words.',
  trajectory_invalid: 'The recorded events cannot be replayed.',
  llm_authentication: "The model's server refused the key.",
  llm_unknown_model: 'Nobody knows a model of this name.',
  llm_no_credit: 'The account at the provider has no credit left.',
  llm_rate_limited: 'The provider is asked too often.',
  llm_context_exceeded: 'The conversation is longer than the model can read.',
  llm_history_refused: 'The provider refused the messages that it was sent.',
  llm_content_policy: 'The provider withheld its answer.',
  llm_bad_request: 'The address or the parameters of the model cannot be used.',
  llm_unreachable: "The model's server cannot be reached.",
  llm_failed: "The model's server failed.",
  secret_not_found: 'There is no secret of this name.',
  secret_exists: 'A secret of this name is there already.',
  provider_token_missing: 'No token of the git provider is stored.',
  provider_token_invalid: 'The git provider refused the token.',
  provider_refused: 'The git provider does not let the token do this.',
  provider_rate_limited:
    'The git provider is asked too often; the header Retry-After and the message say when it can be asked again.',
  provider_unavailable: 'The git provider cannot be asked.',
  keychain_locked: 'The keychain is locked.',
  keychain_missing: 'There is no keychain.',
  keychain_failed: 'The keychain failed.',
  store_failed: 'The database failed.',
  store_damaged: 'The database cannot be read; the next start repairs it.',
  store_unavailable: 'The data folder cannot be read or written.',
  disk_full: 'The disk is full.',
  storage_undecided: 'The service has no usable database and waits for a person to decide.',
}

/** A failure that an operation names. Existing clients expect some of them under another status. */
export type Failure = ErrorCode | { code: ErrorCode; status: number }

export function codeOf(failure: Failure): ErrorCode {
  return typeof failure === 'string' ? failure : failure.code
}

export function statusOf(failure: Failure): number {
  return typeof failure === 'string' ? ERROR_STATUS[failure] : failure.status
}

/** What any operation may answer, and none has to name: who calls, how it is written, and what went wrong that nobody foresaw. */
export const EVERYWHERE: ReadonlySet<string> = new Set<ErrorCode>([
  'unauthorized',
  'forbidden',
  'too_large',
  'too_many_requests',
  'internal',
  'store_failed',
  'store_damaged',
  'store_unavailable',
  'disk_full',
  'storage_undecided',
  'engine_failed',
  'command_failed',
  'command_stopped',
  'clone_failed',
  'sandbox_start_failed',
  'too_many_sandboxes',
  'image_missing',
  'image_pull_failed',
  'image_build_failed',
])

/** Of an operation on a reported conversation, wherever its agent runs. */
export const IN_CONVERSATION = ['invalid_id', 'conversation_not_found'] as const

/** Of an operation that only the agent server that runs the conversation can carry out. */
export const IN_OWN_CONVERSATION = [...IN_CONVERSATION, 'conversation_elsewhere'] as const

/** Of an operation in a sandbox that has to run. */
export const IN_SANDBOX = ['sandbox_not_found', 'sandbox_not_running', 'engine_unavailable'] as const

/** The same in the words of the legacy generation, where a sandbox that does not run is not there. */
export const IN_RUNTIME = [
  'sandbox_not_found',
  { code: 'sandbox_not_running', status: 404 },
  'engine_unavailable',
] as const

/** Of an operation in the sandbox of the key. A paused one is resumed for it; one that is broken, or ends at once, is refused. */
export const IN_KEYS_SANDBOX = ['sandbox_not_running', 'engine_unavailable'] as const

/** Of an operation that reads or writes what the keychain keeps. */
export const IN_VAULT = ['keychain_locked', 'keychain_missing', 'keychain_failed'] as const

/** Of an operation that asks the model. */
export const OF_MODEL = [
  'model_not_set',
  'llm_authentication',
  'llm_unknown_model',
  'llm_no_credit',
  'llm_rate_limited',
  'llm_context_exceeded',
  'llm_history_refused',
  'llm_content_policy',
  'llm_bad_request',
  'llm_unreachable',
  'llm_failed',
] as const
