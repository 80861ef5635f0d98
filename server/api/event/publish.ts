import { z } from 'zod'
import type { Action } from './actions.ts'

export const PUSH_BRANCH = 'push_branch'
export const OPEN_PULL_REQUEST = 'open_pull_request'

/** What is sent when a person says yes; all of it is compared again before anything is sent. */
export const publishPlan = z.object({
  remote: z.string(),
  /** Address of the remote, without what may be a password. */
  url: z.string(),
  branch: z.string(),
  /** Of the remote, as it was last seen. */
  default_branch: z.string().nullable(),
  /** Object name of the branch's last commit. */
  commit: z.string(),
  /** Commits that the remote has not. */
  commits: z.int(),
  /** Files that are not committed, and so stay behind. */
  uncommitted: z.int(),
})
export type PublishPlan = z.output<typeof publishPlan>

/** The pull or merge request that the agent writes. */
export const requestDraft = z.object({
  title: z.string().trim().min(1).max(255).describe('Title of the request, at most 72 characters if possible.'),
  body: z.string().max(60_000).default('').describe('Description in Markdown: what changes, why, how it was tested.'),
  base: z.string().max(200).nullish().describe('Branch to merge into. Absent: the default branch of the repository.'),
  draft: z.boolean().default(false).describe('true: not ready for review yet.'),
})

export interface PublishCall {
  plan: PublishPlan
  /** null for a push alone. */
  request: z.output<typeof requestDraft> | null
}

/** What a call of the agent would publish; null for any other call, and for one that could not be prepared. */
export function publishCallOf({ action, tool_name }: { action: Action | null; tool_name: string }): PublishCall | null {
  if (tool_name !== PUSH_BRANCH && tool_name !== OPEN_PULL_REQUEST) return null
  const data = action?.kind === 'MCPToolAction' ? action.data : undefined
  const plan = publishPlan.safeParse(data)
  if (!plan.success) return null
  if (tool_name === PUSH_BRANCH) return { plan: plan.data, request: null }
  const request = requestDraft.safeParse(data)
  return request.success ? { plan: plan.data, request: request.data } : null
}
