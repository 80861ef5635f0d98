import { z } from 'zod'
import { IN_CONVERSATION } from './failures.ts'
import { route } from './route.ts'

const path = (what: string) => `/api/v1/app-conversations/{conversation_id}/${what}` as const
const params = z.object({ conversation_id: z.string() })
const tag = 'Skills and hooks'

/** `repo` is always active, `knowledge` by words or files, `agentskills` are read by the agent when it wants to. */
export const skillType = z.enum(['repo', 'knowledge', 'agentskills'])

export const skillInfo = z.object({
  name: z.string(),
  type: skillType,
  content: z.string(),
  /** Words of a message, `/commands`, or patterns of files. */
  triggers: z.array(z.string()),
  description: z.string().nullable(),
  source: z.enum(['repository', 'user']),
  /** From the repository's root, or with `~/` on this machine. */
  path: z.string(),
})
export type SkillInfo = z.output<typeof skillInfo>

export const getConversationSkills = route({
  method: 'get',
  path: path('skills'),
  summary: 'Instructions for the agent, from the repository and from the user’s own folder',
  tag,
  params,
  failures: IN_CONVERSATION,
  reply: z.object({
    skills: z.array(skillInfo),
    /** What is wrong with files that were meant as skills. */
    problems: z.array(z.string()),
  }),
})

export const hookInfo = z.object({
  type: z.enum(['command', 'prompt', 'agent']),
  command: z.string(),
  /** seconds */
  timeout: z.number(),
  async: z.boolean(),
})

export const getConversationHooks = route({
  method: 'get',
  path: path('hooks'),
  summary: 'Commands of the repository that run at certain moments of the agent’s work',
  tag,
  params,
  failures: IN_CONVERSATION,
  reply: z.object({
    hooks: z.array(
      z.object({
        /** `pre_tool_use` and so on. */
        event_type: z.string(),
        matchers: z.array(z.object({ matcher: z.string(), hooks: z.array(hookInfo) })),
      }),
    ),
    problems: z.array(z.string()),
  }),
})
