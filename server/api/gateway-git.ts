import { z } from 'zod'
import { gitChange, gitDiff } from './git-changes.ts'
import { route } from './route.ts'

const tag = 'Git'
const path = z.string().min(1).max(4096)
/** Absent: what the conversation's workspace began with, as far as git knows. Another one is answered with 501. */
const ref = z.string().max(200).nullish()

const changes = z.array(gitChange)

export const gatewayGitChanges = route({
  method: 'get',
  path: '/api/git/changes',
  summary: 'What has changed in a repository; nothing where there is none',
  tag,
  query: z.object({ path, ref }),
  reply: changes,
})
export const gatewayGitChangesByPath = route({
  method: 'get',
  path: '/api/git/changes/{path}',
  summary: 'What has changed in a repository; nothing where there is none',
  tag,
  params: z.object({ path }),
  reply: changes,
})

export const gatewayGitDiff = route({
  method: 'get',
  path: '/api/git/diff',
  summary: 'A file as it was and as it is',
  tag,
  query: z.object({ path, ref, commit: ref }),
  reply: gitDiff,
})
export const gatewayGitDiffByPath = route({
  method: 'get',
  path: '/api/git/diff/{path}',
  summary: 'A file as it was and as it is',
  tag,
  params: z.object({ path }),
  reply: gitDiff,
})
