import { z } from 'zod'
import type { GitBranch, GitRepository } from '../../../api/v1/git/data.ts'
import { type Forge, isoDate, type Listed, listed } from '../client/forge.ts'
import { hasNextLink, type ProviderClient } from '../client/provider-client.ts'
import { gitlabMergeRequests } from './merge-requests.ts'
import { suggestedTasks } from './suggested-tasks.ts'

const user = z.object({
  id: z.number(),
  username: z.string(),
  avatar_url: z.string().nullish(),
  organization: z.string().nullish(),
  name: z.string().nullish(),
  email: z.string().nullish(),
})

const project = z.object({
  id: z.number(),
  path_with_namespace: z.string(),
  visibility: z.string().nullish(),
  star_count: z.int().nullish(),
  last_activity_at: z.string().nullish(),
  namespace: z.object({ kind: z.string() }).nullish(),
  default_branch: z.string().nullish(),
})

const branch = z.object({
  name: z.string(),
  protected: z.boolean().nullish(),
  commit: z.object({ id: z.string(), committed_date: z.string().nullish() }),
})

const SEARCH_ORDER: Readonly<Record<string, string>> = { stars: 'star_count', updated: 'last_activity_at' }

/** gitlab.com and installations of one's own: https://docs.gitlab.com/api/rest/ and its GraphQL API. */
export function gitlabForge(client: ProviderClient): Forge {
  const projects = async (query: Record<string, string | number | boolean>) => {
    const { data, headers } = await client.json('/projects', z.array(project), query)
    return pageOf(
      data.map(raw => readProject(raw, client)),
      headers,
    )
  }
  const branches = async (repository: string, query: Record<string, string | number>) => {
    const { data, headers } = await client.json(`${pathOf(repository)}/repository/branches`, z.array(branch), query)
    return pageOf(data.map(toBranch), headers)
  }
  return {
    user: async () => {
      const { id, username, avatar_url, organization, name, email } = (await client.json('/user', user)).data
      return {
        id: String(id),
        login: username,
        avatar_url: avatar_url ?? '',
        company: organization || null,
        name: name ?? null,
        email: email || null,
      }
    },
    repositories: ({ page, perPage }) =>
      projects({ membership: true, order_by: 'last_activity_at', sort: 'desc', page, per_page: perPage }),
    searchRepositories: ({ text, sort, order, page, perPage }) =>
      projects({
        membership: true,
        search: text,
        search_namespaces: text.includes('/'),
        order_by: SEARCH_ORDER[sort] ?? 'last_activity_at',
        sort: order === 'asc' ? 'asc' : 'desc',
        page,
        per_page: perPage,
      }),
    repository: async name => readProject((await client.json(pathOf(name), project)).data, client),
    branches: (repository, { page, perPage }) => branches(repository, { page, per_page: perPage }),
    searchBranches: (repository, text, { page, perPage }) =>
      branches(repository, { search: text, page, per_page: perPage }),
    suggestedTasks: () => suggestedTasks(client),
    folder: async (repository, path) => {
      const entry = z.object({ type: z.string(), name: z.string(), path: z.string() })
      const address = `${pathOf(repository)}/repository/tree`
      const { data } = await client.json(address, z.array(entry), { path, per_page: 100 })
      return data.filter(({ type }) => type === 'blob')
    },
    changedAt: async (repository, path) => {
      const commits = z.array(z.object({ committed_date: z.string() }))
      const address = `${pathOf(repository)}/repository/commits`
      return isoDate((await client.json(address, commits, { path, per_page: 1 })).data[0]?.committed_date)
    },
    file: (repository, path) =>
      client.text(`${pathOf(repository)}/repository/files/${encodeURIComponent(path)}/raw`, { ref: 'HEAD' }),
    pullRequests: gitlabMergeRequests(client),
  }
}

function pathOf(repository: string): string {
  return `/projects/${encodeURIComponent(repository)}`
}

function pageOf<Item>(items: Item[], headers: Headers): Listed<Item> {
  const total = headers.get('x-total')
  const hasNext = hasNextLink(headers) || Boolean(headers.get('x-next-page'))
  return listed(items, hasNext, total !== null && /^\d+$/.test(total) ? Number(total) : null)
}

function readProject(raw: z.output<typeof project>, { name }: ProviderClient): GitRepository {
  return {
    id: String(raw.id),
    full_name: raw.path_with_namespace,
    git_provider: name,
    is_public: raw.visibility === 'public',
    stargazers_count: raw.star_count ?? null,
    link_header: null,
    pushed_at: raw.last_activity_at ?? null,
    owner_type: raw.namespace ? (raw.namespace.kind === 'group' ? 'organization' : 'user') : null,
    main_branch: raw.default_branch ?? null,
  }
}

function toBranch({ name, commit, protected: isProtected }: z.output<typeof branch>): GitBranch {
  return {
    name,
    commit_sha: commit.id,
    protected: isProtected ?? false,
    last_push_date: commit.committed_date ?? null,
  }
}
