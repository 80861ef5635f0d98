import { z } from 'zod'
import { IN_VAULT } from '../../contract/failures.ts'
import { KEY_MASK } from '../../contract/hidden-values.ts'
import { route } from '../../contract/route.ts'
import { addressText, keyText, lineText } from '../../input-text.ts'
import { imageSetting } from '../sandbox/image-reference.ts'
import { ANALYZER_NAME, analyzerName } from './analyzer-name.ts'
import { mcpConfig, mcpConfigInput } from './mcp.ts'
import { newerPatch, newerReply } from './newer-fields.ts'
import { llmPriceKnown, settingsStored } from './price.ts'
import { userSecrets } from './user-secrets.ts'

const text = z.string().nullable()
const name = lineText(100).nullable()
const model = lineText(500).nullable()
const person = lineText(320).nullable()
const address = addressText.nullable()
const key = keyText().nullable()

/** The specification's table 2.1, with `condenser_max_size` that existing clients also send. */
export const settingsFields = {
  language: name.describe(
    'Language of clients, as BCP 47 has it: of what the window has, `en`, `de`, `fr`, `es`, `pt`, `ja`, `zh`, `ko` and `ar`; null is that of the system.',
  ),
  agent: name.describe('Name of the agent; there is one, whatever it says.'),
  max_iterations: z
    .int()
    .min(1)
    .nullable()
    .describe('Steps that the agent of a new conversation may take before it pauses; null is 500.'),
  security_analyzer: name.describe(
    'What rates the risk of actions in new conversations: `llm`, `local` or null for nothing.',
  ),
  confirmation_mode: z
    .boolean()
    .nullable()
    .describe('Whether risky actions of new conversations wait for a person; null is false.'),
  llm_model: model.describe('Model of new conversations, as `provider/model`; null is none, and nothing can be asked.'),
  llm_api_key: key.describe(
    'Key for the model, stored in the keychain and never returned. null keeps the stored one, an empty text removes it.',
  ),
  llm_base_url: address.describe("Address of the model's server; null is the provider's own."),
  llm_fallback_model: model.describe('Model that is asked when `llm_model` is down; null for none.'),
  llm_fallback_base_url: address.describe("Address of that model's server; null is the provider's own."),
  llm_fallback_api_key: key.describe(
    'Key for that model; without one it gets `llm_api_key`, if both are at the same address. null keeps, an empty text removes.',
  ),
  remote_runtime_resource_factor: z
    .int()
    .min(1)
    .nullable()
    .describe("Factor of a sandbox's default memory and processor limits; null is 1."),
  secrets_store: userSecrets.nullable().describe('Tokens and secrets to add to those that are stored; never returned.'),
  enable_default_condenser: z.boolean().describe('Whether earlier steps are summed up when the log gets long.'),
  enable_sound_notifications: z.boolean().describe('Whether clients play a sound when the agent is done.'),
  enable_proactive_conversation_starters: z.boolean().describe('Whether clients propose what could be done next.'),
  enable_solvability_analysis: z.boolean().describe('Kept for clients; it has no effect.'),
  user_consents_to_analytics: z
    .boolean()
    .nullable()
    .describe('Kept for clients; it has no effect, as nothing is sent.'),
  sandbox_base_container_image: text.describe(
    'Image of sandboxes, as the engine takes it; null is the image that comes with Atelier.',
  ),
  sandbox_runtime_container_image: text.describe(
    'The same under an older name; it wins over `sandbox_base_container_image`.',
  ),
  mcp_config: mcpConfig.nullable().describe('Tool servers of all conversations; null for none.'),
  search_api_key: key.describe(
    'Key of a web search that agents can use. null keeps the stored one, an empty text removes it.',
  ),
  sandbox_api_key: key.describe(
    'Kept for clients, as sandboxes run on this machine. null keeps the stored one, an empty text removes it.',
  ),
  max_budget_per_task: z
    .number()
    .positive()
    .nullable()
    .describe('US dollars that a new conversation may cost before its agent pauses; null for no limit.'),
  email: person.describe('Address of the user, for clients; null for none.'),
  email_verified: z
    .boolean()
    .nullable()
    .describe('Whether the address was verified, for clients; null when nobody said.'),
  git_user_name: person.describe("Author of the agent's commits; null is a name of Atelier's."),
  git_user_email: person.describe("Address of that author; null is one of Atelier's."),
  condenser_max_size: z
    .int()
    .min(20)
    .nullable()
    .describe('Events after which earlier steps are summed up; null is the default.'),
} as const

/** Absent keeps, null clears; for keys null keeps and "" clears. Unknown fields are ignored. */
export const legacySettingsPatch = z
  .object({
    ...settingsFields,
    security_analyzer: analyzerName.describe(ANALYZER_NAME),
    mcp_config: mcpConfigInput
      .nullable()
      .describe('Tool servers of all conversations, in place of all that there are; null removes them.'),
    sandbox_base_container_image: imageSetting.describe(
      'Image of sandboxes, as the engine takes it; null is the image that comes with Atelier.',
    ),
    sandbox_runtime_container_image: imageSetting.describe(
      'The same under an older name; it wins over `sandbox_base_container_image`.',
    ),
  })
  .partial()

export const settingsPatch = legacySettingsPatch.extend(newerPatch)
export type SettingsPatch = z.output<typeof settingsPatch>

const shown = {
  ...settingsFields,
  mcp_config: mcpConfig
    .nullable()
    .optional()
    .describe('Tool servers of all conversations; null for none, absent while the keychain cannot be read.'),
  llm_api_key: z.null().describe('Always null: `llm_api_key_set` says whether one is stored.'),
  llm_fallback_api_key: z.null().describe('Always null: `llm_fallback_api_key_set` says whether one is stored.'),
  search_api_key: z.null().describe('Always null: `search_api_key_set` says whether one is stored.'),
  sandbox_api_key: z.null().describe('Always null: `sandbox_api_key_set` says whether one is stored.'),
  secrets_store: z
    .object({ provider_tokens: z.object({}).describe('Always empty: `provider_tokens_set` says what is stored.') })
    .describe('Always without secrets.'),
  provider_tokens_set: z
    .record(z.string(), z.string().nullable())
    .describe("Git providers that a token is stored for, with their host; null is the provider's own."),
  llm_price_known: llmPriceKnown,
}

/**
 * Keys are always null here: `*_set` says whether one is stored. While the keychain cannot be read nobody knows: what
 * existing clients do not require is absent then, and `llm_api_key_set` says whether the model's provider wants a key.
 */
export const legacySettingsReply = z.object({
  ...shown,
  llm_api_key_set: z
    .boolean()
    .describe(
      'Whether a key for the model is stored; while the keychain cannot be read, whether its provider wants one.',
    ),
  llm_fallback_api_key_set: z
    .boolean()
    .optional()
    .describe('Whether a key for the other model is stored; absent while the keychain cannot be read.'),
  search_api_key_set: z
    .boolean()
    .optional()
    .describe('Whether a key of the web search is stored; absent while the keychain cannot be read.'),
  sandbox_api_key_set: z
    .boolean()
    .optional()
    .describe('Whether a key for sandboxes is stored; absent while the keychain cannot be read.'),
})
export type LegacySettingsReply = z.output<typeof legacySettingsReply>

/** null while the keychain cannot be read: then it is not known. */
const isSet = z.boolean().nullable()

/** What newer clients get of it. */
const newerShown = z.object({
  ...shown,
  llm_api_key_set: isSet.describe('Whether a key for the model is stored; null while the keychain cannot be read.'),
  llm_fallback_api_key_set: isSet.describe(
    'Whether a key for the other model is stored; null while the keychain cannot be read.',
  ),
  search_api_key_set: isSet.describe(
    'Whether a key of the web search is stored; null while the keychain cannot be read.',
  ),
  sandbox_api_key_set: isSet.describe('Whether a key for sandboxes is stored; null while the keychain cannot be read.'),
})

/** The same for newer clients. */
export const settingsReply = newerShown.extend(newerReply)
export type SettingsReply = z.output<typeof settingsReply>

export const DEFAULT_SETTINGS = {
  max_iterations: 500,
  enable_default_condenser: true,
  enable_sound_notifications: false,
  enable_proactive_conversation_starters: true,
  enable_solvability_analysis: true,
  prepare_sandboxes: true,
  // Long enough for a pause of a person's; what works or is watched in that time is not paused at all.
  pause_idle_after: 60,
} as const

export const getSettings = route({
  method: 'get',
  path: '/api/settings',
  summary: 'Get settings',
  description:
    'Reads the settings without their keys: each `*_set` says whether a key is stored. Answers 404 until something was saved for the first time.',
  tag: 'Settings',
  failures: ['settings_not_found'],
  reply: legacySettingsReply,
})

export const storeSettings = route({
  method: 'post',
  path: '/api/settings',
  summary: 'Store Settings',
  description:
    'Saves the fields that the body names; absent fields keep their value and null clears one. For keys null keeps and an empty text removes. Fields that are not known are ignored.',
  success: 'Settings stored successfully',
  tag: 'Settings',
  body: legacySettingsPatch,
  failures: ['bad_request', ...IN_VAULT],
  reply: settingsStored,
})

/** Kept for clients that still call it: it always answers 410. */
export const resetSettings = route({
  method: 'post',
  path: '/api/reset-settings',
  summary: 'Removed: save the fields that are to change instead',
  description: 'Kept for clients that still call it: it always answers 410 and changes nothing.',
  tag: 'Settings',
  failures: ['gone'],
  reply: z.never(),
})

export const getSettingsV1 = route({
  method: 'get',
  path: '/api/v1/settings',
  summary: 'Get settings',
  description:
    'Reads the settings without their keys: each `*_set` says whether a key is stored. Answers 404 until something was saved for the first time.',
  tag: 'Settings',
  failures: ['settings_not_found'],
  reply: settingsReply,
})

export const storeSettingsV1 = route({
  method: 'post',
  path: '/api/v1/settings',
  summary: 'Store the settings that the body names',
  description:
    'Saves the fields that the body names and answers with all of them; absent fields keep their value and null clears one. For keys null keeps and an empty text removes. Fields that are not known are ignored.',
  tag: 'Settings',
  body: settingsPatch,
  failures: ['bad_request', ...IN_VAULT],
  reply: settingsReply,
})

/** null where none is stored, or where that is not known. */
const maskedKey = z.literal(KEY_MASK).nullable()

export const getUser = route({
  method: 'get',
  path: '/api/v1/users/me',
  summary: 'The settings of the only user; stored keys are masked',
  description:
    'Reads the settings as the description of the only user. A stored key is shown as a mask, one that is not stored as null.',
  tag: 'Settings',
  failures: ['settings_not_found'],
  reply: newerShown.extend({
    llm_api_key: maskedKey.describe('Stars when a key is stored, else null.'),
    llm_fallback_api_key: maskedKey.describe('Stars when a key is stored, else null.'),
    search_api_key: maskedKey.describe('Stars when a key is stored, else null.'),
    sandbox_api_key: maskedKey.describe('Stars when a key is stored, else null.'),
    id: z.null().describe('Always null, as there are no accounts.'),
  }),
})
