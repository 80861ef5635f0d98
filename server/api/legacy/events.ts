import { z } from 'zod'
import { MAX_MESSAGE_CHARACTERS } from '../contract/limits.ts'
import { dateTime } from '../contract/page.ts'

/** What the agent is doing, in the legacy generation's words. */
export const AGENT_STATES = [
  'loading',
  'running',
  'awaiting_user_input',
  'paused',
  'stopped',
  'finished',
  'rejected',
  'error',
  'awaiting_user_confirmation',
  'user_confirmed',
  'user_rejected',
  'rate_limited',
] as const
export type AgentState = (typeof AGENT_STATES)[number]

const tokenFigures = z.object({
  model: z.string().describe('Name of the model.'),
  prompt_tokens: z.int().describe('Tokens of the prompts, cached ones too.'),
  completion_tokens: z.int().describe('Tokens of the answers.'),
  cache_read_tokens: z.int().describe("Tokens of the prompts that were read from the provider's cache."),
  cache_write_tokens: z.int().describe("Tokens of the prompts that were written to the provider's cache."),
  context_window: z.int().describe('Tokens that the model can read at once; 0 when that is not known.'),
  per_turn_token: z.int().describe('Tokens of the last prompt and its answer.'),
  response_id: z.string().describe('Id that the provider gave the last answer.'),
})

export const legacyMetrics = z.object({
  accumulated_cost: z.number().describe('US dollars so far.'),
  max_budget_per_task: z.number().nullable().describe('US dollars that the conversation may cost; null for no limit.'),
  accumulated_token_usage: tokenFigures.nullable().describe('Tokens so far; null before the first answer.'),
  costs: z.array(z.unknown()).describe('Always empty: cost of each answer.'),
  response_latencies: z.array(z.unknown()).describe('Always empty: time of each answer.'),
  token_usages: z.array(z.unknown()).describe('Always empty: tokens of each answer.'),
})
export type LegacyMetrics = z.output<typeof legacyMetrics>

export const toolCallMetadata = z.object({
  function_name: z.string().describe('Name of the tool that was called.'),
  tool_call_id: z.string().describe('Id that the model gave the call.'),
  model_response: z
    .record(z.string(), z.unknown())
    .describe("The model's answer, with the one call that this event is about."),
  total_calls_in_response: z.int().describe('How many calls the answer had.'),
})
export type ToolCallMetadata = z.output<typeof toolCallMetadata>

const base = {
  id: z
    .int()
    .min(0)
    .describe('Place in the log, dense from 0: the sequence number of the event in the newer generation.'),
  timestamp: dateTime.describe('When it was written to the log.'),
  source: z.enum(['agent', 'user', 'environment']).describe('Who caused it.'),
  message: z.string().describe('What happened, in words for people.'),
  cause: z.int().optional().describe('Id of the action that an observation answers.'),
  tool_call_metadata: toolCallMetadata.optional().describe("The model's call that this event is about."),
  llm_metrics: legacyMetrics.optional().describe('Tokens and cost so far.'),
}

export const legacyAction = z.object({
  ...base,
  action: z.string().describe('Kind of the action, such as `message` or `run`.'),
  args: z.record(z.string(), z.unknown()).describe('What the action is about; its fields depend on the kind.'),
  timeout: z.number().optional().describe('Seconds that the action may take.'),
})
export const legacyObservation = z.object({
  ...base,
  observation: z.string().describe('Kind of the observation, such as `run` or `agent_state_changed`.'),
  content: z.string().describe('What came of the action, as text.'),
  extras: z.record(z.string(), z.unknown()).describe('What else there is to know; its fields depend on the kind.'),
  success: z.boolean().optional().describe('Whether the action succeeded; absent where that has no meaning.'),
})

/** An event of the legacy generation: a view of one of the newer, with the same place in the log. */
export const legacyEvent = z.union([legacyAction, legacyObservation])
export type LegacyAction = z.output<typeof legacyAction>
export type LegacyObservation = z.output<typeof legacyObservation>
export type LegacyEvent = z.output<typeof legacyEvent>

/** What a client may send as `oh_user_action`, or post to a conversation's events. */
export const clientAction = z.discriminatedUnion('action', [
  z.object({
    action: z.literal('message'),
    args: z
      .object({
        content: z.string().max(MAX_MESSAGE_CHARACTERS).default('').describe('Text of the message.'),
        image_urls: z
          .array(z.string())
          .nullish()
          .describe('Images of the message, as `data:` URLs or addresses that begin with https://.'),
      })
      .describe('The message.'),
  }),
  z.object({
    action: z.literal('change_agent_state'),
    args: z
      .object({
        agent_state: z
          .enum(AGENT_STATES)
          .describe(
            '`running` lets the agent go on, `paused` or `stopped` ends its work, `user_confirmed` and `user_rejected` answer what waits.',
          ),
      })
      .describe('The state to change to.'),
  }),
  /** A command of the person's, which older clients could type; answered with 400. */
  z.object({
    action: z.literal('run'),
    args: z
      .object({
        command: z.string().describe('Shell command.'),
        hidden: z.boolean().default(false).describe('Whether the command is left out of what is shown.'),
      })
      .describe('The command.'),
  }),
])
export type ClientAction = z.output<typeof clientAction>
