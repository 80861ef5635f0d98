import { z } from 'zod'
import { dateTime } from './page.ts'

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
  model: z.string(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  context_window: z.int(),
  per_turn_token: z.int(),
  response_id: z.string(),
})

export const legacyMetrics = z.object({
  accumulated_cost: z.number(),
  max_budget_per_task: z.number().nullable(),
  accumulated_token_usage: tokenFigures.nullable(),
  costs: z.array(z.unknown()),
  response_latencies: z.array(z.unknown()),
  token_usages: z.array(z.unknown()),
})
export type LegacyMetrics = z.output<typeof legacyMetrics>

export const toolCallMetadata = z.object({
  function_name: z.string(),
  tool_call_id: z.string(),
  /** The model's answer, with the one call that this event is about. */
  model_response: z.record(z.string(), z.unknown()),
  total_calls_in_response: z.int(),
})
export type ToolCallMetadata = z.output<typeof toolCallMetadata>

const base = {
  /** Dense from 0 in a conversation: the sequence number of the event in the newer generation. */
  id: z.int().min(0),
  timestamp: dateTime,
  source: z.enum(['agent', 'user', 'environment']),
  /** For people. */
  message: z.string(),
  /** The id of the action that an observation answers. */
  cause: z.int().optional(),
  tool_call_metadata: toolCallMetadata.optional(),
  llm_metrics: legacyMetrics.optional(),
}

export const legacyAction = z.object({
  ...base,
  action: z.string(),
  args: z.record(z.string(), z.unknown()),
  /** seconds */
  timeout: z.number().optional(),
})
export const legacyObservation = z.object({
  ...base,
  observation: z.string(),
  content: z.string(),
  extras: z.record(z.string(), z.unknown()),
  success: z.boolean().optional(),
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
    args: z.object({ content: z.string().default(''), image_urls: z.array(z.string()).nullish() }),
  }),
  z.object({
    action: z.literal('change_agent_state'),
    args: z.object({ agent_state: z.enum(AGENT_STATES) }),
  }),
  /** A command of the person's, which older clients could type; answered with 400. */
  z.object({
    action: z.literal('run'),
    args: z.object({ command: z.string(), hidden: z.boolean().default(false) }),
  }),
])
export type ClientAction = z.output<typeof clientAction>
