import { z } from 'zod'
import { IN_OWN_CONVERSATION, IN_SANDBOX, IN_VAULT } from '../../contract/failures.ts'
import { route } from '../../contract/route.ts'
import { conversationParams } from '../conversation/params.ts'
import { revertedFile } from '../conversation/review.ts'
import { pullRequest } from './pull-requests.ts'

const path = (rest: string) => `/api/v1/app-conversations/{conversation_id}/git/pull-request/${rest}` as const
const tag = 'Git'
const OF_PROVIDER = [
  'provider_token_missing',
  'provider_token_invalid',
  'provider_refused',
  'provider_rate_limited',
  'provider_unavailable',
] as const
const failures = [...IN_OWN_CONVERSATION, ...IN_VAULT, ...OF_PROVIDER, 'not_found'] as const

export const pullRequestCheck = z.object({
  id: z.string().describe('Id of the check at the provider.'),
  name: z.string().describe('Its name.'),
  state: z
    .enum(['PENDING', 'PASSED', 'FAILED', 'SKIPPED'])
    .describe('`PENDING`: not ended. `SKIPPED`: it ended and says neither yes nor no, or may fail.'),
  description: z.string().nullable().describe('What it says of its result in a few words; null for nothing.'),
  url: z.string().nullable().describe('Where a person reads it; null when the provider names no place.'),
})
export type PullRequestCheck = z.output<typeof pullRequestCheck>

const written = {
  author: z.string().describe('Who wrote it, by the name at the provider.'),
  text: z.string().describe('What it says, in Markdown; at most 10,000 characters.'),
  created_at: z.string().nullable().describe('When it was written; null when the provider does not say.'),
}

export const pullRequestReview = z.object({
  ...written,
  state: z.enum(['APPROVED', 'CHANGES_REQUESTED', 'COMMENTED']).describe('What the reviewer came to.'),
})
export type PullRequestReview = z.output<typeof pullRequestReview>

export const suggestedChange = z.object({
  start_line: z
    .int()
    .min(1)
    .describe('First line of the file that it replaces, as of the last commit of the pull request.'),
  end_line: z.int().min(1).describe('Last line that it replaces.'),
  text: z.string().max(10_000).describe('The lines in their place, each with its end; empty to remove them.'),
})
export type SuggestedChange = z.output<typeof suggestedChange>

export const reviewThread = z.object({
  id: z.string().describe('Id of the thread at the provider.'),
  path: z.string().nullable().describe('The file that it is about; null when it is about the whole.'),
  start_line: z.int().nullable().describe('The first of several lines that it is about; null when it is about one.'),
  line: z.int().nullable().describe('The line after the change; null when it is about the file or the whole.'),
  resolved: z.boolean().describe('Whether it is settled.'),
  comments: z
    .array(
      z.object({
        ...written,
        suggestions: z.array(suggestedChange).describe('Changes of the lines that it suggests; mostly none.'),
      }),
    )
    .describe('What was said, the first first.'),
})
export type ReviewThread = z.output<typeof reviewThread>

export const pullRequestStatus = z.object({
  pull_request: pullRequest.describe('The pull request.'),
  state: z.enum(['OPEN', 'MERGED', 'CLOSED']).describe('What became of it.'),
  branch: z.string().describe('The branch that it is from.'),
  sha: z.string().describe('Its last commit, which the checks are of.'),
  merge: z
    .enum(['READY', 'CONFLICT', 'BEHIND', 'BLOCKED', 'CHECKING'])
    .nullable()
    .describe(
      'Whether it can be merged. `CONFLICT`: not with the base as it is. `BEHIND`: the base has to be merged first. `BLOCKED`: a rule of the repository is not met, such as a review. `CHECKING`: the provider does not know yet. Null when it does not say.',
    ),
  checks: z.array(pullRequestCheck).describe('Checks of the last commit, at most 100.'),
  reviews: z.array(pullRequestReview).describe('The last word of each reviewer.'),
  threads: z.array(reviewThread).describe('Comments, at most 100 threads.'),
})
export type PullRequestStatus = z.output<typeof pullRequestStatus>

export const getPullRequestStatus = route({
  method: 'get',
  path: path('status'),
  summary: "State of the pull request of a conversation's branch",
  description:
    'Asks the provider what became of the pull or merge request: checks, reviews, comments and whether it can be merged. It is the open one of the branch that is checked out, otherwise the last of `pr_number` if it is from that branch, or while the sandbox does not run; null when there is none.',
  tag,
  params: conversationParams,
  failures,
  reply: pullRequestStatus.nullable(),
})

export const startPullRequestTask = route({
  method: 'post',
  path: path('tasks'),
  summary: 'Let the agent bring the pull request on',
  description:
    'Sends the agent one message with what it needs, and lets it work: the ends of the logs of the checks that fail, the comments that are not resolved, or the base, which is fetched into the sandbox first. The agent commits, and a person is asked before anything is pushed. 409 when there is nothing of the kind to do.',
  tag,
  params: conversationParams,
  body: z.object({
    kind: z
      .enum(['FIX_CHECKS', 'ADDRESS_REVIEW', 'UPDATE_FROM_BASE'])
      .describe('Make the checks pass, do what the reviewers ask for, or merge the base into the branch.'),
  }),
  failures: [...failures, ...IN_SANDBOX, 'not_a_repository', 'conflict', 'git_refused'],
  reply: z.object({ text: z.string().describe('The message, as the agent gets it.') }),
})

const thread = conversationParams.extend({
  thread_id: z.string().min(1).max(200).describe('Id of a thread, as the status names it.'),
})

export const answerReviewThread = route({
  method: 'post',
  path: path('threads/{thread_id}/answers'),
  summary: 'Answer a comment of the pull request',
  description:
    "Adds a comment to a thread of the pull request, in the name of the stored token's user, for everybody to read. 409 with the words of the provider when it refuses.",
  tag,
  params: thread,
  body: z.object({ text: z.string().trim().min(1).max(10_000).describe('The comment, in Markdown.') }),
  failures: [...failures, 'git_refused'],
  reply: z.object({ success: z.literal(true).describe('Always true.') }),
})

export const resolveReviewThread = route({
  method: 'post',
  path: path('threads/{thread_id}/resolve'),
  summary: 'Resolve a comment of the pull request',
  description:
    'Marks a thread of the pull request as settled, or as open again. 409 with the words of the provider when it refuses, as for a comment on the whole, which cannot be resolved.',
  tag,
  params: thread,
  body: z.object({ resolved: z.boolean().default(true).describe('Whether it is settled.') }),
  failures: [...failures, 'git_refused'],
  reply: z.object({ success: z.literal(true).describe('Always true.') }),
})

export const applySuggestion = route({
  method: 'post',
  path: path('threads/{thread_id}/suggestion'),
  summary: 'Apply a change that a comment of the pull request suggests',
  description:
    "Writes a suggested change into the file in the sandbox, where its lines stand now; committing and pushing it is for the person. The reply names what takes it back. 409 when the comment does not suggest it any more, when the lines have changed since, while the sandbox has not the pull request's last commit, and while the agent works.",
  tag,
  params: thread,
  body: suggestedChange,
  failures: [...failures, ...IN_SANDBOX, 'not_a_repository', 'conflict', 'conversation_running'],
  reply: revertedFile,
})
