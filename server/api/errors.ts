import { z } from 'zod'

/** Every refusal of a body, query or path that does not fit its schema: status 422, never echoing the input. */
export const validationErrorBody = z.object({
  detail: z.array(z.object({ loc: z.array(z.string()), msg: z.string(), type: z.string() })),
})
export type ValidationErrorBody = z.output<typeof validationErrorBody>

/** Every other failure of the newer generation. `code` is one of the service's error codes. */
export const errorBody = z.object({ detail: z.string(), code: z.string() })
export type ErrorBody = z.output<typeof errorBody>

/** A failure of the legacy generation, in the words and shapes that its clients read; the status says which. */
export const olderErrorBody = z.union([
  errorBody,
  z.looseObject({ error: z.string() }),
  z.looseObject({ message: z.string() }),
  z.string(),
])

/** Whether an operation of the app's port is of the legacy generation. */
export function isOlder(path: string): boolean {
  return path.startsWith('/api/') && !path.startsWith('/api/v1/')
}
