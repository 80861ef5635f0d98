import { z } from 'zod'
import { keyText, lineText } from '../../input-text.ts'
import { gitProvider } from '../conversation/conversations.ts'
import { secretName, secretText } from './secret-text.ts'

/** An empty or absent token keeps the stored one. `host` is a name, or an address with its scheme; absent is the provider's own. */
const providerToken = z.object({
  token: keyText(65_536)
    .nullish()
    .describe(
      'Token of the provider, stored in the keychain and never returned; absent or empty keeps the stored one.',
    ),
  host: lineText(255)
    .nullish()
    .describe(
      "Host of a server of one's own; absent is the provider's public one. `enterprise_sso` needs one: GitHub, GitLab or Bitbucket Data Center, which is found out; without it, its token is refused.",
    ),
  user_id: lineText(255).nullish().describe('Id of the user at the provider, for clients.'),
})
export type ProviderToken = z.output<typeof providerToken>

/** The piped key makes an unknown provider a wrong key, which clients read in the error, instead of a surplus field. */
export const providerTokens = z.partialRecord(z.string().pipe(gitProvider), providerToken)
export type ProviderTokens = z.output<typeof providerTokens>

/** A custom secret as the settings body carries it; a plain text is its value. */
const customSecret = z.union([
  z.object({
    secret: secretText
      .nullish()
      .describe('Value of the secret, stored in the keychain and never returned; absent keeps the stored one.'),
    description: z
      .string()
      .max(2000)
      .nullish()
      .describe('What the secret is for; the model reads it, so it says nothing secret.'),
  }),
  secretText,
])

/** The specification's UserSecrets. What is named is merged into the secret store; nothing is removed. */
export const userSecrets = z.object({
  provider_tokens: providerTokens.nullish().describe('Tokens by git provider.'),
  custom_secrets: z
    .record(secretName, customSecret)
    .nullish()
    .describe('Secrets by the name of the variable that commands find them in.'),
})
export type UserSecrets = z.output<typeof userSecrets>
