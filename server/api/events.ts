import { z } from 'zod'
import { dateTime, page, pageQuery } from './page.ts'
import { route } from './route.ts'

export const textContent = z.object({ type: z.literal('text'), text: z.string(), cache_prompt: z.boolean().optional() })
export const imageContent = z.object({
  type: z.literal('image'),
  image_urls: z.array(z.string()),
  cache_prompt: z.boolean().optional(),
})
export const content = z.discriminatedUnion('type', [textContent, imageContent])
export type TextContent = z.output<typeof textContent>
export type Content = z.output<typeof content>

export const ROLES = ['user', 'system', 'assistant', 'tool'] as const
export const message = z.object({ role: z.enum(ROLES), content: z.array(content) })

/** What a client sends to a conversation. */
export const sendMessageRequest = z.object({
  role: z.enum(ROLES).default('user'),
  content: z.array(content).default([]),
  run: z.boolean().default(false),
})
export type SendMessageRequest = z.output<typeof sendMessageRequest>

export const SECURITY_RISKS = ['UNKNOWN', 'LOW', 'MEDIUM', 'HIGH'] as const
export const securityRisk = z.enum(SECURITY_RISKS)

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

// ---- actions: what the agent wants to do

export const terminalAction = z.object({
  kind: z.literal('TerminalAction'),
  command: z.string(),
  is_input: z.boolean().default(false),
  /** seconds */
  timeout: z.number().min(0).optional(),
  reset: z.boolean().default(false),
})

export const FILE_EDITOR_COMMANDS = ['view', 'create', 'str_replace', 'insert', 'undo_edit'] as const

export const fileEditorAction = z.object({
  kind: z.literal('FileEditorAction'),
  command: z.enum(FILE_EDITOR_COMMANDS),
  path: z.string(),
  file_text: z.string().optional(),
  old_str: z.string().optional(),
  new_str: z.string().optional(),
  insert_line: z.int().min(0).optional(),
  view_range: z.array(z.int()).length(2).optional(),
})

export const thinkAction = z.object({ kind: z.literal('ThinkAction'), thought: z.string() })
export const finishAction = z.object({ kind: z.literal('FinishAction'), message: z.string() })

export const action = z.discriminatedUnion('kind', [terminalAction, fileEditorAction, thinkAction, finishAction])
export type Action = z.output<typeof action>
export type ActionKind = Action['kind']

// ---- observations: what came of it

const observed = { content: z.array(content), is_error: z.boolean() }

export const terminalMetadata = z.object({
  exit_code: z.int(),
  pid: z.int(),
  username: z.string().optional(),
  hostname: z.string().optional(),
  working_dir: z.string().optional(),
  py_interpreter_path: z.string().optional(),
  prefix: z.string(),
  suffix: z.string(),
})

export const terminalObservation = z.object({
  kind: z.literal('TerminalObservation'),
  ...observed,
  command: z.string(),
  /** -1 while the process goes on */
  exit_code: z.int(),
  /** true when a time-out ended the wait; the process goes on */
  timeout: z.boolean(),
  metadata: terminalMetadata,
  full_output_save_dir: z.string().optional(),
})

export const fileEditorObservation = z.object({
  kind: z.literal('FileEditorObservation'),
  ...observed,
  command: z.enum(FILE_EDITOR_COMMANDS),
  path: z.string(),
  prev_exist: z.boolean(),
  old_content: z.string().optional(),
  new_content: z.string().optional(),
})

export const thinkObservation = z.object({ kind: z.literal('ThinkObservation'), ...observed })
export const finishObservation = z.object({ kind: z.literal('FinishObservation'), ...observed })

export const observation = z.discriminatedUnion('kind', [
  terminalObservation,
  fileEditorObservation,
  thinkObservation,
  finishObservation,
])
export type Observation = z.output<typeof observation>

// ---- metrics

export const tokenUsage = z.object({
  model: z.string(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  cache_read_tokens: z.int(),
  cache_write_tokens: z.int(),
  reasoning_tokens: z.int(),
  context_window: z.int(),
  per_turn_token: z.int(),
  response_id: z.string(),
})
export type TokenUsage = z.output<typeof tokenUsage>

export const metricsSnapshot = z.object({
  model_name: z.string(),
  /** US dollars */
  accumulated_cost: z.number(),
  max_budget_per_task: z.number().nullable(),
  accumulated_token_usage: tokenUsage.nullable(),
})
export type MetricsSnapshot = z.output<typeof metricsSnapshot>

/** The value of the persisted state update with key `stats`, written after every model step. */
export const conversationStats = z.object({
  usage_to_metrics: z.record(z.string(), metricsSnapshot),
  steps: z.int(),
  /** true when a step's model has no known price: the cost is then a lower bound, shown as unknown */
  cost_unknown: z.boolean(),
  last_step: z
    .object({ response_id: z.string(), cost: z.number().nullable(), latency_ms: z.number(), usage: tokenUsage })
    .nullable(),
})
export type ConversationStats = z.output<typeof conversationStats>

// ---- events

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
  summary: z.string().optional(),
  provider_metadata: z.record(z.string(), z.unknown()).optional(),
})

export const observationEvent = z.object({
  kind: z.literal('ObservationEvent'),
  ...base,
  ...result,
  observation,
  action_id: z.string(),
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
  /** A field's name: `execution_status` (value: ExecutionStatus), `stats` (value: ConversationStats), `title`, … */
  key: z.string(),
  value: z.unknown(),
})

export const pauseEvent = z.object({ kind: z.literal('PauseEvent'), ...base })
export const interruptEvent = z.object({ kind: z.literal('InterruptEvent'), ...base })

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
])
export type Event = z.output<typeof event>
export type EventKind = Event['kind']
export type EventOf<Kind extends EventKind> = Extract<Event, { kind: Kind }>

/** An event before the log has given it id, sequence number and time. */
type Unlogged<E> = E extends Event ? Omit<E, 'id' | 'seq' | 'timestamp'> : never
export type NewEvent = Unlogged<Event>

// ---- sent but never stored

/** A piece of the model's answer as it comes; the stored event follows and replaces it. */
export const streamingDeltaEvent = z.object({
  kind: z.literal('StreamingDeltaEvent'),
  id: z.string(),
  timestamp: dateTime,
  source: z.literal('agent'),
  content: z.string().optional(),
  reasoning_content: z.string().optional(),
})

/** A piece of a running command's output; the observation follows and replaces it. */
export const outputDeltaEvent = z.object({
  kind: z.literal('OutputDeltaEvent'),
  id: z.string(),
  timestamp: dateTime,
  source: z.literal('environment'),
  tool_call_id: z.string(),
  /** The last lines of the output so far, rendered as text. */
  tail: z.string(),
})

/** The first frame of a socket, and one after each run: the whole live state of the conversation. */
export const fullStateEvent = z.object({
  kind: z.literal('ConversationStateUpdateEvent'),
  id: z.string(),
  timestamp: dateTime,
  source: z.literal('environment'),
  key: z.literal('full_state'),
  value: z.object({
    id: z.string(),
    title: z.string().nullable(),
    execution_status: executionStatus,
    stats: conversationStats,
    max_iterations: z.int(),
    max_budget_per_task: z.number().nullable(),
    /** Sequence number of the newest stored event; -1 when there is none. */
    last_seq: z.int(),
  }),
})
export type FullStateEvent = z.output<typeof fullStateEvent>

export const serverErrorEvent = z.object({
  kind: z.literal('ServerErrorEvent'),
  id: z.string(),
  timestamp: dateTime,
  source: z.literal('environment'),
  code: z.string(),
  detail: z.string(),
})

export const transientEvent = z.union([streamingDeltaEvent, outputDeltaEvent, fullStateEvent, serverErrorEvent])
export type TransientEvent = z.output<typeof transientEvent>

/**
 * Frames of the WebSocket `/sockets/events/{conversation_id}`: first `full_state`, then stored events from the point
 * asked for (`after_seq=N`, or `resend_mode=all`), then live ones; no gap, no duplicate. The key comes in the
 * `X-Session-API-Key` header, in the query `session_api_key`, or in a first frame `{"type":"auth","session_api_key":"…"}`
 * within 10 s. Close codes: 4001 authentication failed, 4004 unknown conversation, 1013 too many or too slow.
 * A client frame is a message (`{role, content}`): it is sent to the agent, which runs.
 */
export const eventFrame = z.union([event, transientEvent])
export type EventFrame = z.output<typeof eventFrame>

// ---- routes

export const EVENT_SORT_ORDERS = ['TIMESTAMP', 'TIMESTAMP_DESC'] as const

const eventFilters = {
  kind__eq: z.string().nullish(),
  timestamp__gte: dateTime.nullish(),
  timestamp__lt: dateTime.nullish(),
}
const sorted = { sort_order: z.enum(EVENT_SORT_ORDERS).default('TIMESTAMP') }
const byConversation = { conversation_id__eq: z.string() }
const conversationParams = z.object({ conversation_id: z.string() })
const tag = 'Events'

export const searchEvents = route({
  method: 'get',
  path: '/api/v1/events/search',
  summary: "Search a conversation's events",
  tag,
  query: z.object({ ...pageQuery.shape, ...byConversation, ...eventFilters, ...sorted }),
  reply: page(event),
})

export const countEvents = route({
  method: 'get',
  path: '/api/v1/events/count',
  summary: "Count a conversation's events",
  tag,
  query: z.object({ ...byConversation, ...eventFilters }),
  reply: z.int(),
})

export const searchConversationEvents = route({
  method: 'get',
  path: '/api/v1/conversation/{conversation_id}/events/search',
  summary: "Search a conversation's events",
  tag,
  params: conversationParams,
  query: z.object({ ...pageQuery.shape, ...eventFilters, ...sorted }),
  reply: page(event),
})

export const countConversationEvents = route({
  method: 'get',
  path: '/api/v1/conversation/{conversation_id}/events/count',
  summary: "Count a conversation's events",
  tag,
  params: conversationParams,
  query: z.object(eventFilters),
  reply: z.int(),
})
