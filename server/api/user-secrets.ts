import { z } from 'zod'
import { gitProvider } from './app-conversations.ts'
import { secretName, secretText } from './secret-text.ts'

/** An empty or absent token keeps the stored one. `host` is a name, or an address with its scheme; absent is the provider's own. */
export const providerToken = z.object({
  token: secretText.nullish(),
  host: z.string().max(255).nullish(),
  user_id: z.string().max(255).nullish(),
})
export type ProviderToken = z.output<typeof providerToken>

/** The piped key makes an unknown provider a wrong key, which clients read in the error, instead of a surplus field. */
export const providerTokens = z.partialRecord(z.string().pipe(gitProvider), providerToken)
export type ProviderTokens = z.output<typeof providerTokens>

/** A custom secret as the settings body carries it; a plain text is its value. */
export const customSecret = z.union([
  z.object({ secret: secretText.nullish(), description: z.string().nullish() }),
  secretText,
])

/** The specification's UserSecrets. What is named is merged into the secret store; nothing is removed. */
export const userSecrets = z.object({
  provider_tokens: providerTokens.nullish(),
  custom_secrets: z.record(secretName, customSecret).nullish(),
})
export type UserSecrets = z.output<typeof userSecrets>
