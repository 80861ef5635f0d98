import type { AgentOptions } from '../domain/agent-options.ts'
import type { Skill } from '../domain/skill.ts'

/** What a conversation's agent has of the skills that were found and of those that its client brought. Pure. */
export function availableSkills(
  found: readonly Skill[],
  brought: readonly Skill[],
  options: Pick<AgentOptions, 'loadsProjectSkills' | 'loadsUserSkills' | 'disabledSkills'>,
): Skill[] {
  const { loadsProjectSkills, loadsUserSkills, disabledSkills } = options
  const project = loadsProjectSkills ? found.filter(({ source }) => source === 'repository') : []
  const user = loadsUserSkills ? found.filter(({ source }) => source === 'user') : []
  const disabled = new Set(disabledSkills.map(name => name.toLowerCase()))
  const all = new Map<string, Skill>()
  for (const skill of [...project, ...brought, ...user]) {
    const name = skill.name.toLowerCase()
    if (!disabled.has(name) && !all.has(name)) all.set(name, skill)
  }
  return [...all.values()]
}
