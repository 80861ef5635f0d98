import { z } from 'zod'
import { action } from './actions.ts'
import { securityRisk } from './confirmation.ts'
import { content, textContent } from './content.ts'
import { observation } from './observations.ts'
import { dateTime } from './page.ts'

export const ROLES = ['user', 'system', 'assistant', 'tool'] as const
export const message = z.object({ role: z.enum(ROLES), content: z.array(content) })

/** What a client sends to a conversation. */
export const sendMessageRequest = z.object({
  role: z.enum(ROLES).default('user'),
  content: z.array(content).default([]),
  run: z.boolean().default(false),
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
const base = { id: z.string(), seq: z.int().min(0), timestamp: dateTime, source }
const result = { tool_name: z.string(), tool_call_id: z.string() }

export const systemPromptEvent = z.object({
  kind: z.literal('SystemPromptEvent'),
  ...base,
  system_prompt: textContent,
  tools: z.array(z.record(z.string(), z.unknown())),
  dynamic_context: textContent.optional(),
})

export const messageEvent = z.object({
  kind: z.literal('MessageEvent'),
  ...base,
  llm_message: message,
  llm_response_id: z.string().optional(),
  activated_skills: z.array(z.string()),
  extended_content: z.array(textContent),
  sender: z.string().optional(),
  /** The provider's own data that must be sent back with this message; opaque. */
  provider_metadata: z.record(z.string(), z.unknown()).optional(),
})

export const toolCall = z.object({
  id: z.string(),
  name: z.string(),
  /** JSON text, as the model wrote it */
  arguments: z.string(),
  origin: z.enum(['completion', 'responses']).default('completion'),
})

export const thinkingBlock = z.object({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().optional(),
})

export const actionEvent = z.object({
  kind: z.literal('ActionEvent'),
  ...base,
  ...result,
  thought: z.array(textContent),
  reasoning_content: z.string().optional(),
  thinking_blocks: z.array(thinkingBlock),
  /** null when the call could not be understood; an AgentErrorEvent answers it then */
  action: action.nullable(),
  tool_call: toolCall,
  /** Groups the calls of one model answer. */
  llm_response_id: z.string(),
  security_risk: securityRisk,
  /** Why it is rated so, in words for the person who decides. */
  risk_reasons: z.array(z.string()).optional(),
  summary: z.string().optional(),
  provider_metadata: z.record(z.string(), z.unknown()).optional(),
})

export const observationEvent = z.object({
  kind: z.literal('ObservationEvent'),
  ...base,
  ...result,
  observation,
  action_id: z.string(),
  /** What skills and hooks add for the model. */
  extended_content: z.array(textContent).optional(),
})

export const userRejectObservation = z.object({
  kind: z.literal('UserRejectObservation'),
  ...base,
  ...result,
  action_id: z.string(),
  rejection_reason: z.string(),
  rejection_source: z.enum(['user', 'hook']),
})

/** Answers a tool call that could not be carried out; the model reads it. */
export const agentErrorEvent = z.object({ kind: z.literal('AgentErrorEvent'), ...base, ...result, error: z.string() })

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
  /** `MaxIterationsReached`, `MaxBudgetReached`, or one of the service's error codes */
  code: z.string(),
  detail: z.string(),
  classification: z.object({
    kind: z.enum(ERROR_KINDS),
    retryable: z.boolean(),
    user_action: z.enum(['none', 'retry', 'settings']),
  }),
})

export const conversationStateUpdateEvent = z.object({
  kind: z.literal('ConversationStateUpdateEvent'),
  ...base,
  /** A field's name: `execution_status` (value: ExecutionStatus), `stats` (value: ConversationStats), `title`,
   * `leaf_event_id` (value: the event after which the conversation goes on, null for its beginning), … */
  key: z.string(),
  value: z.unknown(),
})

export const pauseEvent = z.object({ kind: z.literal('PauseEvent'), ...base })
export const interruptEvent = z.object({ kind: z.literal('InterruptEvent'), ...base })

/** Events that the model does not see any more, and the summary that stands for them. */
export const condensation = z.object({
  kind: z.literal('Condensation'),
  ...base,
  forgotten_event_ids: z.array(z.string()),
  summary: z.string().optional(),
  /** Where the summary stands among the events that are kept, from 0. */
  summary_offset: z.int().min(0).optional(),
  llm_response_id: z.string(),
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
  hook_event_type: z.enum(HOOK_EVENT_TYPES),
  hook_command: z.string(),
  tool_name: z.string().optional(),
  success: z.boolean(),
  blocked: z.boolean(),
  exit_code: z.int().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  reason: z.string().optional(),
  additional_context: z.string().optional(),
  error: z.string().optional(),
  action_id: z.string().optional(),
  message_id: z.string().optional(),
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
