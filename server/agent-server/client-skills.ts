import type { ClientSkill } from '../api/agent-server/agent-context.ts'
import { SKILL_LIMITS, type Skill, type SkillActivation } from '../domain/skill.ts'

/** Skills that a client brings along, the first of each name. Patterns are meant from where the agent works. */
export function toSkills(given: readonly ClientSkill[], workingDir: string): Skill[] {
  const skills = given.map(one => toSkill(one, workingDir))
  return skills.filter(({ name }, index) => skills.findIndex(other => other.name === name) === index)
}

function toSkill(given: ClientSkill, workingDir: string): Skill {
  return {
    name: given.name,
    description: (given.description ?? '').slice(0, SKILL_LIMITS.description),
    content: given.content,
    source: 'user',
    path: given.source?.trim() || 'the client of this conversation',
    folder: null,
    activation: activationOf(given, workingDir),
    userOnly: given.disable_model_invocation ?? false,
    inputs: given.inputs ?? [],
    tools: [],
    servers: {},
  }
}

function activationOf({ trigger, is_agentskills_format }: ClientSkill, workingDir: string): SkillActivation {
  switch (trigger?.type) {
    case 'keyword':
      return { kind: 'words', words: trigger.keywords }
    case 'task':
      return { kind: 'words', words: trigger.triggers }
    case 'path':
      return { kind: 'paths', patterns: trigger.paths, base: workingDir }
    default:
      return is_agentskills_format ? { kind: 'invoked' } : { kind: 'always' }
  }
}
