import { z } from 'zod'
import { IN_VAULT } from './failures.ts'
import { imageSetting } from './image-reference.ts'
import { mcpConfig, mcpConfigInput } from './mcp.ts'
import { route } from './route.ts'
import { userSecrets } from './user-secrets.ts'

const text = z.string().nullable()
const key = z.string().max(8192).nullable()

/** The specification's table 2.1, with `condenser_max_size` that existing clients also send. */
export const settingsFields = {
  language: text,
  agent: text,
  max_iterations: z.int().min(1).nullable(),
  security_analyzer: text,
  confirmation_mode: z.boolean().nullable(),
  llm_model: text,
  llm_api_key: key,
  llm_base_url: text,
  /** Asked when `llm_model` is down. Without a key of its own it gets `llm_api_key`, if both are at the same address. */
  llm_fallback_model: text,
  llm_fallback_base_url: text,
  llm_fallback_api_key: key,
  remote_runtime_resource_factor: z.int().min(1).nullable(),
  /** Merged into the secret store, and never returned. */
  secrets_store: userSecrets.nullable(),
  enable_default_condenser: z.boolean(),
  enable_sound_notifications: z.boolean(),
  enable_proactive_conversation_starters: z.boolean(),
  enable_solvability_analysis: z.boolean(),
  user_consents_to_analytics: z.boolean().nullable(),
  sandbox_base_container_image: text,
  sandbox_runtime_container_image: text,
  mcp_config: mcpConfig.nullable(),
  search_api_key: key,
  sandbox_api_key: key,
  max_budget_per_task: z.number().positive().nullable(),
  email: text,
  email_verified: z.boolean().nullable(),
  git_user_name: text,
  git_user_email: text,
  condenser_max_size: z.int().min(20).nullable(),
} as const

/** Absent keeps, null clears; for keys null keeps and "" clears. Unknown fields are ignored. */
export const legacySettingsPatch = z
  .object({
    ...settingsFields,
    mcp_config: mcpConfigInput.nullable(),
    sandbox_base_container_image: imageSetting,
    sandbox_runtime_container_image: imageSetting,
  })
  .partial()

const MAX_ALLOWED_HOSTS = 100

/** A name or an address, with a port or for every port: `localhost`, `192.168.1.20:8080`, `[::1]:8080`. */
const allowedHost = z.string().trim().min(1).max(260)

export const settingsPatch = legacySettingsPatch.extend({
  /** Hosts of this machine and its network that repositories, sandboxes and secret lookups may name too. */
  allowed_hosts: z.array(allowedHost).max(MAX_ALLOWED_HOSTS).nullable().optional(),
})
export type SettingsPatch = z.output<typeof settingsPatch>

const shown = {
  ...settingsFields,
  /** Absent while the keychain cannot be read: a client that sends back what it read must not clear it. */
  mcp_config: mcpConfig.nullable().optional(),
  llm_api_key: z.null(),
  llm_fallback_api_key: z.null(),
  search_api_key: z.null(),
  sandbox_api_key: z.null(),
  secrets_store: z.object({ provider_tokens: z.object({}) }),
  provider_tokens_set: z.record(z.string(), z.string().nullable()),
}

/**
 * Keys are always null here: `*_set` says whether one is stored. While the keychain cannot be read nobody knows: what
 * existing clients do not require is absent then, and `llm_api_key_set` says whether the model's provider wants a key.
 */
export const legacySettingsReply = z.object({
  ...shown,
  llm_api_key_set: z.boolean(),
  llm_fallback_api_key_set: z.boolean().optional(),
  search_api_key_set: z.boolean().optional(),
  sandbox_api_key_set: z.boolean().optional(),
})
export type LegacySettingsReply = z.output<typeof legacySettingsReply>

/** null while the keychain cannot be read: then it is not known. */
const isSet = z.boolean().nullable()

/** The same for newer clients. */
export const settingsReply = z.object({
  ...shown,
  llm_api_key_set: isSet,
  llm_fallback_api_key_set: isSet,
  search_api_key_set: isSet,
  sandbox_api_key_set: isSet,
  allowed_hosts: z.array(z.string()),
})
export type SettingsReply = z.output<typeof settingsReply>

export const DEFAULT_SETTINGS = {
  max_iterations: 500,
  enable_default_condenser: true,
  enable_sound_notifications: false,
  enable_proactive_conversation_starters: true,
  enable_solvability_analysis: true,
} as const

export const getSettings = route({
  method: 'get',
  path: '/api/settings',
  summary: 'Get settings',
  tag: 'Settings',
  failures: ['settings_not_found'],
  reply: legacySettingsReply,
})

export const storeSettings = route({
  method: 'post',
  path: '/api/settings',
  summary: 'Store Settings',
  success: 'Settings stored successfully',
  tag: 'Settings',
  body: legacySettingsPatch,
  failures: ['bad_request', ...IN_VAULT],
  reply: z.object({ message: z.string() }),
})

/** Kept for clients that still call it: it always answers 410. */
export const resetSettings = route({
  method: 'post',
  path: '/api/reset-settings',
  summary: 'Removed: save the fields that are to change instead',
  tag: 'Settings',
  failures: ['gone'],
  reply: z.never(),
})

export const getSettingsV1 = route({
  method: 'get',
  path: '/api/v1/settings',
  summary: 'Get settings',
  tag: 'Settings',
  failures: ['settings_not_found'],
  reply: settingsReply,
})

export const storeSettingsV1 = route({
  method: 'post',
  path: '/api/v1/settings',
  summary: 'Store the settings that the body names',
  tag: 'Settings',
  body: settingsPatch,
  failures: ['bad_request', ...IN_VAULT],
  reply: settingsReply,
})

/** What stands for a stored key. */
export const KEY_MASK = '**********'
/** null where none is stored, or where that is not known. */
const maskedKey = z.literal(KEY_MASK).nullable()

export const getUser = route({
  method: 'get',
  path: '/api/v1/users/me',
  summary: 'The settings of the only user; stored keys are masked',
  tag: 'Settings',
  failures: ['settings_not_found'],
  reply: settingsReply.omit({ allowed_hosts: true }).extend({
    llm_api_key: maskedKey,
    llm_fallback_api_key: maskedKey,
    search_api_key: maskedKey,
    sandbox_api_key: maskedKey,
    /** There are no accounts. */
    id: z.null(),
  }),
})
