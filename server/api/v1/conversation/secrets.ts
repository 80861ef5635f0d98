import { z } from 'zod'
import { secretName, secretText } from '../settings/secret-text.ts'

const MAX_SECRETS = 100
const MAX_CHARACTERS = 262_144
const description = z.string().max(2000).nullish()

/** Without a value, or with the mask in its place, the stored one stays. */
export const staticSecret = z.object({
  kind: z.literal('StaticSecret').default('StaticSecret'),
  value: secretText.nullish().describe('The secret itself; never returned.'),
  description: description.describe('What the secret is for; the model reads it, so it says nothing secret.'),
})

/** Asked for when a command names it: the text that this machine gets from the address is the value. */
export const lookupSecret = z.object({
  kind: z.literal('LookupSecret'),
  url: z
    .string()
    .max(2000)
    .regex(/^https?:\/\/[^\s/]/i, 'an address that begins with http:// or https://')
    .describe(
      'Address that is asked for the value each time a command needs it; the whole body of the answer is the value.',
    ),
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/),
      z
        .string()
        .max(8192)
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/),
    )
    .default({})
    .describe('Headers to send along, by their name; they are kept in the keychain.'),
  description: description.describe('What the secret is for; the model reads it, so it says nothing secret.'),
})

/** Secrets of one conversation by name; a plain text is a value. */
export const conversationSecrets = z
  .record(secretName, z.union([secretText, lookupSecret, staticSecret]))
  .refine(secrets => Object.keys(secrets).length <= MAX_SECRETS, `no more than ${MAX_SECRETS} secrets`)
  .refine(secrets => JSON.stringify(secrets).length <= MAX_CHARACTERS, `no more than ${MAX_CHARACTERS} characters`)
export type ConversationSecretsInput = z.output<typeof conversationSecrets>
