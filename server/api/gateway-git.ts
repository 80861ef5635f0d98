import { z } from 'zod'
import { IN_KEYS_SANDBOX } from './failures.ts'
import { gitChange, gitDiff } from './git-changes.ts'
import { route } from './route.ts'

const tag = 'Git'
const path = z.string().min(1).max(4096)
/** A commit, branch or tag. Absent: what the conversation's workspace began with, as far as git knows. */
const ref = z.string().max(200).nullish()

const changes = z.array(gitChange)

export const gatewayGitChanges = route({
  method: 'get',
  path: '/api/git/changes',
  summary: 'What has changed in a repository; nothing where there is none',
  tag,
  query: z.object({ path, ref }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: changes,
})
export const gatewayGitChangesByPath = route({
  method: 'get',
  path: '/api/git/changes/{path}',
  summary: 'What has changed in a repository; nothing where there is none',
  tag,
  params: z.object({ path }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: changes,
})

export const gatewayGitCommit = z.object({
  sha: z.string(),
  short_sha: z.string(),
  subject: z.string(),
  author: z.string(),
  timestamp: z.string(),
})
export type GatewayGitCommit = z.output<typeof gatewayGitCommit>

export const gatewayGitCommits = route({
  method: 'get',
  path: '/api/git/commits',
  summary: "A repository's commits from its present one backwards; none where there is no repository",
  tag,
  query: z.object({ path, limit: z.int().min(1).max(200).default(50) }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: z.object({ commits: z.array(gatewayGitCommit), has_more: z.boolean() }),
})

export const gatewayGitCommitChanges = route({
  method: 'get',
  path: '/api/git/commits/{sha}/changes',
  summary: 'What one commit has changed, against its first parent',
  tag,
  params: z.object({ sha: z.string().regex(/^[0-9a-fA-F]{4,64}$/) }),
  query: z.object({ path }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found', 'not_found'],
  reply: changes,
})

export const gatewayGitDiff = route({
  method: 'get',
  path: '/api/git/diff',
  summary: 'A file as it was and as it is',
  tag,
  query: z.object({ path, ref, commit: ref }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found', 'file_too_large', 'not_a_repository'],
  reply: gitDiff,
})
export const gatewayGitDiffByPath = route({
  method: 'get',
  path: '/api/git/diff/{path}',
  summary: 'A file as it was and as it is',
  tag,
  params: z.object({ path }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found', 'file_too_large', 'not_a_repository'],
  reply: gitDiff,
})
