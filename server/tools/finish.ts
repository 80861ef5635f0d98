import { z } from 'zod'
import type { Action } from '../api/event/actions.ts'
import { type Tool, text } from './tool.ts'

type FinishAction = Extract<Action, { kind: 'FinishAction' }>

const parameters = z.object({
  message: z
    .string()
    .describe('What the user reads: what was done, what was checked and how, and what is left or uncertain.'),
})

export function createFinish(): Tool<FinishAction> {
  return {
    name: 'finish',
    description: `End your work on the current request and report to the user.
Call it when the request is done and you have checked that it works, or when you cannot go on without the user (say then what you need). It must be the last call: calls after it are not carried out.`,
    parameters,
    readOnly: true,
    toAction: given => ({ kind: 'FinishAction', message: String(given.message) }),
    run: async action => ({ kind: 'FinishObservation', content: text(action.message), is_error: false }),
    close: async () => {},
  }
}
