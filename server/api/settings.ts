import { z } from 'zod'
import { route } from './route.ts'

const url = z
  .string()
  .trim()
  .superRefine((text, context) => {
    const problem = urlProblem(text)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })

function urlProblem(text: string): string | undefined {
  if (text === '') return 'URL cannot be empty'
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)/.exec(text)
  if (!match) return 'URL must include a scheme (http:// or https://)'
  if (!match[2]) return 'URL must include a valid domain/host'
  if (!/^(https?|wss?)$/i.test(match[1] ?? '')) return 'URL scheme must be http, https, ws, or wss'
  return undefined
}

const envRecord = z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string())

export const mcpConfig = z.strictObject({
  sse_servers: z.array(z.object({ url, api_key: z.string().nullish() })).default([]),
  stdio_servers: z
    .array(
      z.object({
        name: z
          .string()
          .trim()
          .regex(/^[A-Za-z0-9_-]+$/),
        command: z.string().trim().regex(/^\S+$/),
        args: z.array(z.string()).default([]),
        env: envRecord.default({}),
      }),
    )
    .default([]),
  shttp_servers: z
    .array(z.object({ url, api_key: z.string().nullish(), timeout: z.int().min(1).max(3600).nullish() }))
    .default([]),
})
export type McpConfig = z.output<typeof mcpConfig>

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
  remote_runtime_resource_factor: z.int().min(1).nullable(),
  secrets_store: z
    .object({
      provider_tokens: z.record(z.string(), z.unknown()).optional(),
      custom_secrets: z.record(z.string(), z.unknown()).optional(),
    })
    .nullable(),
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

/** Absent keeps, null clears; for the three keys null keeps and "" clears. Unknown fields are ignored. */
export const settingsPatch = z.object(settingsFields).partial()
export type SettingsPatch = z.output<typeof settingsPatch>

/** Keys are always null here: `*_set` says whether one is stored. */
export const settingsReply = z.object({
  ...settingsFields,
  llm_api_key: z.null(),
  search_api_key: z.null(),
  sandbox_api_key: z.null(),
  secrets_store: z.object({ provider_tokens: z.object({}) }),
  provider_tokens_set: z.record(z.string(), z.string().nullable()),
  llm_api_key_set: z.boolean(),
  search_api_key_set: z.boolean(),
  sandbox_api_key_set: z.boolean(),
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
  reply: settingsReply,
})

export const storeSettings = route({
  method: 'post',
  path: '/api/settings',
  summary: 'Store Settings',
  tag: 'Settings',
  body: settingsPatch,
  reply: z.object({ message: z.string() }),
})
