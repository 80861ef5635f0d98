import { z } from 'zod'

/** Every refusal of a body, query or path that does not fit its schema: status 422, never echoing the input. */
export const validationErrorBody = z.object({
  detail: z.array(z.object({ loc: z.array(z.string()), msg: z.string(), type: z.string() })),
})
export type ValidationErrorBody = z.output<typeof validationErrorBody>

/** Every other failure of the newer generation. `code` is one of the service's error codes. */
export const errorBody = z.object({ detail: z.string(), code: z.string() })
export type ErrorBody = z.output<typeof errorBody>
