import { z } from 'zod'
import { IN_VAULT } from '../contract/failures.ts'
import { route } from '../contract/route.ts'
import { ANALYZER_NAME, analyzerName } from '../v1/settings/analyzer-name.ts'
import { profileName } from '../v1/settings/llm-profiles.ts'
import { mcpServerInput, mcpServerName } from '../v1/settings/mcp-servers.ts'
import { secretName, secretValue } from '../v1/settings/secret-text.ts'
import { newSecret, secretInfo } from '../v1/settings/secrets.ts'
import { settingsFields } from '../v1/settings/settings.ts'
import { settingsLlm } from './llm.ts'

const tag = 'Settings'
const values = z.record(z.string(), z.unknown())
const { enable_default_condenser, condenser_max_size, max_iterations, max_budget_per_task } = settingsFields

/** A field of the model that is not carried out is refused by its name; beside these parts, others are refused. */
export const agentSettingsDiff = z.looseObject({
  agent_kind: z.string().nullish().describe("`openhands`, Atelier's own; any other is answered with 501."),
  llm: settingsLlm.nullish().describe('Model of the settings; absent fields keep what there is.'),
  condenser: z
    .looseObject({
      enabled: enable_default_condenser.describe('Whether earlier steps are summed up when the log gets long.'),
      max_size: condenser_max_size.describe('Events after which earlier steps are summed up.'),
    })
    .partial({ enabled: true, max_size: true })
    .nullish()
    .describe('When earlier steps are summed up; absent fields keep what there is.'),
})
export const conversationSettingsDiff = z
  .looseObject({
    max_iterations,
    max_budget_per_task,
    confirmation_mode: z.boolean().describe('Whether risky actions of new conversations wait for a person.'),
    security_analyzer: analyzerName.describe(ANALYZER_NAME),
  })
  .partial({ max_iterations: true, max_budget_per_task: true, confirmation_mode: true, security_analyzer: true })

export const gatewaySettingsPatch = z.object({
  agent_settings_diff: agentSettingsDiff
    .nullish()
    .describe('What changes of the model, the condenser and the tool servers.'),
  conversation_settings_diff: conversationSettingsDiff.nullish().describe('What changes of limits and confirmation.'),
  misc_settings_diff: values
    .nullish()
    .describe('What clients keep here for themselves; objects are merged, null removes.'),
  active_profile: profileName
    .nullish()
    .describe('Profile to activate; null only forgets that one was. 404 when there is none.'),
  active_agent_profile_id: z
    .string()
    .nullish()
    .describe('Not supported, as there are no agent profiles: answered with 404.'),
})
export type GatewaySettingsPatch = z.output<typeof gatewaySettingsPatch>

/** A stored key is masked, whatever is asked. */
export const gatewaySettings = z.object({
  agent_settings: z
    .looseObject({
      agent_kind: z.literal('openhands'),
      mcp_config: values.describe('Tool servers by name, with secret values masked.'),
    })
    .describe('Model, condenser and tool servers.'),
  conversation_settings: values.describe('Limits and confirmation.'),
  llm_api_key_is_set: z.boolean().describe('Whether a key for the model is stored.'),
  active_profile: z.string().nullable().describe('Profile that was activated last; null for none.'),
  active_agent_profile_id: z.null().describe('Always null, as there are no agent profiles.'),
  misc_settings: values.describe('What clients keep here for themselves.'),
})
export type GatewaySettingsReply = z.output<typeof gatewaySettings>

export const getGatewaySettings = route({
  method: 'get',
  path: '/api/settings',
  summary: "The app's settings; needs its own key, as all of these",
  description:
    "Reads the app's settings in the words of agent servers; a stored key is masked, whatever the header `X-Expose-Secrets` asks for. It needs the app's own key: 403 with the key of a sandbox. 400 when that header is none of `plaintext`, `encrypted` and `true`.",
  tag,
  failures: ['forbidden', 'bad_request'],
  reply: gatewaySettings,
})

export const updateGatewaySettings = route({
  method: 'patch',
  path: '/api/settings',
  summary: "Change what the body names of the app's settings",
  description:
    "Changes what the body names of the app's settings and answers with all of them. 400 when it names nothing, 403 with the key of a sandbox, 501 for what Atelier does not have.",
  tag,
  body: gatewaySettingsPatch,
  failures: ['forbidden', 'bad_request', 'not_supported', 'not_found', ...IN_VAULT],
  reply: gatewaySettings,
})

const serverParams = z.object({ key: mcpServerName.describe('Name of the tool server.') })

/** What settings cannot hold (headers, a working directory, other ways to say who calls) is refused. */
export const createGatewayToolServer = route({
  method: 'post',
  path: '/api/settings/mcp/{key}',
  summary: 'Add a tool server to those of all conversations',
  description:
    'Adds a tool server to those of all conversations. 409 when the name is taken, 501 for what settings cannot hold, such as headers or a working directory.',
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
  description:
    'Changes the fields of a tool server that the body names; null removes one, and the mask keeps a stored key.',
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
  description: 'Removes a tool server from those of all conversations.',
  tag,
  params: serverParams,
  failures: ['forbidden', 'not_found', ...IN_VAULT],
  reply: gatewaySettings,
})

const field = z.object({
  key: z.string().describe('Name of the field in the settings.'),
  label: z.string().describe('Name of the field for people.'),
  description: z.string().nullable().describe('What the field is for; null when its label says it.'),
  section: z.string().describe('Key of the section that it stands in.'),
  section_label: z.string().describe('Name of that section for people.'),
  value_type: z.enum(['string', 'integer', 'number', 'boolean']).describe('Type of its value.'),
  default: z.unknown().describe('Value that holds when none is set; null for none.'),
  choices: z
    .array(
      z.object({
        label: z.string().describe('Name of the value for people.'),
        value: z.string().describe('The value.'),
      }),
    )
    .describe('Values to choose from; empty when it is free.'),
  depends_on: z.array(z.string()).describe('Keys of fields that must be true for this one to have an effect.'),
  prominence: z.enum(['critical', 'major', 'minor']).describe('How prominent a form shows it.'),
  secret: z.boolean().describe('Whether its value is never returned.'),
})
export type SettingsFieldSchema = z.output<typeof field>
const schema = z.object({
  model_name: z.string().describe('Name of the settings that the fields are of.'),
  sections: z
    .array(
      z.object({
        key: z.string().describe('Key of the section.'),
        label: z.string().describe('Name of the section for people.'),
        fields: z.array(field).describe('Fields of the section, in their order.'),
      }),
    )
    .describe('Sections of a form, in their order.'),
})
export type SettingsSchema = z.output<typeof schema>

export const getAgentSettingsSchema = route({
  method: 'get',
  path: '/api/settings/agent-schema',
  summary: 'The fields of agent_settings, for forms',
  description: 'Describes the fields of `agent_settings`, for clients that make a form of them.',
  tag,
  reply: schema,
})

export const getConversationSettingsSchema = route({
  method: 'get',
  path: '/api/settings/conversation-schema',
  summary: 'The fields of conversation_settings, for forms',
  description: 'Describes the fields of `conversation_settings`, for clients that make a form of them.',
  tag,
  reply: schema,
})

export const listGatewaySecrets = route({
  method: 'get',
  path: '/api/settings/secrets',
  summary: "Names of the user's secrets",
  description:
    "Lists the names and descriptions of the user's secrets; values are told to nobody. 403 with the key of a sandbox.",
  tag,
  failures: ['forbidden'],
  reply: z.object({
    secrets: z.array(secretInfo).describe("Names and descriptions of the user's secrets; values are told to nobody."),
  }),
})

export const putGatewaySecret = route({
  method: 'put',
  path: '/api/settings/secrets',
  summary: 'Create a secret, or replace one of that name',
  description: 'Stores a secret in the keychain, in place of one of that name. 403 with the key of a sandbox.',
  tag,
  body: newSecret.extend({
    name: secretName
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/)
      .describe('Name of the variable that commands find the secret in: letters, digits and `_`, no digit first.'),
    value: secretValue.describe('The secret itself; never returned.'),
  }),
  failures: ['forbidden', 'bad_request', ...IN_VAULT],
  reply: secretInfo,
})

export const deleteGatewaySecret = route({
  method: 'delete',
  path: '/api/settings/secrets/{name}',
  summary: 'Delete a secret',
  description: 'Deletes a secret from the keychain. 403 with the key of a sandbox.',
  tag,
  params: z.object({ name: z.string().min(1).max(255).describe('Name of the secret.') }),
  failures: ['forbidden', 'secret_not_found', ...IN_VAULT],
  reply: z.object({ deleted: z.boolean().describe('Whether there was one.') }),
})
