import { z } from 'zod'
import { hooksConfig } from './hooks-config.ts'
import { skill } from './skill.ts'
import { subAgent } from './sub-agent.ts'

/** What a conversation knows from its repository and its user, as it was read last. */
export const loadedExtensions = z.object({
  skills: z.array(skill),
  subAgents: z.array(subAgent).default([]),
  /** Words for a person about files that were not understood. */
  problems: z.array(z.string()),
  hooks: hooksConfig.nullable(),
  hookProblems: z.array(z.string()),
  /** What was kept from earlier conversations, in the repository and in the user's folder. */
  repositoryMemory: z.string().nullable().default(null),
  userMemory: z.string().nullable().default(null),
})
export type LoadedExtensions = z.output<typeof loadedExtensions>

export const NO_EXTENSIONS: LoadedExtensions = loadedExtensions.parse({
  skills: [],
  problems: [],
  hooks: null,
  hookProblems: [],
})
