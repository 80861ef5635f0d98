import { z } from 'zod'
import { IN_KEYS_SANDBOX } from './failures.ts'
import { route } from './route.ts'
import { skillType } from './skills.ts'

const tag = 'Skills and hooks'
const projectDir = z.string().min(1).max(4096).nullish()

export const listGatewaySkills = route({
  method: 'post',
  path: '/api/skills',
  summary: 'Skills of a folder of the sandbox and of the user; none are fetched from elsewhere',
  tag,
  body: z.looseObject({
    load_public: z.boolean().nullish(),
    load_user: z.boolean().default(true),
    load_project: z.boolean().default(true),
    load_org: z.boolean().nullish(),
    /** Where the project is; the sandbox's working directory when absent. */
    project_dir: projectDir,
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: z.object({
    skills: z.array(
      z.object({
        name: z.string(),
        type: skillType,
        content: z.string(),
        triggers: z.array(z.string()),
        source: z.string().nullable(),
        description: z.string().nullable(),
        is_agentskills_format: z.boolean(),
        disable_model_invocation: z.boolean(),
      }),
    ),
    /** How many came from where. */
    sources: z.record(z.string(), z.int()),
  }),
})

export const listGatewaySubAgents = route({
  method: 'post',
  path: '/api/sub-agents',
  summary: 'Sub-agents that a task can be given to: of a folder of the sandbox, of the user, and Atelier’s own',
  tag,
  body: z.looseObject({
    load_builtin: z.boolean().default(true),
    load_user: z.boolean().default(true),
    load_project: z.boolean().default(true),
    project_dir: projectDir,
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request'],
  reply: z.object({
    agents: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        /** `inherit` is the conversation's. */
        model: z.string(),
        /** Names in small letters; empty is all of them. */
        tools: z.array(z.string()),
        system_prompt: z.string(),
        source: z.string(),
        level: z.enum(['project', 'user', 'builtin']),
        is_builtin: z.boolean(),
        max_iteration_per_run: z.int().nullable(),
        max_budget_per_run: z.number().nullable(),
      }),
    ),
  }),
})

export const gatewayHook = z.object({
  type: z.enum(['command', 'prompt', 'agent']),
  name: z.string().nullish(),
  command: z.string().nullish(),
  prompt: z.string().nullish(),
  system_prompt: z.string().nullish(),
  tools: z.array(z.string()).nullish(),
  timeout: z.number(),
  max_iterations: z.int(),
  async: z.boolean(),
})
const matchers = z.array(z.object({ matcher: z.string(), hooks: z.array(gatewayHook) }))

export const getGatewayHooks = route({
  method: 'post',
  path: '/api/hooks',
  summary: 'The hooks of a folder of the sandbox; null when there are none, or none that can be understood',
  tag,
  body: z.object({ project_dir: projectDir }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request'],
  reply: z.object({
    hook_config: z
      .object({
        pre_tool_use: matchers,
        post_tool_use: matchers,
        user_prompt_submit: matchers,
        session_start: matchers,
        session_end: matchers,
        stop: matchers,
      })
      .nullable(),
  }),
})
