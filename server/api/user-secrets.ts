import { z } from 'zod'
import { gitProvider } from './app-conversations.ts'

/** What may be kept: keychains hand texts on as C strings, which end at a NUL. */
const secretText = z
  .string()
  .max(65_536)
  .refine(text => !text.includes('\0'), 'a secret cannot hold a NUL character')

/** Names may be anything that can be shown in one line. */
export const secretName = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{Cc}+$/u)
  .refine(name => name !== 'git-providers', 'this name is an address of the API')
export const secretValue = secretText.min(1)

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
