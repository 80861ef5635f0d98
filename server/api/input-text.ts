import { z } from 'zod'
import { credentialsIn } from './url-credentials.ts'

/** One line of text: what becomes an argument, a header or a line of a file holds no control character (Cc). */
export function lineText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine(text => !/\p{Cc}/u.test(text), 'control characters, such as line breaks and NUL, cannot be used here')
}

const MAX_KEY = 8192

/** A key or token: it is sent in a header of HTTP, where other characters cannot stand or arrive changed. */
export function keyText(maxLength = MAX_KEY) {
  return z
    .string()
    .trim()
    .max(maxLength)
    .refine(
      isHeaderText,
      'a key has letters, digits and punctuation of ASCII alone; copy it again, without line breaks inside',
    )
}

/** What a header carries unchanged, whoever sends it. */
export function isHeaderText(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

/** An address that is stored in clear and shown. */
export const addressText = lineText(2000).superRefine((text, context) => {
  const message = credentialsIn(text)
  if (message) context.addIssue({ code: 'custom', message })
})
