import { z } from 'zod'
import { IN_CONVERSATION } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { conversationParams } from './params.ts'

const path = (what: string) => `/api/v1/app-conversations/{conversation_id}/${what}` as const
const tag = 'Skills and hooks'

/** `repo` is always active, `knowledge` by words or files, `agentskills` are read by the agent when it wants to. */
export const skillType = z.enum(['repo', 'knowledge', 'agentskills'])

export const skillInfo = z.object({
  name: z.string().describe('Name by which the agent reads the skill.'),
  type: skillType.describe('When the skill is read: always, on a trigger, or when the agent decides.'),
  content: z.string().describe('Text of the skill.'),
  triggers: z.array(z.string()).describe('Words of a message, `/commands`, or patterns of files that bring it in.'),
  description: z.string().nullable().describe('What it is for, for the model; null for none.'),
  source: z.enum(['repository', 'user']).describe("Whether it lies in the repository or in the user's own folder."),
  path: z.string().describe("Its file, from the repository's root, or with `~/` on this machine."),
})
export type SkillInfo = z.output<typeof skillInfo>

export const getConversationSkills = route({
  method: 'get',
  path: path('skills'),
  summary: 'Instructions for the agent, from the repository and from the user’s own folder',
  description:
    "Lists the instructions that the agent can read, from the repository and from the user's own folder, and what is wrong with those that it cannot.",
  tag,
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.object({
    skills: z.array(skillInfo).describe('Skills that the agent can read.'),
    problems: z.array(z.string()).describe('What is wrong with files that were meant as skills, in words.'),
  }),
})

export const hookInfo = z.object({
  type: z
    .enum(['command', 'prompt', 'agent'])
    .describe('What the hook does: run a command, ask a model, or ask an agent.'),
  command: z.string().describe('Its command, or what is asked.'),
  timeout: z.number().describe('Seconds that the hook may take.'),
  async: z.boolean().describe('Whether the agent goes on without waiting for it.'),
})

export const getConversationHooks = route({
  method: 'get',
  path: path('hooks'),
  summary: 'Commands of the repository that run at certain moments of the agent’s work',
  description:
    "Lists the commands of the repository that run at certain moments of the agent's work. They run only when a person trusts the repository.",
  tag,
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.object({
    hooks: z
      .array(
        z.object({
          event_type: z.string().describe('Moment at which the hooks run, such as `pre_tool_use`.'),
          matchers: z
            .array(
              z.object({
                matcher: z.string().describe('Regular expression of the tools that the hooks are for; `*` is all.'),
                hooks: z.array(hookInfo).describe('Hooks that run, in their order.'),
              }),
            )
            .describe('Hooks by the tools that they are for.'),
        }),
      )
      .describe('Hooks by the moment at which they run.'),
    problems: z.array(z.string()).describe('What is wrong with the file of the hooks, in words.'),
  }),
})
