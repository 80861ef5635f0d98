import { z } from 'zod'
import { hooksConfig } from './hooks-config.ts'
import { skill } from './skill.ts'
import { subAgent } from './sub-agent.ts'

/** What a conversation knows from its repository and its user, as it was read last. */
export const known = z.object({
  skills: z.array(skill),
  subAgents: z.array(subAgent).default([]),
  /** Words for a person about files that were not understood. */
  problems: z.array(z.string()),
  hooks: hooksConfig.nullable(),
  hookProblems: z.array(z.string()),
})
export type Known = z.output<typeof known>

export const NOTHING_KNOWN: Known = { skills: [], subAgents: [], problems: [], hooks: null, hookProblems: [] }
