import { z } from 'zod'
import { dateTime } from '../contract/page.ts'
import { route } from '../contract/route.ts'
import { gitProvider } from '../v1/conversation/conversations.ts'
import { suggestedTask } from './conversations.ts'

const tag = 'Git data of the user'
const provider = gitProvider.nullish()

export const gitUser = z.object({
  id: z.string().describe('Id of the user at the provider.'),
  login: z.string().describe('Name by which the user signs in.'),
  avatar_url: z.string().describe("Address of the user's picture."),
  company: z.string().nullable().describe('Company of the user; null when none is given.'),
  name: z.string().nullable().describe('Full name of the user; null when none is given.'),
  email: z.string().nullable().describe('Address of the user; null when it is not shown.'),
})

export const gitRepository = z.object({
  id: z.string().describe('Id of the repository at the provider.'),
  full_name: z.string().describe('Name of the repository, as `owner/name`.'),
  git_provider: gitProvider.describe('Where the repository lies.'),
  is_public: z.boolean().describe('Whether everybody can read it.'),
  stargazers_count: z
    .int()
    .nullable()
    .describe('How many people have starred it; null when the provider does not say.'),
  link_header: z.string().nullable().describe("The provider's own links to further pages; null for none."),
  pushed_at: z.string().nullable().describe('When something was last pushed; null when the provider does not say.'),
  owner_type: z
    .enum(['user', 'organization'])
    .nullable()
    .describe('Whether it belongs to a person or an organization; null when the provider does not say.'),
  main_branch: z.string().nullable().describe('Name of the default branch; null when the provider does not say.'),
})

export const gitBranch = z.object({
  name: z.string().describe('Name of the branch.'),
  commit_sha: z.string().describe('Hash of its newest commit.'),
  protected: z.boolean().describe('Whether the provider protects it against changes.'),
  last_push_date: z
    .string()
    .nullable()
    .describe('When something was last pushed to it; null when the provider does not say.'),
})

export const getUserInfo = route({
  method: 'get',
  path: '/api/user/info',
  summary: 'The user at the first git provider that answers',
  description: 'Kept for clients: git providers are not asked for this yet. 401 without a stored token, 501 with one.',
  tag,
  failures: ['unauthorized', 'not_supported'],
  reply: gitUser,
})

export const getInstallations = route({
  method: 'get',
  path: '/api/user/installations',
  summary: 'Installations or workspaces at a git provider',
  description: 'Kept for clients: git providers are not asked for this yet. 401 without a stored token, 501 with one.',
  tag,
  query: z.object({ provider: gitProvider.describe('Git provider to ask.') }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.array(z.string()),
})

export const getRepositories = route({
  method: 'get',
  path: '/api/user/repositories',
  summary: "The user's repositories",
  description: 'Kept for clients: git providers are not asked for this yet. 401 without a stored token, 501 with one.',
  tag,
  query: z.object({
    sort: z.string().default('pushed').describe("What they are sorted by, in the provider's words."),
    selected_provider: provider.describe('Git provider to ask; absent is the first that a token is stored for.'),
    page: z.int().nullish().describe('Page to read, from 1.'),
    per_page: z.int().nullish().describe('How many a page has at most.'),
    installation_id: z.string().nullish().describe('Only repositories of this installation or workspace.'),
  }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.array(gitRepository),
})

export const searchRepositories = route({
  method: 'get',
  path: '/api/user/search/repositories',
  summary: 'Search repositories',
  description: 'Kept for clients: git providers are not asked for this yet. 401 without a stored token, 501 with one.',
  tag,
  query: z.object({
    query: z.string().describe('Text that the name has, or the address of a repository.'),
    per_page: z.int().default(5).describe('How many to list at most.'),
    sort: z.string().default('stars').describe("What they are sorted by, in the provider's words."),
    order: z.string().default('desc').describe('`asc` or `desc`.'),
    selected_provider: provider.describe('Git provider to ask; absent is the first that a token is stored for.'),
  }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.array(gitRepository),
})

export const searchBranches = route({
  method: 'get',
  path: '/api/user/search/branches',
  summary: 'Search branches of a repository',
  description: 'Kept for clients: git providers are not asked for this yet. 401 without a stored token, 501 with one.',
  tag,
  query: z.object({
    repository: z.string().describe('Repository, as `owner/name`.'),
    query: z.string().describe("Text that the branch's name has."),
    per_page: z.int().default(30).describe('How many to list at most.'),
    selected_provider: provider.describe('Git provider to ask; absent is the first that a token is stored for.'),
  }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.array(gitBranch),
})

export const getBranches = route({
  method: 'get',
  path: '/api/user/repository/branches',
  summary: 'Branches of a repository',
  description: 'Kept for clients: git providers are not asked for this yet. 401 without a stored token, 501 with one.',
  tag,
  query: z.object({
    repository: z.string().describe('Repository, as `owner/name`.'),
    page: z.int().default(1).describe('Page to read, from 1.'),
    per_page: z.int().default(30).describe('How many a page has at most.'),
  }),
  failures: ['unauthorized', 'not_supported'],
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
  description: 'Kept for clients: git providers are not asked for this yet. 401 without a stored token, 501 with one.',
  tag,
  failures: ['unauthorized', 'not_supported'],
  reply: z.array(suggestedTask),
})

const repositoryParams = z.object({
  owner: z.string().describe('Owner of the repository.'),
  repository: z.string().describe('Name of the repository, without its owner.'),
})

export const getRepositoryMicroagents = route({
  method: 'get',
  path: '/api/user/repository/{owner}/{repository}/microagents',
  summary: "A repository's instructions for agents, at its provider",
  description:
    'Kept for clients: git providers are not asked for this yet. The list is empty without a stored token; 501 with one.',
  tag,
  params: repositoryParams,
  failures: ['not_supported'],
  reply: z.array(
    z.object({
      name: z.string().describe('Name of the instructions.'),
      path: z.string().describe("Path of their file from the repository's root."),
      created_at: dateTime.describe('When they were written.'),
    }),
  ),
})

export const getRepositoryMicroagent = route({
  method: 'get',
  path: '/api/user/repository/{owner}/{repository}/microagents/content',
  summary: "One of a repository's instructions for agents",
  description: 'Kept for clients: git providers are not asked for this yet. 404 without a stored token, 501 with one.',
  tag,
  params: repositoryParams,
  query: z.object({ file_path: z.string().describe("Path of the file from the repository's root.") }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.object({
    content: z.string().describe('Text of the instructions.'),
    path: z.string().describe("Path of their file from the repository's root."),
    triggers: z.array(z.string()).describe('Words that bring them in.'),
    git_provider: gitProvider.nullable().describe('Where the repository lies; null when that is not known.'),
  }),
})
