import { z } from 'zod'

/** What becomes an argument of a program in a sandbox: those end at a NUL. */
export function argumentText(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .refine(text => !text.includes('\0'), 'an argument cannot hold a NUL character')
}
