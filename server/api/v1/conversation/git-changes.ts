import { z } from 'zod'

/** A changed file, as agent servers tell it. */
export const gitChange = z.object({
  status: z.enum(['MOVED', 'ADDED', 'DELETED', 'UPDATED']).describe('What has happened to the file.'),
  path: z.string().describe('Path of the file from the folder that was asked for.'),
})
export type GitChange = z.output<typeof gitChange>

/** A file as it was and as it is: empty where there was or is none, null for what is not text. */
export const gitDiff = z.object({
  modified: z
    .string()
    .nullable()
    .describe(
      'Text of the file as it is now; empty when it is gone, null when it is not text or there is no repository.',
    ),
  original: z
    .string()
    .nullable()
    .describe(
      'Text of the file before the change; empty when it was not there, null when it is not text or there is no repository.',
    ),
})
export type GitDiff = z.output<typeof gitDiff>
