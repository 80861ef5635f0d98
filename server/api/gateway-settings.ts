import { z } from 'zod'
import { IN_VAULT } from './failures.ts'
import { mcpServerInput, mcpServerName } from './mcp-servers.ts'
import { route } from './route.ts'
import { secretName, secretValue } from './secret-text.ts'
import { newSecret, secretInfo } from './secrets.ts'
import { settingsFields } from './settings.ts'

const tag = 'Settings'
const values = z.record(z.string(), z.unknown())
const {
  llm_model,
  llm_base_url,
  llm_api_key,
  enable_default_condenser,
  condenser_max_size,
  max_iterations,
  max_budget_per_task,
  confirmation_mode,
  security_analyzer,
} = settingsFields

/** Other fields of the model are taken and have no effect; beside these parts, others are refused. */
export const agentSettingsDiff = z.looseObject({
  agent_kind: z.string().nullish(),
  llm: z
    .looseObject({ model: llm_model, base_url: llm_base_url, api_key: llm_api_key })
    .partial({ model: true, base_url: true, api_key: true })
    .nullish(),
  condenser: z
    .looseObject({ enabled: enable_default_condenser, max_size: condenser_max_size })
    .partial({ enabled: true, max_size: true })
    .nullish(),
})
export const conversationSettingsDiff = z
  .looseObject({ max_iterations, max_budget_per_task, confirmation_mode, security_analyzer })
  .partial({ max_iterations: true, max_budget_per_task: true, confirmation_mode: true, security_analyzer: true })

export const gatewaySettingsPatch = z.object({
  agent_settings_diff: agentSettingsDiff.nullish(),
  conversation_settings_diff: conversationSettingsDiff.nullish(),
  /** Kept for clients as it is; objects are merged, null removes. */
  misc_settings_diff: values.nullish(),
  /** Activates a profile; null only forgets that one was. */
  active_profile: z.string().max(64).nullish(),
  active_agent_profile_id: z.string().nullish(),
})
export type GatewaySettingsPatch = z.output<typeof gatewaySettingsPatch>

/** A stored key is masked, whatever is asked. */
export const gatewaySettings = z.object({
  agent_settings: z.looseObject({ agent_kind: z.literal('openhands'), mcp_config: values }),
  conversation_settings: values,
  llm_api_key_is_set: z.boolean(),
  active_profile: z.string().nullable(),
  active_agent_profile_id: z.null(),
  misc_settings: values,
})
export type GatewaySettingsReply = z.output<typeof gatewaySettings>

export const getGatewaySettings = route({
  method: 'get',
  path: '/api/settings',
  summary: "The app's settings; needs its own key, as all of these",
  tag,
  failures: ['forbidden'],
  reply: gatewaySettings,
})

export const updateGatewaySettings = route({
  method: 'patch',
  path: '/api/settings',
  summary: "Change what the body names of the app's settings",
  tag,
  body: gatewaySettingsPatch,
  failures: ['forbidden', 'not_supported', 'not_found', ...IN_VAULT],
  reply: gatewaySettings,
})

const serverParams = z.object({ key: mcpServerName })

/** What settings cannot hold (headers, a working directory, other ways to say who calls) is refused. */
export const createGatewayToolServer = route({
  method: 'post',
  path: '/api/settings/mcp/{key}',
  summary: 'Add a tool server to those of all conversations',
  tag,
  params: serverParams,
  body: mcpServerInput,
  failures: ['forbidden', 'conflict', 'not_supported', ...IN_VAULT],
  reply: gatewaySettings,
})

/** Fields that are named take the place of what there was; null removes; the mask keeps. */
export const updateGatewayToolServer = route({
  method: 'patch',
  path: '/api/settings/mcp/{key}',
  summary: 'Change a tool server of all conversations',
  tag,
  params: serverParams,
  body: values,
  failures: ['forbidden', 'not_found', 'bad_request', 'not_supported', ...IN_VAULT],
  reply: gatewaySettings,
})

export const deleteGatewayToolServer = route({
  method: 'delete',
  path: '/api/settings/mcp/{key}',
  summary: 'Remove a tool server of all conversations',
  tag,
  params: serverParams,
  failures: ['forbidden', 'not_found', ...IN_VAULT],
  reply: gatewaySettings,
})

const field = z.object({
  key: z.string(),
  label: z.string(),
  description: z.string().nullable(),
  section: z.string(),
  section_label: z.string(),
  value_type: z.enum(['string', 'integer', 'number', 'boolean']),
  default: z.unknown(),
  choices: z.array(z.object({ label: z.string(), value: z.string() })),
  depends_on: z.array(z.string()),
  prominence: z.enum(['critical', 'major', 'minor']),
  secret: z.boolean(),
})
export type SettingsFieldSchema = z.output<typeof field>
const schema = z.object({
  model_name: z.string(),
  sections: z.array(z.object({ key: z.string(), label: z.string(), fields: z.array(field) })),
})
export type SettingsSchema = z.output<typeof schema>

export const getAgentSettingsSchema = route({
  method: 'get',
  path: '/api/settings/agent-schema',
  summary: 'The fields of agent_settings, for forms',
  tag,
  reply: schema,
})

export const getConversationSettingsSchema = route({
  method: 'get',
  path: '/api/settings/conversation-schema',
  summary: 'The fields of conversation_settings, for forms',
  tag,
  reply: schema,
})

export const listGatewaySecrets = route({
  method: 'get',
  path: '/api/settings/secrets',
  summary: "Names of the user's secrets",
  tag,
  failures: ['forbidden'],
  reply: z.object({ secrets: z.array(secretInfo) }),
})

export const putGatewaySecret = route({
  method: 'put',
  path: '/api/settings/secrets',
  summary: 'Create a secret, or replace one of that name',
  tag,
  body: newSecret.extend({ name: secretName, value: secretValue }),
  failures: ['forbidden', 'bad_request', ...IN_VAULT],
  reply: secretInfo,
})

export const deleteGatewaySecret = route({
  method: 'delete',
  path: '/api/settings/secrets/{name}',
  summary: 'Delete a secret',
  tag,
  params: z.object({ name: z.string().min(1).max(255) }),
  failures: ['forbidden', 'secret_not_found', ...IN_VAULT],
  reply: z.object({ deleted: z.boolean() }),
})
