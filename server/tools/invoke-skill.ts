import { z } from 'zod'
import type { Action } from '../api/event/actions.ts'
import { isAppError } from '../domain/errors.ts'
import type { SkillLibrary } from '../domain/skill-library.ts'
import { type Tool, text } from './tool.ts'

type InvokeSkillAction = Extract<Action, { kind: 'InvokeSkillAction' }>

export const INVOKE_SKILL = 'invoke_skill'

const parameters = z.object({ name: z.string().describe('Name of the skill, from the list of skills.') })

export function createInvokeSkill(skillLibrary: SkillLibrary): Tool<InvokeSkillAction> {
  return {
    name: INVOKE_SKILL,
    description: `Read a skill: instructions that the repository or the user keeps for a kind of work, with scripts and references that belong to it.
Use it before you begin work that the description of a skill fits. Read each skill once.`,
    parameters,
    readOnly: true,
    toAction: given => ({ kind: 'InvokeSkillAction', name: String(given.name) }),
    run: async ({ name }, { signal }) => {
      const answer = { kind: 'InvokeSkillObservation', name } as const
      try {
        return { ...answer, content: text(await skillLibrary.read(name, signal)), is_error: false }
      } catch (error) {
        if (!isAppError(error, 'not_found')) throw error
        return { ...answer, content: text(error.message), is_error: true }
      }
    },
    close: async () => {},
  }
}
