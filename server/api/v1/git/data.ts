import { z } from 'zod'
import { lineText } from '../../input-text.ts'
import { gitProvider } from '../conversation/conversations.ts'

export const gitUser = z.object({
  id: z.string().describe('Id of the user at the provider.'),
  login: z.string().describe('Name by which the user signs in.'),
  avatar_url: z.string().describe("Address of the user's picture; empty when there is none."),
  company: z.string().nullable().describe('Company of the user; null when none is given.'),
  name: z.string().nullable().describe('Full name of the user; null when none is given.'),
  email: z.string().nullable().describe('Address of the user; null when it is not shown.'),
})
export type GitUser = z.output<typeof gitUser>

export const gitRepository = z.object({
  id: z.string().describe('Id of the repository at the provider.'),
  full_name: z.string().describe('Name of the repository, as `owner/name`.'),
  git_provider: gitProvider.describe('Where the repository lies.'),
  is_public: z.boolean().describe('Whether everybody can read it.'),
  stargazers_count: z
    .int()
    .nullable()
    .describe('How many people have starred it; null when the provider does not say.'),
  link_header: z
    .string()
    .nullable()
    .describe(
      'Link to the next page, in the form of a `Link` header, on the first repository of a page; null for none.',
    ),
  pushed_at: z.string().nullable().describe('When something was last pushed; null when the provider does not say.'),
  owner_type: z
    .enum(['user', 'organization'])
    .nullable()
    .describe('Whether it belongs to a person or an organization; null when the provider does not say.'),
  main_branch: z.string().nullable().describe('Name of the default branch; null when the provider does not say.'),
})
export type GitRepository = z.output<typeof gitRepository>

export const gitBranch = z.object({
  name: z.string().describe('Name of the branch.'),
  commit_sha: z.string().describe('Hash of its newest commit.'),
  protected: z.boolean().describe('Whether the provider protects it against changes; false when it does not say.'),
  last_push_date: z.string().nullable().describe('Date of its newest commit; null when the provider does not say.'),
})
export type GitBranch = z.output<typeof gitBranch>

export const suggestedTask = z.object({
  repo: lineText(2000).describe('Repository of the task, as `owner/name`.'),
  issue_number: z.int().describe('Number of the issue or pull request.'),
  title: z.string().describe('Title of the issue or pull request.'),
  git_provider: gitProvider.nullish().describe('Where the repository lies; absent is github.'),
  task_type: z
    .enum(['MERGE_CONFLICTS', 'FAILING_CHECKS', 'UNRESOLVED_COMMENTS', 'OPEN_ISSUE', 'OPEN_PR', 'CREATE_MICROAGENT'])
    .nullish()
    .describe('What there is to do about it; absent is an open issue.'),
})
export type SuggestedTask = z.output<typeof suggestedTask>

/** A task with the words that start it. */
export const promptedTask = suggestedTask.extend({
  prompt: z.string().describe('First message that asks an agent to do it.'),
})
export type PromptedTask = z.output<typeof promptedTask>

/** A provider whose part of an answer is missing, and why. */
export const missingProvider = z.object({
  git_provider: gitProvider.describe('The provider that gave no answer.'),
  code: z.string().describe('Code of the failure, as in an error body.'),
  message: z.string().describe('What happened and what to do next, for a person.'),
})
export type MissingProvider = z.output<typeof missingProvider>
