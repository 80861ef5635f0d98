import { z } from 'zod'
import { agentToolOf, DEFAULT_TOOLS } from '../agent-tools.ts'
import { noOtherFields, refused } from '../refused-fields.ts'
import { mcpServersInput } from '../v1/settings/mcp-servers.ts'
import { agentContext } from './agent-context.ts'
import { gatewayLlm } from './llm.ts'

const toolChoice = z
  .object({
    name: z
      .string()
      .max(100)
      .refine(name => agentToolOf(name) !== null, { error: 'there is no such tool: GET /api/tools/ lists them' })
      .describe('Name of the tool, as `terminal` or `TerminalTool`; `browser_tool_set` is all browser tools.'),
    params: refused('Tools have no parameters of their own here.'),
  })
  .catchall(noOtherFields)

/** When earlier steps are summed up. Agents and settings of agents write it differently; both are understood. */
export const agentCondenser = z
  .object({
    kind: z
      .enum(['LLMSummarizingCondenser', 'NoOpCondenser'])
      .nullish()
      .describe('`NoOpCondenser` never sums up; absent is `LLMSummarizingCondenser`.'),
    enabled: z.boolean().nullish().describe('false sums up only on request, or when the model refuses the length.'),
    max_size: z.int().min(20).nullish().describe('Events after which earlier steps are summed up.'),
    keep_first: z.int().min(0).nullish().describe('Events at the beginning that stay; less than half of `max_size`.'),
    max_tokens: z.int().min(1_000).nullish().describe('Tokens of a prompt after which earlier steps are summed up.'),
    llm: z
      .looseObject({})
      .nullish()
      .describe("Only the agent's own model, which sums up: 422 for one that differs in more than `usage_id`."),
    minimum_progress: z.literal(0.1).nullish().describe('Only 0.1: at least so much of the events goes at a time.'),
    hard_context_reset_max_retries: z.literal(5).nullish().describe('Only 5: so often a shorter log is tried.'),
    hard_context_reset_context_scaling: z.literal(0.8).nullish().describe('Only 0.8: by so much it is shorter.'),
  })
  .catchall(noOtherFields)
  .refine(({ keep_first, max_size }) => (keep_first ?? 4) < (max_size ?? 240) / 2, {
    path: ['keep_first'],
    error: 'it must be less than half of max_size',
  })
export type AgentCondenser = z.output<typeof agentCondenser>

const agentFields = {
  kind: z.string().nullish().describe("Kind of the agent; Atelier's own runs, and `ACPAgent` is answered with 501."),
  agent_kind: z.string().nullish().describe("Kind of the agent; Atelier's own runs, and `acp` is answered with 501."),
  schema_version: z.literal(1).nullish().describe('Only 1: the form of settings of agents.'),
  llm: gatewayLlm.nullish().describe('Model of the conversation; absent is the model of the settings.'),
  mcp_config: mcpServersInput
    .nullish()
    .describe('Tool servers by name, in place of those of the settings; absent keeps those.'),
  tools: z
    .array(toolChoice)
    .max(100)
    .nullish()
    .describe("Tools of the agent, beside the default ones, the client's and those of tool servers; absent is all."),
  filter_tools_regex: z
    .string()
    .max(500)
    .nullish()
    .describe(
      'Regular expression (RE2) that the beginning of the name of each tool must match but of the default ones; 422 for what cannot be matched in linear time.',
    ),
  include_default_tools: z
    .array(z.enum(Object.keys(DEFAULT_TOOLS) as (keyof typeof DEFAULT_TOOLS)[]))
    .max(10)
    .nullish()
    .describe('Which of the tools `finish` and `think` the agent has; absent is both.'),
  system_prompt: z
    .string()
    .max(100_000)
    .nullish()
    .describe("Instructions in place of Atelier's own; what the agent must know of the conversation follows them."),
  agent_context: agentContext.nullish().describe('What the agent is given beside its instructions.'),
  condenser: agentCondenser.nullish().describe('When earlier steps are summed up; absent is what the settings say.'),
  system_prompt_filename: z
    .literal('system_prompt.j2')
    .nullish()
    .describe('Only `system_prompt.j2`: give other instructions as `system_prompt`.'),
  security_policy_filename: z
    .literal('security_policy.j2')
    .nullish()
    .describe('Only `security_policy.j2`: give other rules as `system_prompt`.'),
  system_prompt_kwargs: z
    .strictObject({
      llm_security_analyzer: z.literal(true).nullish().describe('Only true: the model says how risky each call is.'),
    })
    .nullish()
    .describe('Parameters of the instructions.'),
  tool_concurrency_limit: z.literal(1).nullish().describe('Only 1: calls are carried out one after the other.'),
  critic: refused('No critic looks at the work; a hook of the type agent can.'),
  verification: refused('No critic looks at the work; a hook of the type agent can.'),
} as const

/** The agent of a conversation. A field that is not carried out is refused by its name. */
export const agentSource = z
  .object(agentFields)
  .catchall(noOtherFields)
  .refine(({ llm, condenser }) => isSameModel(condenser?.llm, llm), {
    path: ['condenser', 'llm'],
    error: "the agent's own model sums up. Give the same one, or leave it out",
  })
export type AgentSource = z.output<typeof agentSource>

/** What a client does not say, it does not ask for. */
function isSameModel(condenser: object | null | undefined, agent: object | null | undefined): boolean {
  const own = new Map(Object.entries(agent ?? {}))
  return Object.entries(condenser ?? {}).every(
    ([name, value]) =>
      value === null ||
      (name === 'usage_id' ? value === 'condenser' : JSON.stringify(value) === JSON.stringify(own.get(name))),
  )
}
