import { z } from 'zod'
import { IN_OWN_CONVERSATION, IN_SANDBOX, IN_VAULT } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { argumentText } from '../../event/argument-text.ts'
import { gitProvider } from '../conversation/conversations.ts'
import { conversationParams } from '../conversation/params.ts'

const path = '/api/v1/app-conversations/{conversation_id}/git/pull-request' as const
const tag = 'Git'
const failures = [
  ...IN_OWN_CONVERSATION,
  ...IN_SANDBOX,
  ...IN_VAULT,
  'not_a_repository',
  'not_found',
  'conflict',
  'provider_token_missing',
  'provider_token_invalid',
  'provider_refused',
  'provider_rate_limited',
  'provider_unavailable',
] as const

export const pullRequest = z.object({
  git_provider: gitProvider.describe('Where it is.'),
  number: z.int().describe('Its number in the repository.'),
  url: z.string().describe('Where a person reads it.'),
  title: z.string().describe('Its title.'),
  draft: z.boolean().describe('Whether it is a draft.'),
  base: z.string().describe('The branch that it is to be merged into.'),
})
export type PullRequest = z.output<typeof pullRequest>

export const findPullRequest = route({
  method: 'get',
  path,
  summary: "The pull request from the branch of a conversation's repository",
  description:
    'Asks the provider of the remote for the open pull or merge request from the branch that is checked out; null when there is none. 409 when no branch is checked out or there is no remote.',
  tag,
  params: conversationParams,
  failures,
  reply: pullRequest.nullable(),
})

export const openPullRequest = route({
  method: 'post',
  path,
  summary: "Open a pull request from the branch of a conversation's repository",
  description:
    'Opens a pull or merge request at GitHub, GitLab or Bitbucket from the branch that is checked out, which must have been pushed. The open one of that branch is returned instead where there is one. Its number is kept in `pr_number` of the conversation. 409 with the words of the provider when it refuses.',
  tag,
  params: conversationParams,
  body: z.object({
    url: z
      .string()
      .max(4096)
      .nullish()
      .describe('Address of the remote, as the state of the repository shows it: 409 when it is another one by now.'),
    branch: argumentText(200).nullish().describe('The branch that is checked out: 409 when it is another one by now.'),
    title: z.string().trim().min(1).max(255).describe('Its title.'),
    body: z.string().max(50_000).default('').describe('Its description, in Markdown.'),
    base: argumentText(200)
      .nullish()
      .describe('The branch that it is to be merged into; absent is the default branch of the repository.'),
    draft: z.boolean().default(false).describe('Whether it is a draft.'),
    reviewers: z
      .array(argumentText(100).min(1))
      .max(20)
      .default([])
      .describe('User names at the provider of those who are asked to review it; at Bitbucket nicknames.'),
  }),
  failures: [...failures, 'git_refused'],
  reply: z.object({
    pull_request: pullRequest.describe('The pull request.'),
    existing: z.boolean().describe('Whether it was there before.'),
    reviewers_problem: z
      .string()
      .nullable()
      .describe(
        'Why the reviewers were not asked, though the pull request is open; null when they were, or none was named.',
      ),
  }),
})
