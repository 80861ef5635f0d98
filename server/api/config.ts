import { z } from 'zod'
import { GIT_PROVIDERS } from './app-conversations.ts'
import { page, pageQuery } from './page.ts'
import { route } from './route.ts'

const tag = 'Configuration'
const filter = {
  /** A part of the name. */
  query: z.string().nullish(),
  /** `verified` are the models that the price list knows, which are all that can be listed without asking a server. */
  verified__eq: z.boolean().nullish(),
  ...pageQuery.shape,
}

export const modelInfo = z.object({ provider: z.string().nullable(), name: z.string(), verified: z.boolean() })
export type ModelInfo = z.output<typeof modelInfo>
export const modelProviderInfo = z.object({ name: z.string(), verified: z.boolean() })
export type ModelProviderInfo = z.output<typeof modelProviderInfo>

export const searchModels = route({
  method: 'get',
  path: '/api/v1/config/models/search',
  summary: 'Known models; `provider/name` is what the settings take',
  tag,
  query: z.object({ ...filter, provider__eq: z.string().nullish() }),
  reply: page(modelInfo),
})

export const searchModelProviders = route({
  method: 'get',
  path: '/api/v1/config/providers/search',
  summary: 'Providers of known models',
  tag,
  query: z.object(filter),
  reply: page(modelProviderInfo),
})

/** What a web client of the newer generation asks first. Nothing here depends on the user. */
export const webClientConfig = z.object({
  app_mode: z.literal('oss'),
  posthog_client_key: z.null(),
  feature_flags: z.record(z.string(), z.boolean()),
  providers_configured: z.array(z.enum(GIT_PROVIDERS)),
  maintenance_start_time: z.null(),
  auth_url: z.null(),
  recaptcha_site_key: z.null(),
  faulty_models: z.array(z.string()),
  error_message: z.null(),
  updated_at: z.string(),
  github_app_slug: z.null(),
})
export type WebClientConfig = z.output<typeof webClientConfig>

export const getWebClientConfig = route({
  method: 'get',
  path: '/api/v1/web-client/config',
  summary: 'What a web client may show: no accounts, no billing, no analytics',
  tag,
  reply: webClientConfig,
})
