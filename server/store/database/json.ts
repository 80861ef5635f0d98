import { z } from 'zod'

/** A column that holds JSON text of the given shape. */
export function json<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema)
}
