import { z } from 'zod'
import { IN_VAULT } from '../../contract/failures.ts'
import { page, pageQuery, success } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { GIT_PROVIDERS } from '../conversation/conversations.ts'
import { gitSoftware } from '../git/software.ts'
import { mcpConfigInput } from './mcp.ts'
import { secretName, secretValue } from './secret-text.ts'
import { providerTokens } from './user-secrets.ts'

/** A secret as it is shown: values never leave the service. */
export const secretInfo = z.object({
  name: z.string().describe('Name of the variable that commands find the secret in.'),
  description: z.string().describe('What the secret is for; empty when nothing was said.'),
})
export type SecretInfo = z.output<typeof secretInfo>

export const newSecret = z.object({
  name: secretName.describe('Name of the variable that commands find the secret in.'),
  value: secretValue.describe('The secret itself; stored in the keychain and never returned.'),
  description: z
    .string()
    .max(2000)
    .nullish()
    .describe('What the secret is for; the model reads it, so it says nothing secret.'),
})
export type NewSecret = z.output<typeof newSecret>

/** Renames or describes anew; the value stays. */
export const secretPatch = z.object({
  name: secretName.describe('Name of the variable from now on; 400 when another secret has it.'),
  description: z.string().max(2000).nullish().describe('What the secret is for; absent keeps what was said.'),
})
export type SecretPatch = z.output<typeof secretPatch>

/** Replaces the map of providers: one that is not named is removed, an entry without a token keeps the stored one. */
export const providerTokensRequest = z.object({
  provider_tokens: providerTokens
    .default({})
    .describe(
      'Tokens by git provider: a provider that is not named is removed, one without a token keeps the stored one.',
    ),
  mcp_config: mcpConfigInput.nullish().describe('Tool servers for the settings; absent keeps those that there are.'),
})

const statusMessage = z.object({ message: z.string().describe('What was done, in words.') })
const providerPath = z.object({ provider: z.enum(GIT_PROVIDERS).describe('Git provider whose stored token is tried.') })
const secretPath = z.object({ secret_id: z.string().min(1).max(255).describe('Name of the secret.') })
const tag = 'Secrets'

export const storeProviderTokens = route({
  method: 'post',
  path: '/api/add-git-providers',
  summary: 'Store Provider Tokens',
  description:
    'Checks the tokens at their providers and stores them in the keychain, in place of all that there are. A token that is refused there is not stored.',
  tag,
  body: providerTokensRequest,
  failures: ['bad_request', 'provider_token_invalid', 'provider_unavailable', ...IN_VAULT],
  reply: statusMessage,
})

export const unsetProviderTokens = route({
  method: 'post',
  path: '/api/unset-provider-tokens',
  summary: 'Remove all provider tokens',
  description: 'Deletes the tokens of all git providers from the keychain.',
  tag,
  failures: IN_VAULT,
  reply: statusMessage,
})

export const listSecrets = route({
  method: 'get',
  path: '/api/secrets',
  summary: 'Names of the custom secrets',
  description: "Lists the names and descriptions of the user's secrets; values are told to nobody.",
  tag,
  reply: z.object({
    custom_secrets: z.array(secretInfo).describe('Names and descriptions; values are told to nobody.'),
  }),
})

export const createSecret = route({
  method: 'post',
  path: '/api/secrets',
  summary: 'Create a custom secret',
  description:
    'Stores a secret in the keychain. Commands of agents that name it find it in their environment, and it is masked in all output.',
  tag,
  status: 201,
  body: newSecret,
  failures: ['secret_exists', 'bad_request', ...IN_VAULT],
  reply: statusMessage,
})

export const updateSecret = route({
  method: 'put',
  path: '/api/secrets/{secret_id}',
  summary: 'Rename or describe a custom secret',
  description: 'Gives a secret another name or description; its value stays.',
  tag,
  params: secretPath,
  body: secretPatch,
  failures: ['secret_not_found', 'secret_exists', 'bad_request'],
  reply: statusMessage,
})

export const deleteSecret = route({
  method: 'delete',
  path: '/api/secrets/{secret_id}',
  summary: 'Delete a custom secret',
  description: 'Deletes a secret from the keychain.',
  tag,
  params: secretPath,
  failures: ['secret_not_found', ...IN_VAULT],
  reply: statusMessage,
})

export const searchSecretsV1 = route({
  method: 'get',
  path: '/api/v1/secrets/search',
  summary: 'Names of the custom secrets, by page',
  description: "Lists the names and descriptions of the user's secrets, a page at a time; values are told to nobody.",
  tag,
  query: z.object({
    name__contains: z.string().nullish().describe('Only secrets whose name has this text.'),
    ...pageQuery.shape,
  }),
  reply: page(secretInfo),
})

export const createSecretV1 = route({
  method: 'post',
  path: '/api/v1/secrets',
  summary: 'Create a custom secret',
  description:
    'Stores a secret in the keychain. Commands of agents that name it find it in their environment, and it is masked in all output.',
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
  description: 'Gives a secret another name or description, and another value when one is given.',
  tag,
  params: secretPath,
  body: z.object({
    ...secretPatch.shape,
    value: secretValue.nullish().describe('New value; absent or null keeps the stored one.'),
  }),
  failures: ['secret_not_found', 'secret_exists', 'bad_request', ...IN_VAULT],
  reply: secretInfo,
})

export const deleteSecretV1 = route({
  method: 'delete',
  path: '/api/v1/secrets/{secret_id}',
  summary: 'Delete a custom secret',
  description: 'Deletes a secret from the keychain.',
  tag,
  params: secretPath,
  failures: ['secret_not_found', ...IN_VAULT],
  reply: success,
})

export const storeProviderTokensV1 = route({
  method: 'post',
  path: '/api/v1/secrets/git-providers',
  summary: 'Check and store provider tokens',
  description:
    'Checks the tokens at their providers and stores them in the keychain, in place of all that there are. A token that is refused there is not stored.',
  tag,
  body: providerTokensRequest,
  failures: ['bad_request', 'provider_token_invalid', 'provider_unavailable', ...IN_VAULT],
  reply: statusMessage,
})

export const unsetProviderTokensV1 = route({
  method: 'delete',
  path: '/api/v1/secrets/git-providers',
  summary: 'Remove all provider tokens',
  description: 'Deletes the tokens of all git providers from the keychain.',
  tag,
  failures: IN_VAULT,
  reply: statusMessage,
})

/** The token itself is never returned. */
export const providerTokenTest = z.object({
  user: z.string().describe('Name of the user that the token belongs to.'),
  host: z.string().describe('Host that was asked.'),
  software: gitSoftware.describe('What answered there; of `enterprise_sso` it is found out.'),
})
export type ProviderTokenTest = z.output<typeof providerTokenTest>

export const testProviderToken = route({
  method: 'post',
  path: '/api/v1/secrets/git-providers/{provider}/test',
  summary: 'Ask a git provider whose token is stored',
  description:
    'Asks the git provider whose token is stored. 401 when it refuses the token, 503 when it cannot be asked.',
  tag,
  params: providerPath,
  failures: ['secret_not_found', 'provider_token_invalid', 'provider_unavailable', ...IN_VAULT],
  reply: providerTokenTest,
})
