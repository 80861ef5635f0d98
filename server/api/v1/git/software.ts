import { z } from 'zod'

/** What can run at a host of one's own. */
export const GIT_SOFTWARE = ['github', 'gitlab', 'bitbucket'] as const
export const gitSoftware = z.enum(GIT_SOFTWARE)
export type GitSoftware = z.output<typeof gitSoftware>
