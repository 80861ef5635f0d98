import { z } from 'zod'
import { IN_VAULT } from '../../contract/failures.ts'
import { page, pageQuery } from '../../contract/page.ts'
import { route } from '../../contract/route.ts'
import { lineText } from '../../input-text.ts'
import { gitProvider } from '../conversation/conversations.ts'
import { gitBranch, gitRepository, gitUser, missingProvider, promptedTask } from './data.ts'

const tag = 'Git data of the user'

/** Of an operation that asks a git provider with its stored token. */
export const OF_PROVIDER = [
  'provider_token_missing',
  'bad_request',
  'provider_token_invalid',
  'provider_refused',
  'provider_rate_limited',
  'provider_unavailable',
  ...IN_VAULT,
] as const

const provider = gitProvider.describe('Git provider to ask; 401 when no token of it is stored.')
const missing = z
  .array(missingProvider)
  .describe('Providers that were asked and gave no answer, so that nothing of theirs is in the list.')
const page_id = pageQuery.shape.page_id.describe(
  'Page to read: `next_page_id` of the page before. Absent, or anything but a number, is the first page.',
)
const of30 = z.int().min(1).max(100).default(30).describe('How many items a page has at most.')

export const SORT_ORDERS = [
  'stars-desc',
  'stars-asc',
  'forks-desc',
  'forks-asc',
  'updated-desc',
  'updated-asc',
] as const

export const getGitInfo = route({
  method: 'get',
  path: '/api/v1/users/git-info',
  summary: 'The user at the first git provider that answers',
  description:
    'Asks the providers whose tokens are stored, in the order GitHub, GitLab, Bitbucket, enterprise_sso, until one answers. When none does, the failure of the first is answered.',
  tag,
  failures: OF_PROVIDER,
  reply: gitUser,
})

export const searchGitInstallations = route({
  method: 'get',
  path: '/api/v1/git/installations/search',
  summary: 'Installations or workspaces at a git provider',
  description:
    'Ids of the installations of GitHub Apps that the token shows, names of the workspaces of Bitbucket Cloud, or keys of the projects of Bitbucket Data Center. 400 for GitLab, which has none. A personal token of GitHub shows no installations: GitHub refuses it, and the answer is 403.',
  tag,
  query: pageQuery.extend({ page_id, provider }),
  failures: OF_PROVIDER,
  reply: page(z.string()),
})

export const searchGitRepositories = route({
  method: 'get',
  path: '/api/v1/git/repositories/search',
  summary: "Search repositories, or list the user's",
  description:
    "Without `query` the user's repositories, the last pushed first; with one those whose name has it, or the one whose address it is. Without `provider` every provider is asked whose token is stored, and the answers are merged with the last pushed first; one that fails is named in `missing`, and the failure is answered when all do.",
  tag,
  query: z.object({
    provider: gitProvider
      .nullish()
      .describe('Git provider to ask; 401 when no token of it is stored. Absent is every provider with a token.'),
    query: lineText(500).nullish().describe('Text that the name has, or the address of a repository.'),
    installation_id: lineText(200)
      .nullish()
      .describe('Only repositories of this installation, workspace or project; ignored without a provider.'),
    page_id,
    limit: z.int().min(1).max(100).default(100).describe('How many repositories of each provider a page has at most.'),
    sort_order: z
      .enum(SORT_ORDERS)
      .nullish()
      .describe('Order of what `query` finds, where the provider has it; absent is `stars-desc`. 400 without `query`.'),
  }),
  failures: [...OF_PROVIDER, 'not_found'],
  reply: page(gitRepository).extend({ missing }),
})

export const searchGitBranches = route({
  method: 'get',
  path: '/api/v1/git/branches/search',
  summary: 'Search branches of a repository, or list them',
  description:
    'With an empty `query` all branches, in the order of the provider; 404 for a repository that the token does not show.',
  tag,
  query: z.object({
    provider,
    repository: lineText(500).describe('Repository, as `owner/name`.'),
    query: lineText(300).default('').describe("Text that the branch's name has; empty lists all."),
    page_id,
    limit: of30,
  }),
  failures: [...OF_PROVIDER, 'not_found'],
  reply: page(gitBranch),
})

export const searchSuggestedTasks = route({
  method: 'get',
  path: '/api/v1/git/suggested-tasks/search',
  summary: 'What could be done next in the user’s repositories',
  description:
    "Of the newest 50 open pull requests of the user at each provider those with conflicts, failing checks or unresolved comments, and the 50 newest open issues that are assigned to the user. A provider that fails is named in `missing`; the failure is answered when all do. Bitbucket Cloud is not asked: its API does not list a user's pull requests across repositories.",
  tag,
  query: z.object({ page_id, limit: of30 }),
  failures: OF_PROVIDER,
  reply: page(promptedTask).extend({ missing }),
})
