import { z } from 'zod'
import { GIT_PROVIDERS } from './app-conversations.ts'
import { IN_VAULT } from './failures.ts'
import { mcpConfigInput } from './mcp.ts'
import { page, pageQuery, success } from './page.ts'
import { route } from './route.ts'
import { secretName, secretValue } from './secret-text.ts'
import { providerTokens } from './user-secrets.ts'

/** A secret as it is shown: values never leave the service. */
export const secretInfo = z.object({ name: z.string(), description: z.string() })
export type SecretInfo = z.output<typeof secretInfo>

export const newSecret = z.object({ name: secretName, value: secretValue, description: z.string().nullish() })
export type NewSecret = z.output<typeof newSecret>

/** Renames or describes anew; the value stays. */
export const secretPatch = z.object({ name: secretName, description: z.string().nullish() })
export type SecretPatch = z.output<typeof secretPatch>

/** Replaces the map of providers: one that is not named is removed, an entry without a token keeps the stored one. */
export const providerTokensRequest = z.object({
  provider_tokens: providerTokens.default({}),
  mcp_config: mcpConfigInput.nullish(),
})

const told = z.object({ message: z.string() })
const providerPath = z.object({ provider: z.enum(GIT_PROVIDERS) })
const secretPath = z.object({ secret_id: z.string().min(1).max(255) })
const tag = 'Secrets'

export const storeProviderTokens = route({
  method: 'post',
  path: '/api/add-git-providers',
  summary: 'Store Provider Tokens',
  tag,
  body: providerTokensRequest,
  failures: ['bad_request', 'provider_token_invalid', 'provider_unavailable', ...IN_VAULT],
  reply: told,
})

export const unsetProviderTokens = route({
  method: 'post',
  path: '/api/unset-provider-tokens',
  summary: 'Remove all provider tokens',
  tag,
  failures: IN_VAULT,
  reply: told,
})

export const listSecrets = route({
  method: 'get',
  path: '/api/secrets',
  summary: 'Names of the custom secrets',
  tag,
  reply: z.object({ custom_secrets: z.array(secretInfo) }),
})

export const createSecret = route({
  method: 'post',
  path: '/api/secrets',
  summary: 'Create a custom secret',
  tag,
  status: 201,
  body: newSecret,
  failures: ['secret_exists', 'bad_request', ...IN_VAULT],
  reply: told,
})

export const updateSecret = route({
  method: 'put',
  path: '/api/secrets/{secret_id}',
  summary: 'Rename or describe a custom secret',
  tag,
  params: secretPath,
  body: secretPatch,
  failures: ['secret_not_found', 'secret_exists', 'bad_request'],
  reply: told,
})

export const deleteSecret = route({
  method: 'delete',
  path: '/api/secrets/{secret_id}',
  summary: 'Delete a custom secret',
  tag,
  params: secretPath,
  failures: ['secret_not_found', ...IN_VAULT],
  reply: told,
})

export const searchSecretsV1 = route({
  method: 'get',
  path: '/api/v1/secrets/search',
  summary: 'Names of the custom secrets, by page',
  tag,
  query: z.object({ name__contains: z.string().nullish(), ...pageQuery.shape }),
  reply: page(secretInfo),
})

export const createSecretV1 = route({
  method: 'post',
  path: '/api/v1/secrets',
  summary: 'Create a custom secret',
  tag,
  status: 201,
  body: newSecret,
  failures: ['secret_exists', 'bad_request', ...IN_VAULT],
  reply: secretInfo,
})

export const updateSecretV1 = route({
  method: 'put',
  path: '/api/v1/secrets/{secret_id}',
  summary: 'Rename or describe a custom secret; with a value, replace that too',
  tag,
  params: secretPath,
  body: z.object({ ...secretPatch.shape, value: secretValue.nullish() }),
  failures: ['secret_not_found', 'secret_exists', 'bad_request', ...IN_VAULT],
  reply: secretInfo,
})

export const deleteSecretV1 = route({
  method: 'delete',
  path: '/api/v1/secrets/{secret_id}',
  summary: 'Delete a custom secret',
  tag,
  params: secretPath,
  failures: ['secret_not_found', ...IN_VAULT],
  reply: success,
})

export const storeProviderTokensV1 = route({
  method: 'post',
  path: '/api/v1/secrets/git-providers',
  summary: 'Check and store provider tokens',
  tag,
  body: providerTokensRequest,
  failures: ['bad_request', 'provider_token_invalid', 'provider_unavailable', ...IN_VAULT],
  reply: told,
})

export const unsetProviderTokensV1 = route({
  method: 'delete',
  path: '/api/v1/secrets/git-providers',
  summary: 'Remove all provider tokens',
  tag,
  failures: IN_VAULT,
  reply: told,
})

/** The token itself is told to nobody. */
export const providerTokenTest = z.object({ user: z.string(), host: z.string() })
export type ProviderTokenTest = z.output<typeof providerTokenTest>

export const testProviderToken = route({
  method: 'post',
  path: '/api/v1/secrets/git-providers/{provider}/test',
  summary: 'Ask a git provider whose token is stored; a refused one is told apart from a provider that is away',
  tag,
  params: providerPath,
  failures: ['secret_not_found', 'provider_token_invalid', 'provider_unavailable', ...IN_VAULT],
  reply: providerTokenTest,
})
