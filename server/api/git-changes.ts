import { z } from 'zod'

/** A changed file, as agent servers tell it. */
export const gitChange = z.object({ status: z.enum(['MOVED', 'ADDED', 'DELETED', 'UPDATED']), path: z.string() })
export type GitChange = z.output<typeof gitChange>

/** A file as it was and as it is; empty where there was or is none. */
export const gitDiff = z.object({ modified: z.string().nullable(), original: z.string().nullable() })
export type GitDiff = z.output<typeof gitDiff>
