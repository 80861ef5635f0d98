import { z } from 'zod'
import type { GitBranch, GitRepository } from '../../../api/v1/git/data.ts'
import { isAppError } from '../../../domain/errors.ts'
import { bySlash, type Forge, isoDate, type Listed, listed, type PageNumber } from '../client/forge.ts'
import type { ProviderClient, Query } from '../client/provider-client.ts'
import { bitbucketPullRequests } from './pull-requests.ts'

const user = z.object({
  uuid: z.string(),
  display_name: z.string().nullish(),
  username: z.string().nullish(),
  nickname: z.string().nullish(),
  links: z.object({ avatar: z.object({ href: z.string() }).nullish() }).nullish(),
})

const repository = z.object({
  uuid: z.string(),
  full_name: z.string(),
  is_private: z.boolean(),
  updated_on: z.string().nullish(),
  owner: z.object({ type: z.string() }).nullish(),
  mainbranch: z.object({ name: z.string() }).nullish(),
})

const branch = z.object({ name: z.string(), target: z.object({ hash: z.string(), date: z.string().nullish() }) })

/** A list of workspaces names them directly, one of the user's accesses in a field. */
const workspace = z.union([
  z.object({ workspace: z.object({ slug: z.string() }) }).transform(access => access.workspace.slug),
  z.object({ slug: z.string() }).transform(({ slug }) => slug),
])

/** Repositories lie in workspaces, each of which is asked. */
const MAX_WORKSPACES = 20

/** Bitbucket Cloud: https://developer.atlassian.com/cloud/bitbucket/rest/. */
export function bitbucketForge(client: ProviderClient): Forge {
  const page = async <T>(path: string, item: z.ZodType<T>, { page, perPage }: PageNumber, query: Query = {}) => {
    const reply = z.object({ values: z.array(item), next: z.string().nullish(), size: z.int().nullish() })
    const { data } = await client.json(path, reply, { ...query, page, pagelen: perPage })
    return listed(data.values, Boolean(data.next), data.size ?? null)
  }
  const workspaces = async (asked: PageNumber) => {
    try {
      return await page('/user/workspaces', workspace, asked)
    } catch (error) {
      // Where the newer list is not served.
      if (isAppError(error, 'not_found')) return page('/workspaces', workspace, asked)
      throw error
    }
  }
  const inWorkspaces = async (asked: PageNumber, installation: string | null, query: Query) => {
    const slugs = installation ? [installation] : (await workspaces({ page: 1, perPage: MAX_WORKSPACES })).items
    const share = { page: asked.page, perPage: Math.max(1, Math.floor(asked.perPage / Math.max(1, slugs.length))) }
    const pages = await Promise.all(
      slugs.map(slug =>
        page(`/repositories/${encodeURIComponent(slug)}`, repository, share, { role: 'member', ...query }),
      ),
    )
    const items = pages.flatMap(({ items }) => items.map(raw => readRepository(raw, client)))
    return listed(
      items,
      pages.some(({ hasNext }) => hasNext),
    )
  }
  const branches = async (name: string, asked: PageNumber, query: Query): Promise<Listed<GitBranch>> => {
    const found = await page(`/repositories/${bySlash(name)}/refs/branches`, branch, asked, query)
    return { ...found, items: found.items.map(toBranch) }
  }
  const source = (name: string, path: string) => `/repositories/${bySlash(name)}/src/HEAD/${bySlash(path)}`
  return {
    user: async () => {
      const raw = (await client.json('/user', user)).data
      return {
        id: raw.uuid,
        login: raw.username ?? raw.nickname ?? raw.uuid,
        avatar_url: raw.links?.avatar?.href ?? '',
        company: null,
        name: raw.display_name ?? null,
        email: null,
      }
    },
    installations: workspaces,
    repositories: ({ installation, ...asked }) => inWorkspaces(asked, installation, { sort: '-updated_on' }),
    searchRepositories: ({ text, order, ...asked }) => {
      const [slug, rest] = text.includes('/') ? text.split('/', 2) : [null, text]
      const sort = order === 'asc' ? 'updated_on' : '-updated_on'
      return inWorkspaces(asked, slug || null, { q: `name ~ ${quoted(rest ?? '')}`, sort })
    },
    repository: async name =>
      readRepository((await client.json(`/repositories/${bySlash(name)}`, repository)).data, client),
    branches: (name, asked) => branches(name, asked, { sort: '-target.date' }),
    searchBranches: (name, text, asked) => branches(name, asked, { q: `name ~ ${quoted(text)}`, sort: '-target.date' }),
    // The API lists pull requests by repository alone.
    suggestedTasks: async () => [],
    folder: async (name, path) => {
      const entry = z.object({ type: z.string(), path: z.string() })
      const { items } = await page(`${source(name, path)}/`, entry, { page: 1, perPage: 100 })
      return items.flatMap(({ type, path }) =>
        type === 'commit_file' ? [{ path, name: path.split('/').at(-1) ?? path }] : [],
      )
    },
    changedAt: async (name, path) => {
      const commit = z.object({ date: z.string() })
      const asked = { page: 1, perPage: 1 }
      return isoDate((await page(`/repositories/${bySlash(name)}/commits`, commit, asked, { path })).items[0]?.date)
    },
    file: (name, path) => client.text(source(name, path)),
    pullRequests: bitbucketPullRequests(client),
  }
}

/** A text of Bitbucket's query language. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

function readRepository(raw: z.output<typeof repository>, { name }: ProviderClient): GitRepository {
  return {
    id: raw.uuid,
    full_name: raw.full_name,
    git_provider: name,
    is_public: !raw.is_private,
    stargazers_count: null,
    link_header: null,
    pushed_at: raw.updated_on ?? null,
    owner_type: raw.owner ? (raw.owner.type === 'user' ? 'user' : 'organization') : null,
    main_branch: raw.mainbranch?.name ?? null,
  }
}

function toBranch({ name, target }: z.output<typeof branch>): GitBranch {
  return { name, commit_sha: target.hash, protected: false, last_push_date: target.date ?? null }
}
