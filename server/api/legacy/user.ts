import { z } from 'zod'
import { dateTime } from '../contract/page.ts'
import { route } from '../contract/route.ts'
import { lineText } from '../input-text.ts'
import { gitProvider } from '../v1/conversation/conversations.ts'
import { gitBranch, gitRepository, gitUser, suggestedTask } from '../v1/git/data.ts'
import { OF_PROVIDER } from '../v1/git/routes.ts'

const tag = 'Git data of the user'
const provider = gitProvider
  .nullish()
  .describe('Git provider to ask; absent is every provider that a token is stored for.')
const perPage = (absent: number) => z.int().min(1).max(100).default(absent).describe('How many a page has at most.')
const repository = lineText(500).describe('Repository, as `owner/name`.')

export const getUserInfo = route({
  method: 'get',
  path: '/api/user/info',
  summary: 'The user at the first git provider that answers',
  description:
    'Asks the providers whose tokens are stored until one answers. When none does, the failure of the first is answered. 401 without a stored token.',
  tag,
  failures: OF_PROVIDER,
  reply: gitUser,
})

export const getInstallations = route({
  method: 'get',
  path: '/api/user/installations',
  summary: 'Installations or workspaces at a git provider',
  description:
    'Ids of the installations of GitHub Apps, names of the workspaces of Bitbucket Cloud, or keys of the projects of Bitbucket Data Center: the first 1000. 400 for GitLab, which has none; 401 without a stored token.',
  tag,
  query: z.object({ provider: gitProvider.describe('Git provider to ask.') }),
  failures: OF_PROVIDER,
  reply: z.array(z.string()),
})

export const getRepositories = route({
  method: 'get',
  path: '/api/user/repositories',
  summary: "The user's repositories",
  description:
    'With `page` or `per_page` one page of each provider that is asked; `link_header` of its first repository then names the next page. Otherwise up to 1000 repositories of each. A provider that fails is left out and logged; the failure is answered when all do. 401 without a stored token.',
  tag,
  query: z.object({
    sort: z.string().default('pushed').describe("What they are sorted by, in the provider's words."),
    selected_provider: provider,
    page: z.int().min(1).max(10_000).nullish().describe('Page to read, from 1.'),
    per_page: z.int().min(1).max(10_000).nullish().describe('How many a page has at most.'),
    installation_id: lineText(200).nullish().describe('Only repositories of this installation or workspace.'),
  }),
  failures: [...OF_PROVIDER, 'not_found'],
  reply: z.array(gitRepository),
})

export const searchRepositories = route({
  method: 'get',
  path: '/api/user/search/repositories',
  summary: 'Search repositories',
  description:
    'Repositories whose name has the text, or the one whose address it is. A provider that fails is left out and logged; the failure is answered when all do. 401 without a stored token.',
  tag,
  query: z.object({
    query: lineText(500).describe('Text that the name has, or the address of a repository.'),
    per_page: perPage(5),
    sort: z.string().default('stars').describe("What they are sorted by, in the provider's words."),
    order: z.string().default('desc').describe('`asc` or `desc`.'),
    selected_provider: provider,
  }),
  failures: OF_PROVIDER,
  reply: z.array(gitRepository),
})

export const searchBranches = route({
  method: 'get',
  path: '/api/user/search/branches',
  summary: 'Search branches of a repository',
  description:
    'Branches whose name has the text. Without `selected_provider` the first provider that has the repository is asked. 401 without a stored token, 404 when no provider has the repository.',
  tag,
  query: z.object({
    repository,
    query: lineText(300).describe("Text that the branch's name has."),
    per_page: perPage(30),
    selected_provider: provider,
  }),
  failures: [...OF_PROVIDER, 'not_found'],
  reply: z.array(gitBranch),
})

export const getBranches = route({
  method: 'get',
  path: '/api/user/repository/branches',
  summary: 'Branches of a repository',
  description:
    'One page of the branches, of the first provider that has the repository. 401 without a stored token, 404 when no provider has the repository.',
  tag,
  query: z.object({
    repository,
    page: z.int().min(1).max(10_000).default(1).describe('Page to read, from 1.'),
    per_page: perPage(30),
  }),
  failures: [...OF_PROVIDER, 'not_found'],
  reply: z.object({
    branches: z.array(gitBranch).describe('Branches of this page.'),
    has_next_page: z.boolean().describe('Whether there is a further page.'),
    current_page: z.int().describe('The page, from 1.'),
    per_page: z.int().describe('How many a page has at most.'),
    total_count: z
      .int()
      .nullable()
      .describe('How many branches there are in all; null when the provider does not say.'),
  }),
})

export const getSuggestedTasks = route({
  method: 'get',
  path: '/api/user/suggested-tasks',
  summary: 'What could be done next in the user’s repositories',
  description:
    'Of the newest 50 open pull requests of the user at each provider those with conflicts, failing checks or unresolved comments, and the 50 newest open issues that are assigned to the user. A provider that fails is left out and logged; the failure is answered when all do. 401 without a stored token.',
  tag,
  failures: OF_PROVIDER,
  reply: z.array(suggestedTask),
})

const repositoryParams = z.object({
  owner: lineText(300).describe('Owner of the repository.'),
  repository: lineText(200).describe('Name of the repository, without its owner.'),
})

export const getRepositoryMicroagents = route({
  method: 'get',
  path: '/api/user/repository/{owner}/{repository}/microagents',
  summary: "A repository's instructions for agents, at its provider",
  description:
    'The files `.cursorrules` and `.openhands/microagents/*.md`; in a repository whose name is `.openhands` or `openhands-config` those in `microagents`. Of the first provider that has the repository. The list is empty without a stored token; 404 when no provider has the repository.',
  tag,
  params: repositoryParams,
  failures: [...OF_PROVIDER.filter(code => code !== 'provider_token_missing'), 'not_found'],
  reply: z.array(
    z.object({
      name: z.string().describe('Name of the instructions.'),
      path: z.string().describe("Path of their file from the repository's root."),
      created_at: dateTime.describe('When their folder was last changed.'),
    }),
  ),
})

export const getRepositoryMicroagent = route({
  method: 'get',
  path: '/api/user/repository/{owner}/{repository}/microagents/content',
  summary: "One of a repository's instructions for agents",
  description:
    'Of the first provider that has the repository. 401 without a stored token, 404 when there is no such repository or file.',
  tag,
  params: repositoryParams,
  query: z.object({ file_path: lineText(1000).describe("Path of the file from the repository's root.") }),
  failures: [...OF_PROVIDER, 'not_found'],
  reply: z.object({
    content: z.string().describe('Text of the instructions.'),
    path: z.string().describe("Path of their file from the repository's root."),
    triggers: z.array(z.string()).describe('Words that bring them in.'),
    git_provider: gitProvider.nullable().describe('Where the repository lies; null when that is not known.'),
  }),
})
