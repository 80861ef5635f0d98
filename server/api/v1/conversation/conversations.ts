import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION } from '../../contract/failures.ts'
import { dateTime, page, pageQuery, success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { executionStatus, sendMessageRequest } from '../../event/events.ts'
import { metricsSnapshot } from '../../event/metrics.ts'
import { sandboxStatus } from '../sandbox/sandboxes.ts'
import { allowedKind, confirmationPolicy, securityAnalyzer } from './confirmation.ts'
import { folderMode } from './folder/folders.ts'
import { conversationParams, conversationTitle } from './params.ts'

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

export const appConversation = z.object({
  id: z.string().describe('Id of the conversation: 32 hexadecimal digits.'),
  created_by_user_id: z.string().nullable().describe('Always null, as there are no accounts.'),
  sandbox_id: z.string().describe('Sandbox that the conversation works in.'),
  selected_repository: z
    .string()
    .nullable()
    .describe('Repository that was cloned, as `owner/name` or as a git URL; null for none.'),
  selected_branch: z
    .string()
    .nullable()
    .describe("Branch that was checked out; null for the repository's default branch."),
  git_provider: gitProvider
    .nullable()
    .describe('Where the repository lies; null when there is none or it was given as a URL.'),
  source_folder: z.string().nullable().describe('Folder of this computer that it works on; null for none.'),
  folder_mode: folderMode.nullable().describe('How it works on that folder; null for none.'),
  mounted_folder: z
    .string()
    .nullable()
    .describe(
      'Where on this computer its files lie: the folder itself or its worktree; null when they are in the sandbox alone.',
    ),
  title: z.string().nullable().describe('Title for people; null until there is one.'),
  trigger: trigger.nullable().describe('What the conversation was started by; null when its client did not say.'),
  pr_number: z.array(z.int()).describe('Numbers of the pull requests that it belongs to.'),
  llm_model: z.string().nullable().describe('Model that answers, as `provider/model`; null when none is set.'),
  metrics: metricsSnapshot.nullable().describe('Tokens and cost so far; null before the first answer of a model.'),
  parent_conversation_id: z.string().nullable().describe('Conversation that this one was started from; null for none.'),
  sub_conversation_ids: z.array(z.string()).describe('Conversations that were started from this one, oldest first.'),
  created_at: dateTime.describe('When it was created.'),
  updated_at: dateTime.describe('When it last changed.'),
  sandbox_status: sandboxStatus.describe('State of its sandbox.'),
  sandbox_unreachable: z
    .boolean()
    .describe('True while the engine cannot be asked: `sandbox_status` is then what it said last.'),
  execution_status: executionStatus.nullable().describe('What the agent is doing; null while that cannot be told.'),
  conversation_url: z
    .string()
    .nullable()
    .describe(
      'Address of the conversation at the gateway, for clients of agent servers; null unless its sandbox is RUNNING.',
    ),
  session_api_key: z
    .string()
    .nullable()
    .describe('Key that opens this sandbox at the gateway; null unless the sandbox is RUNNING.'),
  max_iterations: z
    .int()
    .describe('Steps that the agent may take before it pauses; one that is paused goes on after this was raised.'),
  max_budget_per_task: z
    .number()
    .nullable()
    .describe('US dollars that it may cost before the agent pauses; null for no limit.'),
  limit_reached: z
    .enum(['max_iterations', 'max_budget_per_task'])
    .nullable()
    .describe('The limit that paused it; null when none did.'),
  steps: z.int().describe('Steps of the agent so far, which count against `max_iterations`.'),
  cost_unknown: z
    .boolean()
    .describe('Whether a model without a known price has answered: the cost is then a lower bound.'),
  price_known: z
    .boolean()
    .describe(
      'Whether the price of its model is known; otherwise its budget stops it only where the server reports costs.',
    ),
  confirmation_policy: confirmationPolicy.describe('When the agent asks a person before it acts.'),
  security_analyzer: securityAnalyzer.nullable().describe('What rates the risk of actions; null for nothing.'),
  always_allowed: z
    .array(allowedKind)
    .describe('Kinds of actions that a person has allowed for good in this conversation.'),
  agent_type: agentType.describe('`plan` reads, and writes nothing but its plan; `default` does everything.'),
  forked_from_conversation_id: z
    .string()
    .nullable()
    .describe('Conversation that this one was forked from; null for none.'),
  forked_from_event_id: z
    .string()
    .nullable()
    .describe('Last event that was copied from there; null when it is no fork.'),
  pinned_at: dateTime.nullable().describe('When a person pinned it to the top of the list; null when it is not.'),
  archived_at: dateTime.nullable().describe('When it was put into the archive; null when it stands in the list.'),
})
export type AppConversation = z.output<typeof appConversation>

export const appConversationPage = page(appConversation)

const filters = {
  title__contains: z.string().nullish().describe('Only conversations whose title has this text, whatever its case.'),
  created_at__gte: dateTime.nullish().describe('Only conversations created at this time or later.'),
  created_at__lt: dateTime.nullish().describe('Only conversations created before this time.'),
  updated_at__gte: dateTime.nullish().describe('Only conversations changed at this time or later.'),
  updated_at__lt: dateTime.nullish().describe('Only conversations changed before this time.'),
  sandbox_id__eq: z.string().nullish().describe('Only conversations of this sandbox.'),
  pinned__eq: z.boolean().nullish().describe('Only pinned conversations, or only others.'),
  archived__eq: z.boolean().nullish().describe('Only conversations in the archive, or only others.'),
  include_sub_conversations: z
    .boolean()
    .default(false)
    .describe('Whether conversations that were started from another are listed too.'),
}
const tag = 'App conversations'

export const listAppConversations = route({
  method: 'get',
  path: '/api/v1/app-conversations',
  tag,
  summary: 'List app conversations, newest first',
  description:
    'Lists a page of conversations, newest first. With `ids` the reply is an array in the order of the ids instead, with null for those that are unknown.',
  query: z.object({
    ids: z
      .array(z.string())
      .max(100)
      .optional()
      .describe(
        'Ids of conversations: the reply is then an array in their order, with null for unknown ones. Absent lists a page.',
      ),
    ...pageQuery.shape,
    ...filters,
  }),
  failures: ['invalid_id'],
  reply: z.union([appConversationPage, z.array(appConversation.nullable())]),
})

export const searchAppConversations = route({
  method: 'get',
  path: '/api/v1/app-conversations/search',
  summary: 'Search app conversations',
  description: 'Lists the conversations that fit all filters, a page at a time, newest first.',
  tag,
  query: z.object({
    ...pageQuery.shape,
    ...filters,
    sort_order: z
      .enum(['CREATED_AT_DESC', 'UPDATED_AT_DESC'])
      .default('CREATED_AT_DESC')
      .describe('Newest first, by creation or by the last change.'),
  }),
  reply: appConversationPage,
})

export const countAppConversations = route({
  method: 'get',
  path: '/api/v1/app-conversations/count',
  summary: 'Count app conversations',
  description: 'Counts the conversations that fit all filters.',
  tag,
  query: z.object(filters),
  reply: z.int(),
})

/** `null` clears the budget. Raised limits count from the next step on. */
export const updateAppConversation = route({
  method: 'patch',
  path: '/api/v1/app-conversations/{conversation_id}',
  summary: "Change a conversation's title, limits, model, confirmation policy or place in the list",
  description:
    'Changes what the body names and answers with the conversation. Raised limits count from the next step on, and a budget of null removes the limit.',
  tag,
  params: conversationParams,
  body: z.object({
    title: conversationTitle.optional().describe('New title; absent keeps it.'),
    pinned: z.boolean().optional().describe('Whether it is pinned to the top of the list; absent keeps it.'),
    archived: z
      .boolean()
      .optional()
      .describe(
        'Whether it is in the archive, with all that work for it, until a message is sent to it; absent keeps it.',
      ),
    max_iterations: z
      .int()
      .min(1)
      .optional()
      .describe('New limit of steps, in force from the next step on; absent keeps it.'),
    max_budget_per_task: z
      .number()
      .positive()
      .nullable()
      .optional()
      .describe('New limit in US dollars, in force from the next step on; null removes it, absent keeps it.'),
    llm_model: z
      .string()
      .min(1)
      .optional()
      .describe('Model from the next step on, as `provider/model`; absent keeps it.'),
    confirmation_policy: confirmationPolicy
      .optional()
      .describe('When the agent asks a person before it acts; absent keeps it.'),
    security_analyzer: securityAnalyzer
      .nullable()
      .optional()
      .describe('What rates the risk of actions; null is nothing, absent keeps it.'),
    always_allowed: z
      .array(z.string())
      .max(1000)
      .optional()
      .describe(
        'Ids of the kinds of actions that stay allowed; the others wait for a person again. None can be added here. Absent keeps all.',
      ),
  }),
  failures: IN_OWN_CONVERSATION,
  reply: appConversation,
})

export const deleteAppConversation = route({
  method: 'delete',
  path: '/api/v1/app-conversations/{conversation_id}',
  tag,
  summary: 'Delete a conversation, its events, and its sandbox when no other conversation uses it',
  description:
    'Deletes the conversation and its events, and its sandbox when no other conversation uses it. Without an engine the sandbox is deleted when there is one again.',
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: success,
})

export const sendMessage = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/send-message',
  tag,
  summary: 'Send a message',
  description:
    'Adds a message to the conversation. A run that goes on reads it before its next step; otherwise `run` starts one.',
  params: conversationParams,
  body: sendMessageRequest,
  failures: [...IN_OWN_CONVERSATION, 'bad_request'],
  reply: success,
})

export const runConversation = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/run',
  summary: 'Let the agent go on',
  description: 'Lets the agent go on with what it has read. 409 when it is at work already.',
  tag,
  params: conversationParams,
  failures: [...IN_OWN_CONVERSATION, 'conversation_running'],
  reply: success,
})

export const pauseConversation = route({
  method: 'post',
  path: '/api/v1/app-conversations/{conversation_id}/pause',
  summary: 'Pause after the current step',
  description: 'Lets the agent end its current step and then stop. Nothing happens when it does not work.',
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
  description: 'Stops the agent now: the call of the model and the running command are cancelled.',
  params: conversationParams,
  failures: IN_OWN_CONVERSATION,
  reply: success,
})
