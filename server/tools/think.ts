import { z } from 'zod'
import type { Action } from '../api/event/actions.ts'
import { type Tool, text } from './tool.ts'

type ThinkAction = Extract<Action, { kind: 'ThinkAction' }>

const parameters = z.object({ thought: z.string().describe('The thought.') })

export function createThink(): Tool<ThinkAction> {
  return {
    name: 'think',
    description: `Write a thought down. Nothing is run and nothing changes; the thought is only kept in the log.
Use it to reason about something hard before acting: several possible causes of a failure, a plan for a change across files, what a long output means, what could go wrong.`,
    parameters,
    readOnly: true,
    toAction: given => ({ kind: 'ThinkAction', thought: String(given.thought) }),
    run: async () => ({
      kind: 'ThinkObservation',
      content: text('Your thought has been logged.'),
      is_error: false,
    }),
    close: async () => {},
  }
}
