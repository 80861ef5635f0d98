import { z } from 'zod'
import { IN_KEYS_SANDBOX } from '../contract/failures.ts'
import { route } from '../contract/route.ts'
import { skillType } from '../v1/conversation/skills.ts'

const tag = 'Skills and hooks'
const projectDir = z.string().min(1).max(4096).nullish()

export const listGatewaySkills = route({
  method: 'post',
  path: '/api/skills',
  summary: 'Skills of a folder of the sandbox and of the user',
  description:
    "Lists the skills of a folder of the sandbox and of the user's own folder. None are fetched from elsewhere.",
  tag,
  body: z.looseObject({
    load_public: z.boolean().nullish().describe('Taken, and without effect: no skills are fetched from elsewhere.'),
    load_user: z
      .boolean()
      .default(true)
      .describe("Whether skills of the user's own folder on this machine are listed."),
    load_project: z.boolean().default(true).describe('Whether skills of the folder are listed.'),
    load_org: z.boolean().nullish().describe('Taken, and without effect: no skills are fetched from elsewhere.'),
    project_dir: projectDir.describe("Absolute path of the folder; absent is the sandbox's working directory."),
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: z.object({
    skills: z
      .array(
        z.object({
          name: z.string().describe('Name by which the agent reads the skill.'),
          type: skillType.describe('When the skill is read: always, on a trigger, or when the agent decides.'),
          content: z.string().describe('Text of the skill.'),
          triggers: z.array(z.string()).describe('Words, `/commands` or patterns of files that bring it in.'),
          source: z.string().nullable().describe('Where it lies; null when that is not known.'),
          description: z.string().nullable().describe('What it is for, for the model; null for none.'),
          is_agentskills_format: z.boolean().describe('Whether it is a folder with a SKILL.md.'),
          disable_model_invocation: z.boolean().describe('Whether only a trigger brings it in, not the model.'),
        }),
      )
      .describe('Skills that were found.'),
    sources: z.record(z.string(), z.int()).describe('How many came from where.'),
  }),
})

export const listGatewaySubAgents = route({
  method: 'post',
  path: '/api/sub-agents',
  summary: 'Sub-agents that a task can be given to',
  description:
    "Lists the sub-agents that a task can be given to: those of a folder of the sandbox, of the user's own folder, and Atelier's own.",
  tag,
  body: z.looseObject({
    load_builtin: z.boolean().default(true).describe("Whether Atelier's own sub-agents are listed."),
    load_user: z.boolean().default(true).describe("Whether those of the user's own folder on this machine are listed."),
    load_project: z.boolean().default(true).describe('Whether those of the folder are listed.'),
    project_dir: projectDir.describe("Absolute path of the folder; absent is the sandbox's working directory."),
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request'],
  reply: z.object({
    agents: z
      .array(
        z.object({
          name: z.string().describe('Name by which a task is given to it.'),
          description: z.string().describe('What it is for; the model decides by this.'),
          model: z.string().describe("Model of the sub-agent; `inherit` is the conversation's."),
          tools: z.array(z.string()).describe('Names of its tools in small letters; empty is all of them.'),
          system_prompt: z.string().describe('Its instructions, beside the common ones.'),
          source: z.string().describe('File that it was read from, or `builtin`.'),
          level: z
            .enum(['project', 'user', 'builtin'])
            .describe('Who it belongs to: the folder, the user, or Atelier.'),
          is_builtin: z.boolean().describe('Whether it comes with Atelier.'),
          max_iteration_per_run: z
            .int()
            .nullable()
            .describe("Steps that it may take for one task; null is the conversation's limit."),
          max_budget_per_run: z
            .number()
            .nullable()
            .describe("US dollars that one task may cost; null is the conversation's budget."),
        }),
      )
      .describe('Sub-agents that a task can be given to.'),
  }),
})

export const gatewayHook = z.object({
  type: z
    .enum(['command', 'prompt', 'agent'])
    .describe('What the hook does: run a command, ask a model, or ask an agent.'),
  name: z.string().nullish().describe('Name of the hook; absent for none.'),
  command: z.string().nullish().describe('Command of the hook; absent unless it runs one.'),
  prompt: z.string().nullish().describe('What a model or an agent is asked; absent unless one is.'),
  system_prompt: z.string().nullish().describe('Instructions of the agent that is asked; absent for none.'),
  tools: z.array(z.string()).nullish().describe('Tools of the agent that is asked; absent is all of them.'),
  timeout: z.number().describe('Seconds that the hook may take.'),
  max_iterations: z.int().describe('Steps that the agent that is asked may take.'),
  async: z.boolean().describe('Whether the agent goes on without waiting for it.'),
})
const matchers = z.array(
  z.object({
    matcher: z.string().describe('Regular expression of the tools that the hooks are for; `*` is all.'),
    hooks: z.array(gatewayHook).describe('Hooks that run, in their order.'),
  }),
)

export const getGatewayHooks = route({
  method: 'post',
  path: '/api/hooks',
  summary: 'The hooks of a folder of the sandbox',
  description: 'Reads the hooks of a folder of the sandbox. They run only when a person trusts the repository.',
  tag,
  body: z.object({
    project_dir: projectDir.describe("Absolute path of the folder; absent is the sandbox's working directory."),
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request'],
  reply: z.object({
    hook_config: z
      .object({
        pre_tool_use: matchers.describe('Before a tool is called.'),
        post_tool_use: matchers.describe('After a tool was called.'),
        user_prompt_submit: matchers.describe('When the user has sent a message.'),
        session_start: matchers.describe('When the conversation begins.'),
        session_end: matchers.describe('When the conversation ends.'),
        stop: matchers.describe('When the agent wants to finish.'),
      })
      .nullable()
      .describe('Hooks by the moment at which they run; null when there are none, or none that can be understood.'),
  }),
})
