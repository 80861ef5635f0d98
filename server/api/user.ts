import { z } from 'zod'
import { gitProvider } from './app-conversations.ts'
import { suggestedTask } from './conversations.ts'
import { dateTime } from './page.ts'
import { route } from './route.ts'

const tag = 'Git data of the user'
const provider = gitProvider.nullish()

export const gitUser = z.object({
  id: z.string(),
  login: z.string(),
  avatar_url: z.string(),
  company: z.string().nullable(),
  name: z.string().nullable(),
  email: z.string().nullable(),
})

export const gitRepository = z.object({
  id: z.string(),
  full_name: z.string(),
  git_provider: gitProvider,
  is_public: z.boolean(),
  stargazers_count: z.int().nullable(),
  link_header: z.string().nullable(),
  pushed_at: z.string().nullable(),
  owner_type: z.enum(['user', 'organization']).nullable(),
  main_branch: z.string().nullable(),
})

export const gitBranch = z.object({
  name: z.string(),
  commit_sha: z.string(),
  protected: z.boolean(),
  last_push_date: z.string().nullable(),
})

export const getUserInfo = route({
  method: 'get',
  path: '/api/user/info',
  summary: 'The user at the first git provider that answers',
  tag,
  failures: ['unauthorized', 'not_supported'],
  reply: gitUser,
})

export const getInstallations = route({
  method: 'get',
  path: '/api/user/installations',
  summary: 'Installations or workspaces at a git provider',
  tag,
  query: z.object({ provider: gitProvider }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.array(z.string()),
})

export const getRepositories = route({
  method: 'get',
  path: '/api/user/repositories',
  summary: "The user's repositories",
  tag,
  query: z.object({
    sort: z.string().default('pushed'),
    selected_provider: provider,
    page: z.int().nullish(),
    per_page: z.int().nullish(),
    installation_id: z.string().nullish(),
  }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.array(gitRepository),
})

export const searchRepositories = route({
  method: 'get',
  path: '/api/user/search/repositories',
  summary: 'Search repositories',
  tag,
  query: z.object({
    query: z.string(),
    per_page: z.int().default(5),
    sort: z.string().default('stars'),
    order: z.string().default('desc'),
    selected_provider: provider,
  }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.array(gitRepository),
})

export const searchBranches = route({
  method: 'get',
  path: '/api/user/search/branches',
  summary: 'Search branches of a repository',
  tag,
  query: z.object({
    repository: z.string(),
    query: z.string(),
    per_page: z.int().default(30),
    selected_provider: provider,
  }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.array(gitBranch),
})

export const getBranches = route({
  method: 'get',
  path: '/api/user/repository/branches',
  summary: 'Branches of a repository',
  tag,
  query: z.object({ repository: z.string(), page: z.int().default(1), per_page: z.int().default(30) }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.object({
    branches: z.array(gitBranch),
    has_next_page: z.boolean(),
    current_page: z.int(),
    per_page: z.int(),
    total_count: z.int().nullable(),
  }),
})

export const getSuggestedTasks = route({
  method: 'get',
  path: '/api/user/suggested-tasks',
  summary: 'What could be done next in the user’s repositories',
  tag,
  failures: ['unauthorized', 'not_supported'],
  reply: z.array(suggestedTask),
})

const repositoryParams = z.object({ owner: z.string(), repository: z.string() })

export const getRepositoryMicroagents = route({
  method: 'get',
  path: '/api/user/repository/{owner}/{repository}/microagents',
  summary: "A repository's instructions for agents, at its provider",
  tag,
  params: repositoryParams,
  failures: ['not_supported'],
  reply: z.array(z.object({ name: z.string(), path: z.string(), created_at: dateTime })),
})

export const getRepositoryMicroagent = route({
  method: 'get',
  path: '/api/user/repository/{owner}/{repository}/microagents/content',
  summary: "One of a repository's instructions for agents",
  tag,
  params: repositoryParams,
  query: z.object({ file_path: z.string() }),
  failures: ['unauthorized', 'not_supported'],
  reply: z.object({
    content: z.string(),
    path: z.string(),
    triggers: z.array(z.string()),
    git_provider: gitProvider.nullable(),
  }),
})
