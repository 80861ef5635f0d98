import { z } from 'zod'
import { clientTool, clientTools } from './client-tools.ts'
import { imageContent, textContent } from './content.ts'
import { conversationSecrets } from './conversation-secrets.ts'
import { executionStatus } from './events.ts'
import { type Failure, IN_KEYS_SANDBOX, IN_VAULT } from './failures.ts'
import { mcpServersInput } from './mcp-servers.ts'
import { metricsSnapshot } from './metrics.ts'
import { page, success } from './page.ts'
import { route } from './route.ts'

/** Dashed or 32 hex digits. */
export const uuid = z.stringFormat('uuid', /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i)
export const conversationParams = z.object({ conversation_id: uuid })
const tag = 'Conversations'

/** What older web clients send for a picture. */
const imageUrlContent = z
  .object({ type: z.literal('image_url'), image_url: z.object({ url: z.string() }) })
  .transform(({ image_url }) => ({ type: 'image' as const, image_urls: [image_url.url] }))

/** The agent is always spoken to by its user, whatever role a client names. */
export const gatewayMessage = z.object({
  role: z.enum(['user', 'system', 'assistant', 'tool']).default('user'),
  content: z
    .union([
      z.string().transform(text => [{ type: 'text' as const, text }]),
      z.array(z.union([textContent, imageContent, imageUrlContent])),
    ])
    .default([]),
  run: z.boolean().default(false),
})
export type GatewayMessage = z.output<typeof gatewayMessage>

/** How to reach a model. Other fields of existing clients are taken and have no effect. */
export const gatewayLlm = z.looseObject({
  model: z.string().max(500).nullish(),
  base_url: z.string().max(2000).nullish(),
  /** Kept in memory for this conversation, until Atelier closes; never stored and never shown. */
  api_key: z.union([z.string().max(8192), z.looseObject({})]).nullish(),
  usage_id: z.string().max(200).nullish(),
})
export type GatewayLlm = z.output<typeof gatewayLlm>

const agentSource = z.looseObject({
  kind: z.string().nullish(),
  agent_kind: z.string().nullish(),
  /** Tool servers by name, in the place of those of the settings. */
  mcp_config: mcpServersInput.nullish(),
  llm: gatewayLlm.nullish(),
  agent_context: z.looseObject({ secrets: conversationSecrets.nullish() }).nullish(),
})

const workspace = z.looseObject({ kind: z.string().nullish(), working_dir: z.string().min(1).max(4096) })

/** `type` is an alias that existing clients send. */
export const confirmationPolicy = z.looseObject({ kind: z.string().nullish(), type: z.string().nullish() })
export type ConfirmationPolicy = z.output<typeof confirmationPolicy>

export const tags = z.record(z.string().regex(/^[a-z0-9]+$/), z.string().max(256))

/** A kind of sub-agent for the `task` tool. `model` is `provider/model` or `inherit`; without `tools` it has all. */
const agentDefinition = z.looseObject({
  name: z.string().min(1),
  description: z.string().nullish(),
  system_prompt: z.string().nullish(),
  model: z.string().nullish(),
  tools: z.array(z.string()).nullish(),
  max_iteration_per_run: z.int().min(1).nullish(),
  max_budget_per_run: z.number().positive().nullish(),
})
export type AgentDefinition = z.output<typeof agentDefinition>

export const startConversationRequest = z
  .looseObject({
    agent: agentSource.nullish(),
    agent_settings: agentSource.nullish(),
    agent_profile_id: z.string().nullish(),
    workspace,
    conversation_id: uuid.nullish(),
    parent_conversation_id: uuid.nullish(),
    initial_message: gatewayMessage.nullish(),
    max_iterations: z.int().min(1).nullish(),
    stuck_detection: z.boolean().default(true),
    confirmation_policy: confirmationPolicy.nullish(),
    security_analyzer: z.looseObject({ kind: z.string().nullish() }).nullish(),
    secrets: conversationSecrets.nullish(),
    secrets_encrypted: z.boolean().nullish(),
    client_tools: clientTools.nullish(),
    agent_launch_additions: z
      .strictObject({ system_message_suffix_append: z.string().max(32_768).nullish() })
      .nullish(),
    plugins: z.array(z.unknown()).nullish(),
    hook_config: z.looseObject({}).nullish(),
    tags: tags.nullish(),
    worktree: z.boolean().nullish(),
    agent_definitions: z.array(agentDefinition).max(50).nullish(),
    title: z.string().trim().min(1).max(200).nullish(),
  })
  .refine(({ agent, agent_settings, agent_profile_id }) => agent || agent_settings || agent_profile_id, {
    message: 'one of agent, agent_settings and agent_profile_id is required',
  })
  .refine(({ agent, agent_settings, agent_profile_id }) => !(agent_profile_id && (agent || agent_settings)), {
    message: 'agent_profile_id goes neither with agent nor with agent_settings',
  })
export type StartConversationRequest = z.output<typeof startConversationRequest>

const metrics = z.object({
  ...metricsSnapshot.shape,
  costs: z.array(z.unknown()),
  response_latencies: z.array(z.unknown()),
  token_usages: z.array(z.unknown()),
})

/** A conversation as its own server shows it. Ids are dashed, times are local without an offset. */
export const conversationInfo = z.object({
  id: z.string(),
  agent: z.looseObject({ kind: z.string(), llm: z.looseObject({ model: z.string() }) }),
  workspace: z.object({ kind: z.literal('LocalWorkspace'), working_dir: z.string() }),
  persistence_dir: z.string().nullable(),
  max_iterations: z.int(),
  stuck_detection: z.boolean(),
  execution_status: executionStatus,
  confirmation_policy: z.looseObject({ kind: z.string() }),
  security_analyzer: z.looseObject({ kind: z.string() }).nullable(),
  activated_knowledge_skills: z.array(z.string()),
  invoked_skills: z.array(z.string()),
  blocked_actions: z.record(z.string(), z.string()),
  blocked_messages: z.record(z.string(), z.string()),
  last_user_message_id: z.string().nullable(),
  leaf_event_id: z.string().nullable(),
  stats: z.object({ usage_to_metrics: z.record(z.string(), metrics) }),
  secret_registry: z.object({ secret_sources: z.record(z.string(), z.unknown()) }),
  agent_state: z.record(z.string(), z.unknown()),
  hook_config: z.looseObject({}).nullable(),
  title: z.string().nullable(),
  metrics: metricsSnapshot.nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  forked_from_conversation_id: z.string().nullable(),
  forked_from_event_id: z.string().nullable(),
  parent_conversation_id: z.string().nullable(),
  sub_conversation_ids: z.array(z.string()),
  tags: z.record(z.string(), z.string()),
  current_model_id: z.string().nullable(),
  available_models: z.array(z.string()),
  supports_runtime_model_switch: z.boolean(),
  launched_agent_profile: z.unknown().nullable(),
  client_tools: z.array(clientTool.extend({ agent_tool_name: z.string() })),
})
export type ConversationInfo = z.output<typeof conversationInfo>

export const CONVERSATION_SORT_ORDERS = ['CREATED_AT', 'UPDATED_AT', 'CREATED_AT_DESC', 'UPDATED_AT_DESC'] as const
export type ConversationSortOrder = (typeof CONVERSATION_SORT_ORDERS)[number]

export const searchGatewayConversations = route({
  method: 'get',
  path: '/api/conversations/search',
  summary: 'Search the conversations that the key opens',
  tag,
  query: z.object({
    page_id: z.string().nullish(),
    limit: z.int().min(1).max(100).default(100),
    status: executionStatus.nullish(),
    sort_order: z.enum(CONVERSATION_SORT_ORDERS).default('CREATED_AT_DESC'),
  }),
  reply: page(conversationInfo),
})

export const countGatewayConversations = route({
  method: 'get',
  path: '/api/conversations/count',
  summary: 'Count the conversations that the key opens',
  tag,
  query: z.object({ status: executionStatus.nullish() }),
  reply: z.int(),
})

export const batchGetGatewayConversations = route({
  method: 'get',
  path: '/api/conversations',
  summary: 'Get conversations by id; null for unknown ones',
  tag,
  query: z.object({ ids: z.array(uuid).min(1).max(99) }),
  reply: z.array(conversationInfo.nullable()),
})

export const getGatewayConversation = route({
  method: 'get',
  path: '/api/conversations/{conversation_id}',
  summary: 'Get a conversation',
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
  tag,
  params: conversationParams,
  body: z.object({ title: z.string().trim().min(1).max(200).nullish(), tags: tags.nullish() }),
  reply: success,
})

export const deleteGatewayConversation = route({
  method: 'delete',
  path: '/api/conversations/{conversation_id}',
  summary: 'Delete a conversation and its events; the sandbox and its files stay',
  tag,
  params: conversationParams,
  failures: ['bad_request'],
  reply: success,
})

const command = (name: string, summary: string, failures: readonly Failure[]) =>
  route({
    method: 'post',
    path: `/api/conversations/{conversation_id}/${name}`,
    summary,
    tag,
    params: conversationParams,
    failures,
    reply: success,
  })

export const runGatewayConversation = command('run', 'Let the agent go on', [
  'conversation_not_found',
  'conversation_elsewhere',
  'conversation_running',
])
export const pauseGatewayConversation = command('pause', 'Pause after the current step', [
  'bad_request',
  'conversation_elsewhere',
])
export const interruptGatewayConversation = command('interrupt', 'Stop now', ['bad_request', 'conversation_elsewhere'])

/** 201 for a new conversation, 200 for one that exists already. Runs when there is a first message. */
export const startGatewayConversation = route({
  method: 'post',
  path: '/api/conversations',
  summary: "Start a conversation in the key's sandbox, or attach to one",
  tag,
  status: 201,
  body: startConversationRequest,
  failures: [
    'bad_request',
    'not_found',
    'not_supported',
    'llm_unknown_model',
    'llm_bad_request',
    'model_not_set',
    ...IN_KEYS_SANDBOX,
    ...IN_VAULT,
  ],
  reply: conversationInfo,
})
