import { z } from 'zod'
import { confirmationPolicy, securityAnalyzer } from './confirmation.ts'
import { conversationSecrets } from './conversation-secrets.ts'
import { executionStatus, sendMessageRequest } from './events.ts'
import { IN_CONVERSATION, IN_OWN_CONVERSATION } from './failures.ts'
import { metricsSnapshot } from './metrics.ts'
import { dateTime, page, pageQuery, success } from './page.ts'
import { route } from './route.ts'
import { sandboxStatus } from './sandboxes.ts'

export const GIT_PROVIDERS = ['github', 'gitlab', 'bitbucket', 'enterprise_sso'] as const
export const gitProvider = z.enum(GIT_PROVIDERS)
export type GitProvider = z.output<typeof gitProvider>

export const TRIGGERS = [
  'resolver',
  'gui',
  'suggested_task',
  'openhands_api',
  'slack',
  'microagent_management',
  'jira',
  'jira_dc',
  'linear',
  'bitbucket',
] as const
export const trigger = z.enum(TRIGGERS)

export const AGENT_TYPES = ['default', 'plan'] as const
export const agentType = z.enum(AGENT_TYPES)
export type AgentType = z.output<typeof agentType>

/** Actions that a person has allowed for good in this conversation, in words. */
export const allowedKind = z.object({ id: z.string(), text: z.string() })
export type AllowedKind = z.output<typeof allowedKind>

export const appConversation = z.object({
  id: z.string(),
  created_by_user_id: z.string().nullable(),
  sandbox_id: z.string(),
  selected_repository: z.string().nullable(),
  selected_branch: z.string().nullable(),
  git_provider: gitProvider.nullable(),
  title: z.string().nullable(),
  trigger: trigger.nullable(),
  pr_number: z.array(z.int()),
  llm_model: z.string().nullable(),
  metrics: metricsSnapshot.nullable(),
  parent_conversation_id: z.string().nullable(),
  sub_conversation_ids: z.array(z.string()),
  created_at: dateTime,
  updated_at: dateTime,
  sandbox_status: sandboxStatus,
  /** The engine cannot be asked now: `sandbox_status` is what it said last. */
  sandbox_unreachable: z.boolean(),
  execution_status: executionStatus.nullable(),
  conversation_url: z.string().nullable(),
  session_api_key: z.string().nullable(),
  /** Limits in force; a message or run goes on after they were raised. */
  max_iterations: z.int(),
  max_budget_per_task: z.number().nullable(),
  /** The limit that paused it, or null. */
  limit_reached: z.enum(['max_iterations', 'max_budget_per_task']).nullable(),
  steps: z.int(),
  cost_unknown: z.boolean(),
  confirmation_policy: confirmationPolicy,
  security_analyzer: securityAnalyzer.nullable(),
  always_allowed: z.array(allowedKind),
  /** `plan` reads, and writes nothing but PLAN.md. */
  agent_type: agentType,
  forked_from_conversation_id: z.string().nullable(),
  forked_from_event_id: z.string().nullable(),
})
export type AppConversation = z.output<typeof appConversation>

export const appConversationStartRequest = z.object({
  sandbox_id: z.string().nullish(),
  /** Image of the sandbox to start; the default spec when absent. */
  sandbox_spec_id: z.string().nullish(),
  conversation_id: z.string().nullish(),
  initial_message: sendMessageRequest.nullish(),
  llm_model: z.string().nullish(),
  /** A git URL, or `owner/name` on the given provider (github when absent). */
  selected_repository: z.string().nullish(),
  selected_branch: z.string().nullish(),
  git_provider: gitProvider.nullish(),
  /** Cut to 200 characters. */
  title: z.string().nullish(),
  trigger: trigger.nullish(),
  pr_number: z.array(z.int()).default([]),
  parent_conversation_id: z.string().nullish(),
  agent_type: agentType.default('default'),
  /** When the agent asks before it acts; from the settings when absent. */
  confirmation_policy: confirmationPolicy.nullish(),
  security_analyzer: securityAnalyzer.nullish(),
  max_iterations: z.int().min(1).nullish(),
  max_budget_per_task: z.number().positive().nullish(),
})
export type AppConversationStartRequest = z.output<typeof appConversationStartRequest>

/** What is kept of a request holds no secret. */
export const newAppConversation = appConversationStartRequest.extend({ secrets: conversationSecrets.nullish() })
export type NewAppConversation = z.output<typeof newAppConversation>

export const START_TASK_STATUSES = [
  'WORKING',
  'WAITING_FOR_SANDBOX',
  'PREPARING_REPOSITORY',
  'RUNNING_SETUP_SCRIPT',
  'SETTING_UP_GIT_HOOKS',
  'STARTING_CONVERSATION',
  'READY',
  'ERROR',
] as const
export const startTaskStatus = z.enum(START_TASK_STATUSES)
export type StartTaskStatus = z.output<typeof startTaskStatus>

/** One step of a start: `finished_at` null while it goes on; `detail` is its newest line (a pull's bytes, git's progress). */
export const startStep = z.object({
  status: startTaskStatus,
  started_at: dateTime,
  finished_at: dateTime.nullable(),
  detail: z.string().nullable(),
  progress: z.object({ done: z.number(), total: z.number() }).nullable(),
})
export type StartStep = z.output<typeof startStep>

export const appConversationStartTask = z.object({
  id: z.string(),
  created_by_user_id: z.string().nullable(),
  status: startTaskStatus,
  /** The error in words when status is ERROR; what the start waits for while other starts, or the engine, come first. */
  detail: z.string().nullable(),
  /** Set at READY. */
  app_conversation_id: z.string().nullable(),
  sandbox_id: z.string().nullable(),
  agent_server_url: z.string().nullable(),
  request: appConversationStartRequest,
  steps: z.array(startStep),
  created_at: dateTime,
  updated_at: dateTime,
})
export type AppConversationStartTask = z.output<typeof appConversationStartTask>

export const appConversationPage = page(appConversation)

const filters = {
  title__contains: z.string().nullish(),
  created_at__gte: dateTime.nullish(),
  created_at__lt: dateTime.nullish(),
  updated_at__gte: dateTime.nullish(),
  updated_at__lt: dateTime.nullish(),
  sandbox_id__eq: z.string().nullish(),
  include_sub_conversations: z.boolean().default(false),
}
const conversationParams = z.object({ conversation_id: z.string() })
const tag = 'App conversations'

export const createAppConversation = route({
  method: 'post',
  path: '/api/v1/app-conversations',
  summary: 'Create an app conversation',
  tag,
  body: newAppConversation,
  failures: ['bad_request', 'invalid_id', 'conversation_exists', 'conversation_not_found', 'model_not_set'],
  reply: appConversationStartTask,
})

export const streamStart = route({
  method: 'post',
  path: '/api/v1/app-conversations/stream-start',
  summary: 'Create an app conversation and follow its start: an array whose elements come as the task changes',
  tag,
  body: newAppConversation,
  failures: ['bad_request', 'invalid_id', 'conversation_exists', 'conversation_not_found', 'model_not_set'],
  reply: z.array(appConversationStartTask),
})

export const listAppConversations = route({
  method: 'get',
  path: '/api/v1/app-conversations',
  tag,
  summary: 'List app conversations, newest first; with `ids`, a batch in their order with null for unknown ones',
  query: z.object({ ids: z.array(z.string()).max(100).optional(), ...pageQuery.shape, ...filters }),
  failures: ['invalid_id'],
  reply: z.union([appConversationPage, z.array(appConversation.nullable())]),
})

export const searchAppConversations = route({
  method: 'get',
  path: '/api/v1/app-conversations/search',
  summary: 'Search app conversations',
  tag,
  query: z.object({
    ...pageQuery.shape,
    ...filters,
    sort_order: z.enum(['CREATED_AT_DESC', 'UPDATED_AT_DESC']).default('CREATED_AT_DESC'),
  }),
  reply: appConversationPage,
})

export const countAppConversations = route({
  method: 'get',
  path: '/api/v1/app-conversations/count',
  summary: 'Count app conversations',
  tag,
  query: z.object(filters),
  reply: z.int(),
})

/** `null` clears the budget. Raised limits count from the next step on. */
export const updateAppConversation = route({
  method: 'patch',
  path: '/api/v1/app-conversations/{conversation_id}',
  summary: "Change a conversation's title, limits, model or confirmation policy",
  tag,
  params: conversationParams,
  body: z.object({
    title: z.string().trim().min(1).max(200).optional(),
    max_iterations: z.int().min(1).optional(),
    max_budget_per_task: z.number().positive().nullable().optional(),
    llm_model: z.string().min(1).optional(),
    confirmation_policy: confirmationPolicy.optional(),
    security_analyzer: securityAnalyzer.nullable().optional(),
    /** Ids of what stays allowed; the rest waits for a person again. None can be added here. */
    always_allowed: z.array(z.string()).max(1000).optional(),
  }),
  failures: IN_OWN_CONVERSATION,
  reply: appConversation,
})

export const deleteAppConversation = route({
  method: 'delete',
  path: '/api/v1/app-conversations/{conversation_id}',
  tag,
  summary:
    'Delete a conversation, its events, and its sandbox when no other conversation uses it; without an engine, the sandbox when there is one',
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: success,
})

export const sendMessage = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/send-message',
  tag,
  summary: 'Send a message; a run that goes on picks it up, `run` starts one otherwise',
  params: conversationParams,
  body: sendMessageRequest,
  failures: [...IN_OWN_CONVERSATION, 'bad_request'],
  reply: success,
})

export const runConversation = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/run',
  summary: 'Let the agent go on',
  tag,
  params: conversationParams,
  failures: [...IN_OWN_CONVERSATION, 'conversation_running'],
  reply: success,
})

export const pauseConversation = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/pause',
  summary: 'Pause after the current step',
  tag,
  params: conversationParams,
  failures: IN_OWN_CONVERSATION,
  reply: success,
})

export const interruptConversation = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/interrupt',
  tag,
  summary: 'Stop now: cancels the model call and the running command',
  params: conversationParams,
  failures: IN_OWN_CONVERSATION,
  reply: success,
})

/** Starts the bundled demonstration: a recorded trajectory with real commands in a real sandbox, without a model. */
export const startDemonstration = route({
  method: 'post',
  path: '/api/v1/demonstration',
  summary: 'Start the demonstration',
  tag,
  failures: ['unavailable'],
  reply: appConversationStartTask,
})
