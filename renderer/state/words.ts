import type { ExecutionStatus } from '../../server/api/event/events.ts'
import type { AppConversation } from '../../server/api/v1/conversation/conversations.ts'
import type { StartTaskStatus } from '../../server/api/v1/conversation/starts.ts'
import type { SandboxStatus } from '../../server/api/v1/sandbox/sandboxes.ts'
import { t } from './text.ts'

/** The shape that tells a state apart without its colour. */
export type StateShape = 'spinner' | 'ring' | 'bars' | 'check' | 'cross' | 'loop' | 'gauge' | 'dash' | 'dot'

export interface StateWord {
  word: string
  /** What it means, for a tooltip. */
  meaning: string
  tone: 'work' | 'wait' | 'rest' | 'good' | 'bad' | 'stuck' | 'limit'
  shape: StateShape
}

/** Every state that a person reads, with its one word, colour and shape. */
export const STATE_WORDS = {
  working: { word: t('working'), meaning: t('agentIsAtWork'), tone: 'work', shape: 'spinner' },
  waiting: { word: t('waitingForYou'), meaning: t('agentNeedsYourAnswer'), tone: 'wait', shape: 'ring' },
  'agent-paused': { word: t('paused'), meaning: t('pausedAfterStep'), tone: 'rest', shape: 'bars' },
  done: { word: t('done'), meaning: t('agentSaysTaskIsFinished'), tone: 'good', shape: 'check' },
  stuck: { word: t('stuck'), meaning: t('agentRepeatsItself'), tone: 'stuck', shape: 'loop' },
  failed: { word: t('stateFailed'), meaning: t('errorStoppedAgent'), tone: 'bad', shape: 'cross' },
  limit: {
    word: t('limitReached'),
    meaning: t('limitStoppedAgent'),
    tone: 'limit',
    shape: 'gauge',
  },
  deleting: { word: t('deleting'), meaning: t('conversationIsBeingDeleted'), tone: 'rest', shape: 'dash' },
  starting: { word: t('starting'), meaning: t('sandboxIsBeingStarted'), tone: 'work', shape: 'spinner' },
  running: { word: t('running'), meaning: t('sandboxRuns'), tone: 'good', shape: 'dot' },
  paused: {
    word: t('paused'),
    meaning: t('sandboxIsFrozen'),
    tone: 'rest',
    shape: 'bars',
  },
  missing: { word: t('missing'), meaning: t('sandboxWasRemovedOutside'), tone: 'stuck', shape: 'dash' },
  unreachable: {
    word: t('engineAway'),
    meaning: t('engineDoesNotAnswer'),
    tone: 'rest',
    shape: 'dash',
  },
  error: { word: t('error'), meaning: t('sandboxHasStoppedWithError'), tone: 'bad', shape: 'cross' },
} as const satisfies Record<string, StateWord>

export type State = keyof typeof STATE_WORDS

const SANDBOX_STATES = {
  STARTING: 'starting',
  RUNNING: 'running',
  PAUSED: 'paused',
  ERROR: 'error',
  MISSING: 'missing',
} as const satisfies Record<SandboxStatus, State>

const EXECUTION_STATES = {
  idle: 'waiting',
  running: 'working',
  paused: 'agent-paused',
  waiting_for_confirmation: 'waiting',
  finished: 'done',
  error: 'failed',
  stuck: 'stuck',
  deleting: 'deleting',
} as const satisfies Record<ExecutionStatus, State>

export function sandboxState(status: SandboxStatus): State {
  return SANDBOX_STATES[status]
}

export function executionState(status: ExecutionStatus, limitReached: AppConversation['limit_reached']): State {
  return limitReached && status !== 'running' ? 'limit' : EXECUTION_STATES[status]
}

/** The word of a sandbox as a person reads it: of one whose engine is away, how it was last. */
export function sandboxWord(status: SandboxStatus, unreachable: boolean): string {
  const { word } = STATE_WORDS[sandboxState(status)]
  return unreachable ? t('stateWithEngineAway', { state: word }) : word
}

export function conversationState(
  conversation: Pick<AppConversation, 'execution_status' | 'limit_reached' | 'sandbox_status'>,
): State {
  const { execution_status, limit_reached, sandbox_status } = conversation
  return execution_status ? executionState(execution_status, limit_reached) : sandboxState(sandbox_status)
}

/** The states that a conversation list can be filtered by, in the order of what needs a person first. */
export const CONVERSATION_STATES = [
  'waiting',
  'working',
  'agent-paused',
  'limit',
  'stuck',
  'failed',
  'done',
] as const satisfies readonly State[]

/** A start task's steps in words, in their order. */
export const START_STEP_WORDS = {
  WORKING: t('preparing'),
  WAITING_FOR_SANDBOX: t('sandbox'),
  PREPARING_REPOSITORY: t('repository'),
  RUNNING_SETUP_SCRIPT: t('setupScript'),
  SETTING_UP_GIT_HOOKS: t('gitHooks'),
  STARTING_CONVERSATION: t('conversation'),
  READY: t('ready'),
  ERROR: t('failed'),
} as const satisfies Record<StartTaskStatus, string>
