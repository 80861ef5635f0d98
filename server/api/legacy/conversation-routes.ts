import { z } from 'zod'
import { IN_CONVERSATION, IN_OWN_CONVERSATION, IN_VAULT, OF_MODEL } from '../contract/failures.ts'
import { dateTime } from '../contract/page.ts'
import { route } from '../contract/route.ts'
import { gitProvider, trigger } from '../v1/conversation/conversations.ts'
import { conversationParams, conversationTitle } from '../v1/conversation/params.ts'
import { CONVERSATION_STATUSES, newConversationReply } from './conversations.ts'

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
  conversation_id: z
    .string()
    .describe('Id of the conversation: 32 hexadecimal digits, or the name that its client gave it.'),
  title: z.string().describe('Title for people.'),
  last_updated_at: dateTime.nullable().describe('When it last changed; null when that is not known.'),
  status: z.enum(CONVERSATION_STATUSES).describe('Whether its sandbox is starting, runs or is stopped.'),
  runtime_status: z
    .enum(RUNTIME_STATUSES)
    .nullable()
    .describe("State of the sandbox in the legacy generation's words; null when there is none."),
  selected_repository: z.string().nullable().describe('Repository that was cloned; null for none.'),
  selected_branch: z
    .string()
    .nullable()
    .describe("Branch that was checked out; null for the repository's default branch."),
  git_provider: gitProvider.nullable().describe('Where the repository lies; null when there is none.'),
  trigger: trigger.nullable().describe('What the conversation was started by; null when its client did not say.'),
  num_connections: z.int().describe('Socket.IO connections to it now; always 0 in lists.'),
  url: z
    .string()
    .nullable()
    .describe(
      'Address of its routes while its sandbox runs, else null: a path of this port for V0, the agent server for V1.',
    ),
  session_api_key: z
    .string()
    .nullable()
    .describe('Key of the agent server for V1; null for V0, where the key of this port opens its routes.'),
  created_at: dateTime.describe('When it was created.'),
  pr_number: z.array(z.int()).describe('Numbers of the pull requests that it belongs to.'),
  conversation_version: z
    .enum(['V0', 'V1'])
    .describe('Generation whose client created it: V0 events come over Socket.IO, V1 events from the agent server.'),
  sub_conversation_ids: z.array(z.string()).describe('Conversations that were started from this one.'),
})
export type ConversationInfo = z.output<typeof conversationInfo>

export const conversationInfoPage = z.object({
  results: z.array(conversationInfo).describe('Conversations of this page, newest first.'),
  next_page_id: z.string().nullable().describe('Where the next page begins; null on the last page.'),
})
export type ConversationInfoPage = z.output<typeof conversationInfoPage>

const tag = 'Conversations'
const paging = {
  page_id: z
    .string()
    .nullish()
    .describe('Where the page begins: `next_page_id` of the page before. Absent is the first page.'),
  limit: z.int().min(1).max(1000).default(20).describe('How many conversations a page has at most.'),
}

export const listConversations = route({
  method: 'get',
  path: '/api/conversations',
  summary: 'List conversations, newest first',
  description: 'Lists the conversations of both generations, newest first, with those that are still starting.',
  tag,
  query: z.object({
    ...paging,
    selected_repository: z.string().nullish().describe('Only conversations of this repository.'),
    conversation_trigger: trigger.nullish().describe('Only conversations that were started by this.'),
    include_sub_conversations: z
      .boolean()
      .default(false)
      .describe('Whether conversations that were started from another are listed too.'),
  }),
  failures: ['bad_request'],
  reply: conversationInfoPage,
})

export const listMicroagentConversations = route({
  method: 'get',
  path: '/api/microagent-management/conversations',
  summary: 'List the conversations in which an agent wrote instructions for a repository',
  description: 'Lists the conversations that were started to write instructions for agents into this repository.',
  tag,
  query: z.object({
    ...paging,
    selected_repository: z.string().describe('Repository that the instructions are for, as `owner/name`.'),
  }),
  failures: ['bad_request'],
  reply: conversationInfoPage,
})

export const getConversation = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}',
  summary: 'Get a conversation; null when there is none',
  description:
    'Reads one conversation of either generation, also one that is still starting. The reply is null when there is none.',
  tag,
  params: conversationParams,
  failures: ['invalid_id'],
  reply: conversationInfo.nullable(),
})

export const updateConversation = route({
  method: 'patch',
  path: '/api/conversations/{conversation_id}',
  summary: "Change a conversation's title",
  description: 'Gives the conversation this title. The reply is true when it did.',
  tag,
  params: conversationParams,
  body: z.strictObject({ title: conversationTitle.describe('New title.') }),
  failures: IN_CONVERSATION,
  reply: z.boolean(),
})

export const deleteConversation = route({
  method: 'delete',
  path: '/api/conversations/{conversation_id}',
  summary: 'Delete a conversation with its sandbox',
  description:
    'Deletes the conversation, its events and its sandbox when no other conversation uses that; one that is still starting is cancelled. The reply is false when there is none.',
  tag,
  params: conversationParams,
  failures: ['invalid_id'],
  reply: z.boolean(),
})

export const startConversation = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/start',
  summary: "Start a conversation's sandbox",
  description: 'Wakes the sandbox of the conversation when it is paused; one that runs is left alone.',
  tag,
  params: conversationParams,
  body: z.object({
    providers_set: z.array(gitProvider).nullish().describe('Git providers that the client knows of; it has no effect.'),
  }),
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
  description:
    'Interrupts the agent and pauses the sandbox. The reply has the status that the conversation had before.',
  tag,
  params: conversationParams,
  failures: IN_OWN_CONVERSATION,
  reply: newConversationReply,
})

export const getConversationConfig = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/config',
  summary: 'Names of the sandbox and of the session',
  description: "Tells the ids that clients show for the conversation's sandbox and session.",
  tag,
  params: conversationParams,
  failures: IN_CONVERSATION,
  reply: z.object({
    runtime_id: z.string().describe('Id of the sandbox.'),
    session_id: z.string().describe('Id of the conversation.'),
  }),
})

/** The first one stays. */
export const storeExperimentConfig = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/exp-config',
  summary: 'Keep what a client notes for its experiments',
  description:
    'Keeps what a client notes for its experiments, the first time it does. The reply is false for success, as existing clients expect.',
  tag,
  params: conversationParams,
  body: z.object({ config: z.record(z.string(), z.string()).nullish().describe('What the client notes, by name.') }),
  failures: IN_CONVERSATION,
  reply: z.boolean(),
})

export const rememberPrompt = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}/remember-prompt',
  summary: 'Let the model write instructions for the repository from what happened around an event',
  description:
    'Asks the model to write instructions for the repository from what happened around an event. Nothing is written into the repository.',
  tag,
  params: conversationParams,
  query: z.object({ event_id: z.int().min(0).describe('Id of the event that the instructions are about.') }),
  failures: [...IN_CONVERSATION, 'event_not_found', ...OF_MODEL, ...IN_VAULT],
  reply: z.object({
    status: z.literal('success'),
    prompt: z.string().describe('Instructions that the model proposes.'),
  }),
})

/** Kept on this machine, in `feedback.jsonl` of the data folder. */
export const submitFeedback = route({
  method: 'post',
  path: '/api/conversations/{conversation_id}/submit-feedback',
  summary: 'Keep feedback about a conversation on this machine',
  description: 'Writes feedback about the conversation into a file on this machine. It is sent to nobody.',
  tag,
  params: conversationParams,
  body: z.object({
    email: z.string().max(320).nullish().describe('Address of the person; kept on this machine.'),
    version: z.string().max(100).nullish().describe('Version of the client.'),
    polarity: z.enum(['positive', 'negative']).describe('Whether the feedback is good or bad.'),
    permissions: z
      .enum(['public', 'private'])
      .default('private')
      .describe('Whether the person would share it; it stays on this machine in any case.'),
    feedback: z.string().max(10_000).nullish().describe('What the person has to say.'),
  }),
  failures: IN_CONVERSATION,
  reply: z.object({
    message: z.string().describe('That the feedback was kept, in words.'),
    feedback_id: z.string().describe('Id of the feedback in the file that keeps it.'),
  }),
})
