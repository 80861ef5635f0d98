import { z } from 'zod'

/** Every refusal of a body, query or path that does not fit its schema: status 422, never echoing the input. */
export const validationErrorBody = z.object({
  detail: z
    .array(
      z.object({
        loc: z
          .array(z.string())
          .describe('Where it is: `body`, `query` or `path`, then names and positions down to the value.'),
        msg: z.string().describe('What is wrong with it, in words, without the value.'),
        type: z.string().describe('Kind of the problem, such as `missing` or `string_too_long`.'),
      }),
    )
    .describe('What does not fit, one item for each place.'),
})
export type ValidationErrorBody = z.output<typeof validationErrorBody>

/** Every other failure of the newer generation. `code` is one of the service's error codes. */
export const errorBody = z.object({
  detail: z.string().describe('What happened and what to do next, in words for people.'),
  code: z.string().describe('Code of the failure, to branch on; the codes of an operation stand with its statuses.'),
})
export type ErrorBody = z.output<typeof errorBody>

/** A failure of the legacy generation, in the words and shapes that its clients read; the status says which. */
export const olderErrorBody = z.union([
  errorBody,
  z.looseObject({ error: z.string().describe('What happened, in words.') }),
  z.looseObject({ message: z.string().describe('What happened, in words.') }),
  z.string(),
])

/** Whether an operation of the app's port is of the legacy generation. */
export function isOlder(path: string): boolean {
  return path.startsWith('/api/') && !path.startsWith('/api/v1/')
}
