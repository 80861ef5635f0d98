import { z } from 'zod'
import { type Failure, IN_KEYS_SANDBOX, IN_VAULT } from '../contract/failures.ts'
import { page, success } from '../contract/page.ts'
import { route } from '../contract/route.ts'
import { executionStatus } from '../event/events.ts'
import { metricsSnapshot, tokenUsage } from '../event/metrics.ts'
import { clientTool } from '../v1/conversation/client-tools.ts'
import { conversationTitle, uuid } from '../v1/conversation/params.ts'
import { startConversationRequest, tags } from './start-request.ts'

export const conversationParams = z.object({
  conversation_id: uuid.describe('Id of the conversation, as a UUID with or without hyphens.'),
})
const tag = 'Conversations'

const knownMetrics = metricsSnapshot.extend({
  accumulated_cost: z
    .number()
    .nullable()
    .describe(
      'US dollars so far; a lower bound when the price of some answers is not known, and null when that of none is.',
    ),
})
const metrics = z.object({
  ...knownMetrics.shape,
  costs: z
    .array(
      z.object({
        model: z.string().describe('Name of the model.'),
        cost: z.number().nullable().describe('US dollars of the answer; null when its price is not known.'),
        timestamp: z.number().describe('When it came, in seconds since 1970.'),
      }),
    )
    .describe('The cost of each answer of the model, for the newest 100.'),
  response_latencies: z
    .array(
      z.object({
        model: z.string().describe('Name of the model.'),
        latency: z.number().describe('Seconds from the request to the end of the answer.'),
        response_id: z.string().describe('Id that the provider gave the answer.'),
      }),
    )
    .describe("The time that each answer took, for the newest 100 of the agent's steps; empty for other uses."),
  token_usages: z.array(tokenUsage).describe('The tokens of each answer of the model, for the newest 100.'),
})

/** A conversation as its own server shows it. Ids are dashed, times are local without an offset. */
export const conversationInfo = z.object({
  id: z.string().describe('Id of the conversation, as a UUID with hyphens.'),
  agent: z
    .looseObject({
      kind: z.string().describe('Kind of the agent.'),
      llm: z
        .looseObject({ model: z.string().describe('Name of the model, as `provider/model`.') })
        .describe("The agent's model."),
    })
    .describe('The agent, without its keys.'),
  workspace: z
    .object({
      kind: z.literal('LocalWorkspace'),
      working_dir: z.string().describe('Absolute path of the folder in the sandbox.'),
    })
    .describe('Folder that the agent works in.'),
  persistence_dir: z.string().nullable().describe('Always null: events are kept by the service, not in the sandbox.'),
  max_iterations: z.int().describe('Steps that the agent may take before it pauses.'),
  stuck_detection: z.boolean().describe('Whether the agent is stopped when it repeats itself.'),
  execution_status: executionStatus.describe('What the agent is doing.'),
  confirmation_policy: z
    .looseObject({ kind: z.string().describe('Name of the policy.') })
    .describe('When the agent asks before it acts.'),
  security_analyzer: z
    .looseObject({ kind: z.string().describe('Name of the analyzer.') })
    .nullable()
    .describe('What rates the risk of actions; null for nothing.'),
  activated_knowledge_skills: z.array(z.string()).describe('Names of the skills that messages have brought in.'),
  invoked_skills: z.array(z.string()).describe('Names of the skills that the agent has read.'),
  blocked_actions: z
    .record(z.string(), z.string())
    .describe('Why hooks have blocked an action, by the id of its event.'),
  blocked_messages: z
    .record(z.string(), z.string())
    .describe('Why hooks have blocked a message, by the id of its event.'),
  last_user_message_id: z.string().nullable().describe("Event of the user's last message; null when there is none."),
  leaf_event_id: z.string().nullable().describe('Event after which the conversation goes on; null for its beginning.'),
  stats: z
    .object({
      usage_to_metrics: z.record(z.string(), metrics).describe('Tokens and cost by what the answers were for.'),
    })
    .describe('Tokens and cost so far.'),
  secret_registry: z
    .object({
      secret_sources: z
        .record(z.string(), z.unknown())
        .describe('Secrets by the name of their variable; values are masked.'),
    })
    .describe('Secrets of the conversation, without their values.'),
  agent_state: z.record(z.string(), z.unknown()).describe('Always empty: state that an agent keeps for itself.'),
  hook_config: z.looseObject({}).nullable().describe('Hooks of the conversation; null for none.'),
  title: z.string().nullable().describe('Title for people; null until there is one.'),
  metrics: knownMetrics
    .nullable()
    .describe('Tokens and cost of the agent so far; null before the first answer of the model.'),
  created_at: z.string().describe('When it was created: local time without an offset.'),
  updated_at: z.string().describe('When it last changed: local time without an offset.'),
  forked_from_conversation_id: z
    .string()
    .nullable()
    .describe('Conversation that this one was forked from; null for none.'),
  forked_from_event_id: z
    .string()
    .nullable()
    .describe('Last event that was copied from there; null when it is no fork.'),
  parent_conversation_id: z.string().nullable().describe('Conversation that this one was started from; null for none.'),
  sub_conversation_ids: z.array(z.string()).describe('Conversations that were started from this one.'),
  tags: z.record(z.string(), z.string()).describe('Tags that clients have given it.'),
  current_model_id: z.string().nullable().describe('Always null: `agent.llm.model` names the model.'),
  available_models: z.array(z.string()).describe('Always empty: models that an agent of another make offers.'),
  supports_runtime_model_switch: z.boolean().describe('Always false: the model is changed with `switch_llm`.'),
  launched_agent_profile: z.unknown().describe('Always null, as there are no agent profiles.'),
  client_tools: z
    .array(clientTool.extend({ agent_tool_name: z.string().describe('Name by which the agent calls the tool.') }))
    .describe('Tools that the client carries out itself.'),
})
export type ConversationInfo = z.output<typeof conversationInfo>

export const CONVERSATION_SORT_ORDERS = ['CREATED_AT', 'UPDATED_AT', 'CREATED_AT_DESC', 'UPDATED_AT_DESC'] as const
export type ConversationSortOrder = (typeof CONVERSATION_SORT_ORDERS)[number]

export const searchGatewayConversations = route({
  method: 'get',
  path: '/api/conversations/search',
  summary: 'Search the conversations that the key opens',
  description: 'Lists the conversations that the key opens, a page at a time.',
  tag,
  query: z.object({
    page_id: z
      .string()
      .nullish()
      .describe('Where the page begins: `next_page_id` of the page before. Absent is the first page.'),
    limit: z.int().min(1).max(100).default(100).describe('How many conversations a page has at most.'),
    status: executionStatus.nullish().describe('Only conversations whose agent does this.'),
    sort_order: z
      .enum(CONVERSATION_SORT_ORDERS)
      .default('CREATED_AT_DESC')
      .describe('Newest or oldest first, by creation or by the last change.'),
  }),
  reply: page(conversationInfo),
})

export const countGatewayConversations = route({
  method: 'get',
  path: '/api/conversations/count',
  summary: 'Count the conversations that the key opens',
  description: 'Counts the conversations that the key opens.',
  tag,
  query: z.object({ status: executionStatus.nullish().describe('Only conversations whose agent does this.') }),
  reply: z.int(),
})

export const batchGetGatewayConversations = route({
  method: 'get',
  path: '/api/conversations',
  summary: 'Get conversations by id; null for unknown ones',
  description: 'Reads conversations by id. The reply has the order of the ids, with null for those that are unknown.',
  tag,
  query: z.object({ ids: z.array(uuid).min(1).max(99).describe('Ids of conversations; the reply has their order.') }),
  reply: z.array(conversationInfo.nullable()),
})

export const getGatewayConversation = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}',
  summary: 'Get a conversation',
  description: 'Reads one conversation.',
  tag,
  params: conversationParams,
  failures: ['conversation_not_found'],
  reply: conversationInfo,
})

/** A conversation that does not exist, or that the key does not open, is answered with `success: false`. */
export const updateGatewayConversation = route({
  method: 'patch',
  path: '/api/conversations/{conversation_id}',
  summary: 'Change title or tags',
  description: 'Changes the title or the tags of a conversation.',
  tag,
  params: conversationParams,
  body: z.object({
    title: conversationTitle.nullish().describe('New title; absent keeps it.'),
    tags: tags.nullish().describe('New tags, in place of all that there are; absent keeps them.'),
  }),
  reply: success,
})

export const deleteGatewayConversation = route({
  method: 'delete',
  path: '/api/conversations/{conversation_id}',
  summary: 'Delete a conversation and its events; the sandbox and its files stay',
  description: 'Deletes a conversation and its events; the sandbox and its files stay.',
  tag,
  params: conversationParams,
  failures: ['bad_request'],
  reply: success,
})

const command = (
  name: string,
  { failures, ...words }: { summary: string; description: string; failures: readonly Failure[] },
) =>
  route({
    method: 'post',
    path: `/api/conversations/{conversation_id}/${name}`,
    ...words,
    tag,
    params: conversationParams,
    failures,
    reply: success,
  })

export const runGatewayConversation = command('run', {
  summary: 'Let the agent go on',
  description: 'Lets the agent go on with what it has read. 409 when it is at work already.',
  failures: ['conversation_not_found', 'conversation_elsewhere', 'conversation_running'],
})
export const pauseGatewayConversation = command('pause', {
  summary: 'Pause after the current step',
  description: 'Lets the agent end its current step and then stop. Nothing happens when it does not work.',
  failures: ['bad_request', 'conversation_elsewhere'],
})
export const interruptGatewayConversation = command('interrupt', {
  summary: 'Stop now',
  description: 'Stops the agent now: the call of the model and the running command are cancelled.',
  failures: ['bad_request', 'conversation_elsewhere'],
})

/** 201 for a new conversation, 200 for one that exists already. Runs when there is a first message. */
export const startGatewayConversation = route({
  method: 'post',
  path: '/api/conversations',
  summary: "Start a conversation in the key's sandbox, or attach to one",
  description:
    "Starts a conversation in the sandbox of the key and answers 201 with it. One that has the given id already is attached to and answered with 200, also while another request starts it; 409 when it is of another sandbox. The app's own key starts it in a sandbox of its own.",
  tag,
  status: 201,
  otherSuccess: { status: 200, description: 'A conversation with this id was there already' },
  body: startConversationRequest,
  failures: [
    'bad_request',
    'not_found',
    'conversation_exists',
    'not_supported',
    'llm_unknown_model',
    'llm_bad_request',
    'model_not_set',
    ...IN_KEYS_SANDBOX,
    ...IN_VAULT,
  ],
  reply: conversationInfo,
})
