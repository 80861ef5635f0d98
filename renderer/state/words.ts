import type { ExecutionStatus } from '../../server/api/event/events.ts'
import type { AppConversation } from '../../server/api/v1/conversation/conversations.ts'
import type { StartTaskStatus } from '../../server/api/v1/conversation/starts.ts'
import type { SandboxStatus } from '../../server/api/v1/sandbox/sandboxes.ts'

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
  working: { word: 'working', meaning: 'The agent is at work.', tone: 'work', shape: 'spinner' },
  waiting: { word: 'waiting for you', meaning: 'The agent needs your answer to go on.', tone: 'wait', shape: 'ring' },
  'agent-paused': { word: 'paused', meaning: 'The agent stopped between two steps.', tone: 'rest', shape: 'bars' },
  done: { word: 'done', meaning: 'The agent says the task is finished.', tone: 'good', shape: 'check' },
  stuck: { word: 'stuck', meaning: 'The agent repeats itself. A hint from you helps.', tone: 'stuck', shape: 'loop' },
  failed: { word: 'failed', meaning: 'An error stopped the agent.', tone: 'bad', shape: 'cross' },
  limit: {
    word: 'limit reached',
    meaning: 'A limit stopped the agent. Raise it to go on.',
    tone: 'limit',
    shape: 'gauge',
  },
  deleting: { word: 'deleting', meaning: 'The conversation is being deleted.', tone: 'rest', shape: 'dash' },
  starting: { word: 'starting', meaning: 'The sandbox is being started.', tone: 'work', shape: 'spinner' },
  running: { word: 'running', meaning: 'The sandbox runs.', tone: 'good', shape: 'dot' },
  paused: {
    word: 'paused',
    meaning: 'The sandbox is frozen. It keeps its files and memory.',
    tone: 'rest',
    shape: 'bars',
  },
  missing: { word: 'missing', meaning: 'The sandbox was removed outside of Atelier.', tone: 'stuck', shape: 'dash' },
  unreachable: {
    word: 'engine away',
    meaning: 'The Docker engine does not answer, so nobody knows how it is now.',
    tone: 'rest',
    shape: 'dash',
  },
  error: { word: 'error', meaning: 'The sandbox has stopped with an error.', tone: 'bad', shape: 'cross' },
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
  return unreachable ? `${word}, ${STATE_WORDS.unreachable.word}` : word
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
  WORKING: 'Preparing',
  WAITING_FOR_SANDBOX: 'Sandbox',
  PREPARING_REPOSITORY: 'Repository',
  RUNNING_SETUP_SCRIPT: 'Setup script',
  SETTING_UP_GIT_HOOKS: 'Git hooks',
  STARTING_CONVERSATION: 'Conversation',
  READY: 'Ready',
  ERROR: 'Failed',
} as const satisfies Record<StartTaskStatus, string>
