import type { ErrorCode } from '../api/contract/failures.ts'

const TRY_AGAIN = 'Try again in a moment.'
const CHECK_ENGINE = 'Check that the container engine runs: `GET /api/v1/system` says what is missing.'
const CHECK_MODEL = 'Check the model, its address and its key in the settings.'
const CHECK_DISK = 'Check the disk of the data folder, then start Atelier again.'
const LIST = 'List what there is and check the id.'

/** What helps after each failure. The message of a failure says what happened; this says what to do. */
export const NEXT_STEPS: Record<ErrorCode | 'validation' | 'unreachable' | 'timeout', string> = {
  validation: 'Correct the named fields.',
  unreachable: 'Start Atelier, or run `atelier serve`.',
  timeout: 'Ask for the state before you repeat a change: it may have been made.',

  bad_request: 'Correct the value that the message names.',
  invalid_id: 'Use an id as the service gave it: a UUID, with or without hyphens.',
  unauthorized: 'Run `atelier login`, or give the key with SESSION_API_KEY.',
  forbidden: 'Use the key of the app instead of the key of a sandbox.',
  not_found: LIST,
  conflict: 'Read the present state, then decide anew.',
  gone: 'Use the operation that took its place.',
  too_large: 'Send less at once.',
  too_many_requests: 'Wait as long as the header Retry-After says.',
  internal: 'Look into the log in the data folder.',
  not_supported: 'Do without it: this service does not have it.',
  unavailable: 'Read the message: it names what is missing.',

  engine_unavailable: CHECK_ENGINE,
  engine_failed: CHECK_ENGINE,
  image_missing: 'Choose an image that the engine has or can pull.',
  image_pull_failed: 'Check the name of the image and the connection to its registry.',
  image_build_failed: 'Correct the Dockerfile of the sandbox spec, then build it again.',
  sandbox_not_found: LIST,
  sandbox_not_running: 'Resume the sandbox, then try again.',
  too_many_sandboxes: 'Pause a sandbox, or change `max_running_sandboxes` in the settings.',
  sandbox_start_failed: 'Delete the sandbox and start another one.',
  command_failed: 'Read the output of the command.',
  command_stopped: 'Look at the programs of the sandbox, such as its git: one does not answer.',
  file_not_found: 'Check the path.',
  file_too_large: 'Download the file instead.',
  file_not_text: 'Download the file instead.',
  not_a_repository: 'Name a folder in a git repository.',

  conversation_not_found: LIST,
  conversation_exists: 'Choose another id, or none.',
  conversation_elsewhere: 'Ask the agent server that runs the conversation.',
  not_waiting: 'Nothing: it was answered already.',
  conversation_running: 'Pause or stop the agent, or wait until it is done.',
  event_not_found: LIST,
  settings_not_found: 'Save settings first.',
  model_not_set: 'Set `llm_model` in the settings, or name a model with the request.',
  clone_failed: 'Check the address of the repository and the token of its provider.',
  git_refused: 'Put right what git says, or ask the agent to.',
  trajectory_invalid: 'Use a trajectory that Atelier or OpenHands has written.',

  llm_authentication: 'Set `llm_api_key` anew.',
  llm_unknown_model: 'Check the name of the model.',
  llm_no_credit: 'Add credit at the provider, or choose another model.',
  llm_rate_limited: TRY_AGAIN,
  llm_context_exceeded: 'Condense the conversation, or choose a model with a larger context.',
  llm_history_refused: 'Go back to an earlier event, or begin a new conversation.',
  llm_content_policy: 'Say it in another way, or choose another model.',
  llm_bad_request: CHECK_MODEL,
  llm_unreachable: CHECK_MODEL,
  llm_failed: TRY_AGAIN,

  secret_not_found: LIST,
  secret_exists: 'Choose another name, or change the secret that is there.',
  provider_token_missing: 'Save a token for the provider in Settings › Git.',
  provider_token_invalid: 'Save a new token for the provider.',
  provider_refused: 'Give the token the permission, or save another one.',
  provider_rate_limited: TRY_AGAIN,
  provider_unavailable: TRY_AGAIN,

  keychain_locked: 'Unlock the keychain.',
  keychain_missing: 'Start a keychain, or give keys with the environment.',
  keychain_failed: 'Check the keychain, then try again.',
  store_failed: CHECK_DISK,
  store_damaged: 'Start Atelier again: it repairs the database.',
  store_unavailable: CHECK_DISK,
  disk_full: 'Free space on the disk of the data folder.',
  storage_undecided: 'Decide in the window of Atelier what to do about the database.',
}
