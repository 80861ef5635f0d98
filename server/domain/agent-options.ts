import { z } from 'zod'

const text = z.string().nullable().default(null)

/** What a client wants of the agent of its conversation; null and empty lists leave all as it is. */
export const agentOptions = z.object({
  /** Names of own tools, with `browser_tool_set` for all of a browser. */
  tools: z.array(z.string()).nullable().default(null),
  /** A regular expression that the beginning of the name of each tool matches but of the default ones. */
  toolPattern: text,
  defaultTools: z
    .array(z.enum(['finish', 'think']))
    .nullable()
    .default(null),
  /** In place of the common instructions. */
  systemPrompt: text,
  systemSuffix: text,
  userSuffix: text,
  /** In place of today's. */
  date: text,
  condenser: z
    .object({
      kind: z.enum(['off', 'on']),
      maxEvents: z.int().nullable(),
      keepFirst: z.int().nullable(),
      maxTokens: z.int().nullable(),
    })
    .nullable()
    .default(null),
  loadsProjectSkills: z.boolean().default(true),
  loadsUserSkills: z.boolean().default(true),
  disabledSkills: z.array(z.string()).default([]),
  loadsMemory: z.boolean().default(true),
  /** In place of the files. */
  memory: text,
  titles: z.boolean().default(true),
  /** Name of the saved model that gives the title. */
  titleProfile: text,
})
export type AgentOptions = z.output<typeof agentOptions>

export const NO_AGENT_OPTIONS: AgentOptions = agentOptions.parse({})
