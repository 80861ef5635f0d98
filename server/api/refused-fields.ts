import { z } from 'zod'

/**
 * A field of existing clients that is not carried out: it may be absent, null or empty, and 422 names it otherwise.
 * @param instead what to do, as a sentence
 */
export function refused(instead: string) {
  return z
    .unknown()
    .refine(isNothing, { error: `it cannot be carried out here. ${instead}` })
    .optional()
    .describe(`Not carried out: 422 for anything but null or nothing. ${instead}`)
}

/** What none of the named fields is: a field that would have no effect is refused. */
export const noOtherFields = z.unknown().refine((value): boolean => value === undefined || value === null, {
  error: 'there is no such field here, so it would have no effect. Leave it out.',
})

function isNothing(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
