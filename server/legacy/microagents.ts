import type { Skill } from '../domain/skill.ts'

/** Instructions for agents in the legacy generation's words: always active, or when a word of theirs is said. */
export interface Microagent {
  name: string
  type: 'repo' | 'knowledge'
  content: string
  triggers: string[]
  inputs: { name: string; description: string }[]
  tools: string[]
}

/** The whole-file ones first, as those clients know it. */
export function toMicroagents(skills: readonly Skill[]): Microagent[] {
  const whole = ({ path }: Skill) => (path.includes('/') ? 1 : 0)
  return skills.toSorted((a, b) => whole(a) - whole(b)).map(toMicroagent)
}

function toMicroagent({ name, activation, content, inputs, tools }: Skill): Microagent {
  return {
    name,
    type: activation.kind === 'always' ? 'repo' : 'knowledge',
    content,
    triggers: activation.kind === 'words' ? activation.words : [],
    inputs,
    tools,
  }
}
