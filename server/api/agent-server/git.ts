import { z } from 'zod'
import { IN_KEYS_SANDBOX } from '../contract/failures.ts'
import { route } from '../contract/route.ts'
import { argumentText } from '../event/argument-text.ts'
import { gitChange, gitDiff } from '../v1/conversation/git-changes.ts'

const tag = 'Git'
const path = z.string().min(1).max(4096).describe('Absolute path in the sandbox; 400 for a relative one.')
const ref = argumentText(200)
  .nullish()
  .describe('Commit, branch or tag to compare with; absent is what the workspace began with, as far as git knows.')

const changes = z.array(gitChange)

export const gatewayGitChanges = route({
  method: 'get',
  path: '/api/git/changes',
  summary: 'What has changed in a repository; nothing where there is none',
  description:
    'Lists the changed files of a repository of the sandbox. The list is empty where there is no repository.',
  tag,
  query: z.object({ path, ref }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: changes,
})
export const gatewayGitChangesByPath = route({
  method: 'get',
  path: '/api/git/changes/{path}',
  summary: 'What has changed in a repository; nothing where there is none',
  description:
    'Lists the changed files of a repository of the sandbox; the older shape, with the path in the address. The list is empty where there is no repository.',
  tag,
  params: z.object({ path }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: changes,
})

export const gatewayGitCommit = z.object({
  sha: z.string().describe('Full hash of the commit.'),
  short_sha: z.string().describe('Hash of the commit, as short as git shows it.'),
  subject: z.string().describe("First line of the commit's message."),
  author: z.string().describe('Name of the author.'),
  timestamp: z.string().describe('When it was committed, in ISO 8601.'),
})
export type GatewayGitCommit = z.output<typeof gatewayGitCommit>

export const gatewayGitCommits = route({
  method: 'get',
  path: '/api/git/commits',
  summary: "A repository's commits from its present one backwards",
  description:
    'Lists the commits of a repository from its present one backwards. The list is empty where there is no repository.',
  tag,
  query: z.object({
    path,
    limit: z.int().min(1).max(200).default(50).describe('How many commits are listed at most.'),
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found'],
  reply: z.object({
    commits: z.array(gatewayGitCommit).describe('Commits, newest first.'),
    has_more: z.boolean().describe('Whether there are older ones beyond `limit`.'),
  }),
})

export const gatewayGitCommitChanges = route({
  method: 'get',
  path: '/api/git/commits/{sha}/changes',
  summary: 'What one commit has changed, against its first parent',
  description: 'Lists the files that one commit has changed, compared with its first parent.',
  tag,
  params: z.object({
    sha: z
      .string()
      .regex(/^[0-9a-fA-F]{4,64}$/)
      .describe('Hash of the commit, 4 to 64 hexadecimal digits. 404 when there is none.'),
  }),
  query: z.object({ path }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found', 'not_found'],
  reply: changes,
})

export const gatewayGitDiff = route({
  method: 'get',
  path: '/api/git/diff',
  summary: 'A file as it was and as it is',
  description:
    'Reads a file as it was and as it is; both are null where there is no repository. 413 for one that is too large.',
  tag,
  query: z.object({
    path,
    ref,
    commit: ref.describe('Commit whose change is shown, compared with its first parent; not together with `ref`.'),
  }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found', 'file_too_large'],
  reply: gitDiff,
})
export const gatewayGitDiffByPath = route({
  method: 'get',
  path: '/api/git/diff/{path}',
  summary: 'A file as it was and as it is',
  description:
    'Reads a file as it was and as it is; the older shape, with the path in the address. Both are null where there is no repository. 413 for one that is too large.',
  tag,
  params: z.object({ path }),
  failures: [...IN_KEYS_SANDBOX, 'bad_request', 'file_not_found', 'file_too_large'],
  reply: gitDiff,
})
