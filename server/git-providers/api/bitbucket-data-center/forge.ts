import { z } from 'zod'
import type { GitBranch, GitRepository, SuggestedTask } from '../../../api/v1/git/data.ts'
import { bySlash, type Forge, isoDate, listed, type PageNumber } from '../client/forge.ts'
import type { ProviderClient, Query } from '../client/provider-client.ts'
import { pathOf } from './path.ts'
import { bitbucketDataCenterPullRequests } from './pull-requests.ts'

const user = z.object({
  id: z.number(),
  slug: z.string(),
  name: z.string(),
  displayName: z.string().nullish(),
  emailAddress: z.string().nullish(),
})

const repository = z.object({
  id: z.number(),
  slug: z.string(),
  public: z.boolean().nullish(),
  project: z.object({ key: z.string(), type: z.string().nullish() }),
})

const branch = z.object({ displayId: z.string(), latestCommit: z.string() })

const pullRequest = z.object({
  id: z.int(),
  title: z.string(),
  toRef: z.object({ repository }),
  reviewers: z.array(z.object({ status: z.string().nullish() })).nullish(),
  properties: z
    .object({
      openTaskCount: z.int().nullish(),
      mergeResult: z.object({ outcome: z.string() }).nullish(),
    })
    .nullish(),
})

/** The header by which every answer names the user of the token. */
const USER_HEADER = 'x-ausername'

/** Bitbucket Data Center, at a host of one's own: https://developer.atlassian.com/server/bitbucket/rest/. */
export function bitbucketDataCenterForge(client: ProviderClient): Forge {
  const page = async <T>(path: string, item: z.ZodType<T>, { page, perPage }: PageNumber, query: Query = {}) => {
    const reply = z.object({ values: z.array(item), isLastPage: z.boolean() })
    const { data } = await client.json(path, reply, { ...query, start: (page - 1) * perPage, limit: perPage })
    return listed(data.values, !data.isLastPage)
  }
  const repositories = async (asked: PageNumber, query: Query) => {
    const found = await page('/repos', repository, asked, query)
    return { ...found, items: found.items.map(raw => readRepository(raw, client)) }
  }
  const branches = async (name: string, asked: PageNumber, query: Query) => {
    const found = await page(`${pathOf(name)}/branches`, branch, asked, { orderBy: 'MODIFICATION', ...query })
    return { ...found, items: found.items.map(toBranch) }
  }
  return {
    user: async () => {
      const { headers } = await client.json('/profile/recent/repos', z.object({}), { limit: 1 })
      const name = headers.get(USER_HEADER)
      if (!name) throw client.unavailable('did not say whose token it is')
      const { data } = await client.json(`/users/${encodeURIComponent(decodeURIComponent(name))}`, user)
      return {
        id: String(data.id),
        login: data.name,
        avatar_url: '',
        company: null,
        name: data.displayName ?? null,
        email: data.emailAddress ?? null,
      }
    },
    installations: async asked => {
      const found = await page('/projects', z.object({ key: z.string() }), asked)
      return { ...found, items: found.items.map(({ key }) => key) }
    },
    // The API has no order by push, and says nothing of it.
    repositories: ({ installation, ...asked }) =>
      repositories(asked, { permission: 'REPO_WRITE', ...(installation && { projectkey: installation }) }),
    searchRepositories: ({ text, ...asked }) => {
      const [project, name = ''] = text.includes('/') ? text.split('/', 2) : [null, text]
      return repositories(asked, { name, ...(project && { projectkey: project }) })
    },
    repository: async name => readRepository((await client.json(pathOf(name), repository)).data, client),
    branches: (name, asked) => branches(name, asked, {}),
    searchBranches: (name, text, asked) => branches(name, asked, { filterText: text }),
    suggestedTasks: async () => {
      const asked = { page: 1, perPage: 50 }
      const query = { role: 'AUTHOR', state: 'OPEN', order: 'NEWEST' }
      const { items } = await page('/dashboard/pull-requests', pullRequest, asked, query)
      return items.flatMap((request): SuggestedTask[] => {
        const task_type = needOf(request)
        const { id, title, toRef } = request
        return task_type
          ? [{ git_provider: client.name, task_type, repo: nameOf(toRef.repository), issue_number: id, title }]
          : []
      })
    },
    folder: async (name, path) => {
      const entry = z.object({ type: z.string(), path: z.object({ name: z.string() }) })
      const reply = z.object({ children: z.object({ values: z.array(entry) }) })
      const { data } = await client.json(`${pathOf(name)}/browse/${bySlash(path)}`, reply, { limit: 100 })
      return data.children.values.flatMap(({ type, path: { name } }) =>
        type === 'FILE' ? [{ name, path: path === '' ? name : `${path}/${name}` }] : [],
      )
    },
    changedAt: async (name, path) => {
      const commit = z.object({ committerTimestamp: z.number() })
      const { items } = await page(`${pathOf(name)}/commits`, commit, { page: 1, perPage: 1 }, path ? { path } : {})
      return isoDate(items[0]?.committerTimestamp)
    },
    file: (name, path) => client.text(`${pathOf(name)}/raw/${bySlash(path)}`),
    pullRequests: bitbucketDataCenterPullRequests(client),
  }
}

function nameOf({ project, slug }: z.output<typeof repository>): string {
  return `${project.key}/${slug}`
}

function readRepository(raw: z.output<typeof repository>, { name }: ProviderClient): GitRepository {
  return {
    id: String(raw.id),
    full_name: nameOf(raw),
    git_provider: name,
    is_public: raw.public ?? false,
    stargazers_count: null,
    link_header: null,
    pushed_at: null,
    owner_type: raw.project.type ? (raw.project.type === 'PERSONAL' ? 'user' : 'organization') : null,
    main_branch: null,
  }
}

function toBranch({ displayId, latestCommit }: z.output<typeof branch>): GitBranch {
  return { name: displayId, commit_sha: latestCommit, protected: false, last_push_date: null }
}

function needOf({ properties, reviewers }: z.output<typeof pullRequest>): SuggestedTask['task_type'] {
  if (properties?.mergeResult?.outcome === 'CONFLICTED') return 'MERGE_CONFLICTS'
  const isObjectedTo = reviewers?.some(({ status }) => status === 'NEEDS_WORK')
  return isObjectedTo || (properties?.openTaskCount ?? 0) > 0 ? 'UNRESOLVED_COMMENTS' : null
}
