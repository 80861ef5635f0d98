import { z } from 'zod'
import { isKept, LOST_NAME } from '../../contract/lost-name.ts'

/** What may be kept: keychains hand texts on as C strings, which end at a NUL. */
export const secretText = z
  .string()
  .max(65_536)
  .refine(text => !text.includes('\0'), 'a secret cannot hold a NUL character')
export const secretValue = secretText.min(1)

/** Names may be anything that can be shown in one line. */
export const secretName = z
  .string()
  .min(1)
  .max(255)
  // Control characters (Cc), in a form that validators without Unicode classes read too.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .regex(/^[^\u0000-\u001f\u007f-\u009f]+$/)
  .refine(name => name !== 'git-providers', 'this name is an address of the API')
  .refine(isKept, LOST_NAME)
