import type { ExecutionStatus } from '../../event/events.ts'

const DELETING = 'The conversation is being deleted.'
const WORKING = 'The agent is working already. Send a message, or wait until it is done.'
const PAUSE_FIRST = 'The agent is working. Pause it first.'

const ANY_TIME = {
  idle: true,
  running: true,
  paused: true,
  waiting_for_confirmation: true,
  finished: true,
  error: true,
  stuck: true,
} as const

/**
 * What can be done to the run of a conversation in which status: the service's rule, the API's error and the window's
 * disabled reason in one table. `true` is allowed; a text says why not. `continue` is a person's: letting the agent go on
 * without another word, where that has a meaning; clients of the API may always `run`.
 */
const RUN_ACTIONS = {
  run: { ...ANY_TIME, running: WORKING, deleting: DELETING },
  continue: {
    ...ANY_TIME,
    running: WORKING,
    waiting_for_confirmation: 'The agent waits for your answer below.',
    finished: 'The agent has finished. Send a message to go on.',
    deleting: DELETING,
  },
  send: { ...ANY_TIME, deleting: DELETING },
  pause: { ...ANY_TIME, deleting: DELETING },
  interrupt: { ...ANY_TIME, deleting: DELETING },
  navigate: { ...ANY_TIME, running: PAUSE_FIRST, deleting: DELETING },
} as const satisfies Record<string, Record<ExecutionStatus, true | string>>

export type RunAction = keyof typeof RUN_ACTIONS

/** Why it is not allowed; null when it is. */
export function refusalOf(action: RunAction, status: ExecutionStatus): string | null {
  const rule: true | string = RUN_ACTIONS[action][status]
  return rule === true ? null : rule
}
