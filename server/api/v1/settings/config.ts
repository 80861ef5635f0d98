import { z } from 'zod'
import { page, pageQuery } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { GIT_PROVIDERS } from '../conversation/conversations.ts'

const tag = 'Configuration'
const filter = {
  query: z.string().nullish().describe('Only names that have this text.'),
  verified__eq: z
    .boolean()
    .nullish()
    .describe('Only models that the price list knows (true), or only others (false); absent is both.'),
  ...pageQuery.shape,
}

export const modelInfo = z.object({
  provider: z
    .string()
    .nullable()
    .describe('The provider, as the part before the slash in the settings; null when the name has none.'),
  name: z.string().describe('Name of the model at its provider.'),
  verified: z.boolean().describe('Whether the price list knows the model.'),
})
export type ModelInfo = z.output<typeof modelInfo>
export const modelProviderInfo = z.object({
  name: z.string().describe('Name of the provider, as the part before the slash in the settings.'),
  verified: z.boolean().describe('Whether the price list knows models of it.'),
})
export type ModelProviderInfo = z.output<typeof modelProviderInfo>

export const searchModels = route({
  method: 'get',
  path: '/api/v1/config/models/search',
  summary: 'Known models; `provider/name` is what the settings take',
  description: 'Lists known models, a page at a time; `provider/name` is what the settings take.',
  tag,
  query: z.object({ ...filter, provider__eq: z.string().nullish().describe('Only models of this provider.') }),
  reply: page(modelInfo),
})

export const searchModelProviders = route({
  method: 'get',
  path: '/api/v1/config/providers/search',
  summary: 'Providers of known models',
  description: 'Lists the providers of known models, a page at a time.',
  tag,
  query: z.object(filter),
  reply: page(modelProviderInfo),
})

/** What a web client of the newer generation asks first. Nothing here depends on the user. */
export const webClientConfig = z.object({
  app_mode: z.literal('oss'),
  posthog_client_key: z.null().describe('Always null, as nothing is sent to analytics.'),
  feature_flags: z.record(z.string(), z.boolean()).describe('What a web client may show, by its name.'),
  providers_configured: z
    .array(z.enum(GIT_PROVIDERS))
    .describe('Always empty: git providers that people could sign in with.'),
  maintenance_start_time: z.null().describe('Always null, as nobody maintains this service from afar.'),
  auth_url: z.null().describe('Always null, as there are no accounts.'),
  recaptcha_site_key: z.null().describe('Always null, as there is nothing to sign up for.'),
  faulty_models: z.array(z.string()).describe('Always empty: models that clients should warn of.'),
  error_message: z.null().describe('Always null: a message that clients show above everything.'),
  updated_at: z.string().describe('When the service was started.'),
  github_app_slug: z.null().describe('Always null, as there is no GitHub app.'),
})
export type WebClientConfig = z.output<typeof webClientConfig>

export const getWebClientConfig = route({
  method: 'get',
  path: '/api/v1/web-client/config',
  summary: 'What a web client may show: no accounts, no billing, no analytics',
  description: 'Tells a web client what it may show: no accounts, no billing, no analytics.',
  tag,
  reply: webClientConfig,
})
