import { z } from 'zod'
import { gitProvider, trigger } from './app-conversations.ts'
import { CONVERSATION_STATUSES, newConversationReply } from './conversations.ts'
import { IN_CONVERSATION, IN_OWN_CONVERSATION, IN_VAULT, OF_MODEL } from './failures.ts'
import { clientAction, legacyEvent } from './legacy-events.ts'
import { dateTime } from './page.ts'
import { route } from './route.ts'

export const RUNTIME_STATUSES = [
  'STATUS$STOPPED',
  'STATUS$BUILDING_RUNTIME',
  'STATUS$STARTING_RUNTIME',
  'STATUS$RUNTIME_STARTED',
  'STATUS$SETTING_UP_WORKSPACE',
  'STATUS$SETTING_UP_GIT_HOOKS',
  'STATUS$READY',
  'STATUS$ERROR',
  'STATUS$ERROR_RUNTIME_DISCONNECTED',
  'STATUS$ERROR_LLM_AUTHENTICATION',
  'STATUS$ERROR_LLM_SERVICE_UNAVAILABLE',
  'STATUS$ERROR_LLM_INTERNAL_SERVER_ERROR',
  'STATUS$ERROR_LLM_OUT_OF_CREDITS',
  'STATUS$ERROR_LLM_CONTENT_POLICY_VIOLATION',
  'CHAT_INTERFACE$AGENT_RATE_LIMITED_STOPPED_MESSAGE',
] as const
export type RuntimeStatus = (typeof RUNTIME_STATUSES)[number]

/** A conversation of either generation, also one that is still starting. */
export const conversationInfo = z.object({
  conversation_id: z.string(),
  title: z.string(),
  last_updated_at: dateTime.nullable(),
  status: z.enum(CONVERSATION_STATUSES),
  runtime_status: z.enum(RUNTIME_STATUSES).nullable(),
  selected_repository: z.string().nullable(),
  selected_branch: z.string().nullable(),
  git_provider: gitProvider.nullable(),
  trigger: trigger.nullable(),
  /** Socket.IO connections now; 0 in lists. */
  num_connections: z.int(),
  /** Where its routes are while its sandbox runs. */
  url: z.string().nullable(),
  session_api_key: z.string().nullable(),
  created_at: dateTime,
  pr_number: z.array(z.int()),
  /** Always V0 here: its events come over Socket.IO. */
  conversation_version: z.literal('V0'),
  sub_conversation_ids: z.array(z.string()),
})
export type ConversationInfo = z.output<typeof conversationInfo>

export const conversationInfoPage = z.object({
  results: z.array(conversationInfo),
  next_page_id: z.string().nullable(),
})
export type ConversationInfoPage = z.output<typeof conversationInfoPage>

const params = z.object({ conversation_id: z.string() })
const tag = 'Conversations'
const paging = { page_id: z.string().nullish(), limit: z.int().min(1).max(1000).default(20) }

export const listConversations = route({
  method: 'get',
  path: '/api/conversations',
  summary: 'List conversations, newest first',
  tag,
  query: z.object({
    ...paging,
    selected_repository: z.string().nullish(),
    conversation_trigger: trigger.nullish(),
    include_sub_conversations: z.boolean().default(false),
  }),
  failures: ['bad_request'],
  reply: conversationInfoPage,
})

export const listMicroagentConversations = route({
  method: 'get',
  path: '/api/microagent-management/conversations',
  summary: 'List the conversations in which an agent wrote instructions for a repository',
  tag,
  query: z.object({ ...paging, selected_repository: z.string() }),
  failures: ['bad_request'],
  reply: conversationInfoPage,
})

export const getConversation = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}',
  summary: 'Get a conversation; null when there is none',
  tag,
  params,
  failures: ['invalid_id'],
  reply: conversationInfo.nullable(),
})

export const updateConversation = route({
  method: 'patch',
  path: '/api/conversations/{conversation_id}',
  summary: "Change a conversation's title",
  tag,
  params,
  body: z.strictObject({ title: z.string().trim().min(1).max(200) }),
  failures: IN_CONVERSATION,
  reply: z.boolean(),
})

export const deleteConversation = route({
  method: 'delete',
  path: '/api/conversations/{conversation_id}',
  summary: 'Delete a conversation with its sandbox; false when there is none. One that is starting is cancelled',
  tag,
  params,
  failures: ['invalid_id'],
  reply: z.boolean(),
})

export const startConversation = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/start',
  summary: "Start a conversation's sandbox",
  tag,
  params,
  body: z.object({ providers_set: z.array(gitProvider).nullish() }),
  failures: [
    ...IN_CONVERSATION,
    { code: 'sandbox_not_found', status: 500 },
    { code: 'engine_unavailable', status: 500 },
  ],
  reply: newConversationReply,
})

export const stopConversation = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/stop',
  summary: 'Stop the agent and pause its sandbox. Answers with the status before',
  tag,
  params,
  failures: IN_OWN_CONVERSATION,
  reply: newConversationReply,
})

export const getConversationConfig = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/config',
  summary: 'Names of the sandbox and of the session',
  tag,
  params,
  failures: IN_CONVERSATION,
  reply: z.object({ runtime_id: z.string(), session_id: z.string() }),
})

const MAX_EVENTS = 100
/** `query` is looked for in the event's text. */
const eventFilters = {
  exclude_hidden: z.boolean().default(false),
  query: z.string().nullish(),
  source: z.string().nullish(),
  start_date: z.string().nullish(),
  end_date: z.string().nullish(),
  include_types: z.array(z.string()).nullish(),
  exclude_types: z.array(z.string()).nullish(),
}
export const legacyEventFilter = z.object(eventFilters)
export type LegacyEventFilter = z.output<typeof legacyEventFilter>

export const getLegacyEvents = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/events',
  summary: 'Events in the legacy form. The filter may also come as a JSON body',
  tag,
  params,
  query: z.object({
    start_id: z.int().default(0),
    end_id: z.int().nullish(),
    reverse: z.boolean().default(false),
    /** 0 to 100; anything else is answered with 400. */
    limit: z.int().default(20),
    ...eventFilters,
  }),
  body: legacyEventFilter.nullish(),
  failures: [...IN_CONVERSATION, 'bad_request'],
  reply: z.object({ events: z.array(legacyEvent).max(MAX_EVENTS), has_more: z.boolean() }),
})

const posted = z.object({ success: z.literal(true) })

export const postLegacyEvent = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/events',
  summary: 'Send an action: a message, or a change of what the agent does',
  tag,
  params,
  body: clientAction,
  failures: [...IN_OWN_CONVERSATION, 'bad_request', 'not_waiting', 'conversation_running'],
  reply: posted,
})

export const postLegacyMessage = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/message',
  summary: 'Send a message to the agent',
  tag,
  params,
  body: z.object({ message: z.string() }),
  failures: [...IN_OWN_CONVERSATION, 'bad_request'],
  reply: posted,
})

export const getTrajectory = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/trajectory',
  summary: 'Everything that happened, in the legacy form; `replay_json` of a new conversation takes it',
  tag,
  params,
  failures: IN_CONVERSATION,
  reply: z.object({ trajectory: z.array(legacyEvent) }),
})

/** The first one stays. */
export const storeExperimentConfig = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/exp-config',
  summary: 'Keep what a client notes for its experiments; false, as existing clients expect of what went well',
  tag,
  params,
  body: z.object({ config: z.record(z.string(), z.string()).nullish() }),
  failures: IN_CONVERSATION,
  reply: z.boolean(),
})

export const rememberPrompt = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/remember-prompt',
  summary: 'Let the model write instructions for the repository from what happened around an event',
  tag,
  params,
  query: z.object({ event_id: z.int().min(0) }),
  failures: [...IN_CONVERSATION, 'event_not_found', ...OF_MODEL, ...IN_VAULT],
  reply: z.object({ status: z.literal('success'), prompt: z.string() }),
})

/** Kept on this machine, in `feedback.jsonl` of the data folder. */
export const submitFeedback = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/submit-feedback',
  summary: 'Keep feedback about a conversation on this machine',
  tag,
  params,
  body: z.object({
    email: z.string().max(320).nullish(),
    version: z.string().max(100).nullish(),
    polarity: z.enum(['positive', 'negative']),
    permissions: z.enum(['public', 'private']).default('private'),
    feedback: z.string().max(10_000).nullish(),
  }),
  failures: IN_CONVERSATION,
  reply: z.object({ message: z.string(), feedback_id: z.string() }),
})
