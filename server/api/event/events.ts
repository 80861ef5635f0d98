import { z } from 'zod'
import { dateTime } from '../contract/page.ts'
import { securityRisk } from '../v1/conversation/confirmation.ts'
import { action } from './actions.ts'
import { content, messageContent, textContent } from './content.ts'
import { observation } from './observations.ts'

export const ROLES = ['user', 'system', 'assistant', 'tool'] as const
export const message = z.object({
  role: z.enum(ROLES).describe('Who speaks.'),
  content: z.array(content).describe('Text and images in their order.'),
})

/** What a client sends to a conversation. */
export const sendMessageRequest = z.object({
  role: z.enum(ROLES).default('user').describe('Who speaks; a person is `user`.'),
  content: z.array(messageContent).default([]).describe('Text and images in their order; empty only with `run`.'),
  run: z.boolean().default(false).describe('Whether the agent starts to work if it does not already.'),
})
export type SendMessageRequest = z.output<typeof sendMessageRequest>

export const EXECUTION_STATUSES = [
  'idle',
  'running',
  'paused',
  'waiting_for_confirmation',
  'finished',
  'error',
  'stuck',
  'deleting',
] as const
export const executionStatus = z.enum(EXECUTION_STATUSES)
export type ExecutionStatus = z.output<typeof executionStatus>

export const SOURCES = ['agent', 'user', 'environment', 'hook'] as const
const source = z.enum(SOURCES)

/** `seq` is dense from 0 in a conversation and is what a client resumes from. Transient events have none. */
const base = {
  id: z.string().describe('Id of the event, unique in its conversation.'),
  seq: z.int().min(0).describe('Place in the log, dense from 0; a client resumes after the last one that it has.'),
  timestamp: dateTime.describe('When it was written to the log.'),
  source: source.describe('Who caused it.'),
}
const result = {
  tool_name: z.string().describe('Name of the tool that was called.'),
  tool_call_id: z.string().describe('Id that the model gave the call.'),
}

export const systemPromptEvent = z.object({
  kind: z.literal('SystemPromptEvent'),
  ...base,
  system_prompt: textContent.describe('The instructions that the agent works by.'),
  tools: z.array(z.record(z.string(), z.unknown())).describe('Tools that the model may call, with their JSON Schemas.'),
  dynamic_context: textContent
    .optional()
    .describe('The part of the prompt that differs between conversations; absent when there is none.'),
})

export const messageEvent = z.object({
  kind: z.literal('MessageEvent'),
  ...base,
  llm_message: message.describe('The message, as the model reads or wrote it.'),
  llm_response_id: z
    .string()
    .optional()
    .describe('Answer of the model that it came from; absent for what the model did not write.'),
  activated_skills: z.array(z.string()).describe('Names of the skills that this message brought in.'),
  extended_content: z.array(textContent).describe('What skills and hooks add for the model, beside the message.'),
  sender: z.string().optional().describe('Who wrote it, if it was another agent.'),
  provider_metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The provider's own data that is sent back with this message; opaque."),
})

export const toolCall = z.object({
  id: z.string().describe('Id that the model gave the call.'),
  name: z.string().describe('Name of the tool that is called.'),
  arguments: z.string().describe('Arguments of the call: JSON text, as the model wrote it.'),
  origin: z
    .enum(['completion', 'responses'])
    .default('completion')
    .describe('Which API of the provider the call came through.'),
})

export const thinkingBlock = z.object({
  type: z.literal('thinking'),
  thinking: z.string().describe("The model's reasoning."),
  signature: z
    .string()
    .optional()
    .describe("The provider's signature of it, which must be sent back unchanged; absent when there is none."),
})

export const actionEvent = z.object({
  kind: z.literal('ActionEvent'),
  ...base,
  ...result,
  thought: z.array(textContent).describe('What the model said before the call.'),
  reasoning_content: z
    .string()
    .optional()
    .describe("The model's reasoning before the call, where the provider shows it."),
  thinking_blocks: z.array(thinkingBlock).describe('The same as signed blocks, where the provider wants them back.'),
  action: action
    .nullable()
    .describe('What is to be done; null when the call could not be understood, and an AgentErrorEvent answers it.'),
  tool_call: toolCall.describe('The call as the model made it.'),
  llm_response_id: z
    .string()
    .describe('Answer of the model that the call is part of; calls with the same id came together.'),
  security_risk: securityRisk.describe('How risky the action is rated.'),
  risk_reasons: z
    .array(z.string())
    .optional()
    .describe('Why it is rated so, in words for the person who decides; absent when nobody rated it.'),
  summary: z.string().optional().describe("What the action does, in the model's words; absent when it gave none."),
  provider_metadata: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("The provider's own data that is sent back with this call; opaque."),
})

export const observationEvent = z.object({
  kind: z.literal('ObservationEvent'),
  ...base,
  ...result,
  observation: observation.describe('What came of the action.'),
  action_id: z.string().describe("Id of the action's event."),
  extended_content: z
    .array(textContent)
    .optional()
    .describe('What skills and hooks add for the model; absent when they add nothing.'),
})

export const userRejectObservation = z.object({
  kind: z.literal('UserRejectObservation'),
  ...base,
  ...result,
  action_id: z.string().describe('Id of the event of the rejected action.'),
  rejection_reason: z.string().describe('Why it was rejected, for the model to read.'),
  rejection_source: z.enum(['user', 'hook']).describe('Whether a person or a hook rejected it.'),
})

/** Answers a tool call that could not be carried out; the model reads it. */
export const agentErrorEvent = z.object({
  kind: z.literal('AgentErrorEvent'),
  ...base,
  ...result,
  error: z.string().describe('Why the call has no result, for the model to read.'),
})

export const ERROR_KINDS = [
  'auth',
  'quota',
  'rate_limit',
  'config',
  'transient',
  'agent_action',
  'internal',
  'limit',
  'unknown',
] as const

export const conversationErrorEvent = z.object({
  kind: z.literal('ConversationErrorEvent'),
  ...base,
  code: z.string().describe("`MaxIterationsReached`, `MaxBudgetReached`, or one of the service's error codes."),
  detail: z.string().describe('What happened and what to do next, in words for people.'),
  classification: z
    .object({
      kind: z.enum(ERROR_KINDS).describe('What failed.'),
      retryable: z.boolean().describe('Whether the same may succeed when it is tried again.'),
      user_action: z.enum(['none', 'retry', 'settings']).describe('What a person can do about it.'),
    })
    .describe('What kind of failure it is, and what helps.'),
})

export const conversationStateUpdateEvent = z.object({
  kind: z.literal('ConversationStateUpdateEvent'),
  ...base,
  key: z
    .string()
    .describe(
      'Name of the field that has changed, such as `execution_status`, `stats`, `title` or `leaf_event_id` (the event after which the conversation goes on).',
    ),
  value: z.unknown().describe('New value of the field.'),
})

export const pauseEvent = z.object({ kind: z.literal('PauseEvent'), ...base })
export const interruptEvent = z.object({ kind: z.literal('InterruptEvent'), ...base })

/** Events that the model does not see any more, and the summary that stands for them. */
export const condensation = z.object({
  kind: z.literal('Condensation'),
  ...base,
  forgotten_event_ids: z
    .array(z.string())
    .describe('Events that the model does not read any more; they stay in the log.'),
  summary: z.string().optional().describe('What the model reads in their place; absent when it is nothing.'),
  summary_offset: z
    .int()
    .min(0)
    .optional()
    .describe('Where the summary stands among the events that are kept, from 0; absent when there is none.'),
  llm_response_id: z.string().describe('Answer of the model that the summary came from.'),
})

/** Asks for a condensation before the next step. */
export const condensationRequest = z.object({ kind: z.literal('CondensationRequest'), ...base })

export const HOOK_EVENT_TYPES = [
  'PreToolUse',
  'PostToolUse',
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'Stop',
] as const

/** A hook of the repository that has run. */
export const hookExecutionEvent = z.object({
  kind: z.literal('HookExecutionEvent'),
  ...base,
  hook_event_type: z.enum(HOOK_EVENT_TYPES).describe('Moment at which the hook ran.'),
  hook_command: z.string().describe('Command or prompt of the hook.'),
  tool_name: z.string().optional().describe('Tool that the hook was about; absent for moments without one.'),
  success: z.boolean().describe('Whether the hook ended as it should.'),
  blocked: z.boolean().describe('Whether the hook forbade what was about to happen.'),
  exit_code: z.int().optional().describe('Exit status of its command; absent when there was none.'),
  stdout: z.string().optional().describe('What its command wrote to standard output, with secret values masked.'),
  stderr: z.string().optional().describe('What its command wrote to standard error, with secret values masked.'),
  reason: z.string().optional().describe('Why it blocked, in its own words.'),
  additional_context: z.string().optional().describe('What it adds for the model.'),
  error: z.string().optional().describe('Why the hook itself failed, in words.'),
  action_id: z.string().optional().describe('Event of the action that it was about.'),
  message_id: z.string().optional().describe('Event of the message that it was about.'),
})

/** An event of the log, as stored and as sent. */
export const event = z.discriminatedUnion('kind', [
  systemPromptEvent,
  messageEvent,
  actionEvent,
  observationEvent,
  userRejectObservation,
  agentErrorEvent,
  conversationErrorEvent,
  conversationStateUpdateEvent,
  pauseEvent,
  interruptEvent,
  condensation,
  condensationRequest,
  hookExecutionEvent,
])
export type Event = z.output<typeof event>
export type EventKind = Event['kind']
export type EventOf<Kind extends EventKind> = Extract<Event, { kind: Kind }>

/** An event before the log has given it id, sequence number and time. */
type Unlogged<E> = E extends Event ? Omit<E, 'id' | 'seq' | 'timestamp'> : never
export type NewEvent = Unlogged<Event>
