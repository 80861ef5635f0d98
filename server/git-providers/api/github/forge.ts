import { z } from 'zod'
import type { GitBranch, GitRepository } from '../../../api/v1/git/data.ts'
import { baseOf } from '../../provider.ts'
import { bySlash, type Forge, isoDate, listed, type RepositorySearch } from '../client/forge.ts'
import { hasNextLink, type ProviderClient } from '../client/provider-client.ts'
import { githubPullRequests } from './pull-requests.ts'
import { suggestedTasks } from './suggested-tasks.ts'

const user = z.object({
  id: z.number(),
  login: z.string(),
  avatar_url: z.string().nullish(),
  company: z.string().nullish(),
  name: z.string().nullish(),
  email: z.string().nullish(),
})

const repository = z.object({
  id: z.number(),
  full_name: z.string(),
  private: z.boolean(),
  stargazers_count: z.int().nullish(),
  pushed_at: z.string().nullish(),
  owner: z.object({ type: z.string().nullish() }).nullish(),
  default_branch: z.string().nullish(),
})

const branch = z.object({
  name: z.string(),
  commit: z.object({ sha: z.string() }),
  protected: z.boolean().nullish(),
})

const foundBranches = z.object({
  data: z.object({
    repository: z
      .object({
        refs: z
          .object({
            totalCount: z.int(),
            nodes: z.array(
              z.object({
                name: z.string(),
                target: z.object({ oid: z.string(), committedDate: z.string().nullish() }),
                branchProtectionRule: z.object({ id: z.string() }).nullish(),
              }),
            ),
          })
          .nullable(),
      })
      .nullable(),
  }),
})

const BRANCH_SEARCH = `query($owner: String!, $name: String!, $text: String!, $first: Int!) {
  repository(owner: $owner, name: $name) {
    refs(refPrefix: "refs/heads/", query: $text, first: $first) {
      totalCount
      nodes { name target { oid ... on Commit { committedDate } } branchProtectionRule { id } }
    }
  }
}`

/** What GraphQL lists in one page, and the longest search text that GitHub takes. */
const MAX_FOUND = 100
const MAX_SEARCH_TEXT = 256

/** github.com and GitHub Enterprise Server: https://docs.github.com/en/rest and its GraphQL API. */
export function githubForge(client: ProviderClient): Forge {
  const graphql = graphqlOf(client.origin)
  const me = async () => (await client.json('/user', user)).data
  const found = async ({ text, sort, order, page, perPage }: RepositorySearch) => {
    const { login } = await me()
    const organizations = (
      await client.json('/user/orgs', z.array(z.object({ login: z.string() })), { per_page: MAX_FOUND })
    ).data
    const q = searchText(text, [login, ...organizations.map(organization => organization.login)])
    const { data, headers } = await client.json(
      '/search/repositories',
      z.object({ total_count: z.int(), items: z.array(repository) }),
      { q, sort, order, page, per_page: perPage },
    )
    return listed(data.items.map(toRepository), hasNextLink(headers), data.total_count)
  }
  const toRepository = (raw: z.output<typeof repository>) => readRepository(raw, client)
  return {
    user: async () => {
      const { id, login, avatar_url, company, name, email } = await me()
      return {
        id: String(id),
        login,
        avatar_url: avatar_url ?? '',
        company: company ?? null,
        name: name ?? null,
        email: email ?? null,
      }
    },
    installations: async ({ page, perPage }) => {
      const reply = z.object({ total_count: z.int(), installations: z.array(z.object({ id: z.number() })) })
      const { data, headers } = await client.json('/user/installations', reply, { page, per_page: perPage })
      const ids = data.installations.map(({ id }) => String(id))
      return listed(ids, hasNextLink(headers), data.total_count)
    },
    repositories: async ({ page, perPage, sort, installation }) => {
      const query = { page, per_page: perPage }
      if (installation !== null) {
        const path = `/user/installations/${encodeURIComponent(installation)}/repositories`
        const { data, headers } = await client.json(path, z.object({ repositories: z.array(repository) }), query)
        return listed(data.repositories.map(toRepository), hasNextLink(headers))
      }
      const { data, headers } = await client.json('/user/repos', z.array(repository), { ...query, sort })
      return listed(data.map(toRepository), hasNextLink(headers))
    },
    searchRepositories: found,
    repository: async name => toRepository((await client.json(`/repos/${bySlash(name)}`, repository)).data),
    branches: async (name, { page, perPage }) => {
      const path = `/repos/${bySlash(name)}/branches`
      const { data, headers } = await client.json(path, z.array(branch), { page, per_page: perPage })
      return listed(data.map(toBranch), hasNextLink(headers))
    },
    searchBranches: async (repositoryName, text, { page, perPage }) => {
      const [owner = '', name = ''] = repositoryName.split('/')
      const start = (page - 1) * perPage
      if (start >= MAX_FOUND) return listed([], false)
      const variables = { owner, name, text, first: Math.min(start + perPage, MAX_FOUND) }
      const { data } = await client.graphql(graphql, BRANCH_SEARCH, variables, foundBranches)
      // GraphQL has no status for it: the answer of REST tells a repository that is not there.
      if (!data.repository) await client.json(`/repos/${bySlash(repositoryName)}`, repository)
      const refs = data.repository?.refs ?? { totalCount: 0, nodes: [] }
      const items = refs.nodes.slice(start).map(({ name, target, branchProtectionRule }) => ({
        name,
        commit_sha: target.oid,
        protected: Boolean(branchProtectionRule),
        last_push_date: target.committedDate ?? null,
      }))
      return listed(items, start + perPage < Math.min(refs.totalCount, MAX_FOUND), refs.totalCount)
    },
    suggestedTasks: () => suggestedTasks(client, graphql),
    folder: async (name, path) => {
      const entry = z.object({ type: z.string(), name: z.string(), path: z.string() })
      const address = `/repos/${bySlash(name)}/contents/${bySlash(path)}`
      const { data } = await client.json(address, z.array(entry))
      return data.filter(({ type }) => type === 'file').slice(0, MAX_FOUND)
    },
    changedAt: async (name, path) => {
      const commits = z.array(z.object({ commit: z.object({ committer: z.object({ date: z.string() }).nullish() }) }))
      const { data } = await client.json(`/repos/${bySlash(name)}/commits`, commits, { path, per_page: 1 })
      return isoDate(data[0]?.commit.committer?.date)
    },
    file: (name, path) =>
      client.text(`/repos/${bySlash(name)}/contents/${bySlash(path)}`, {}, 'application/vnd.github.raw+json'),
    pullRequests: githubPullRequests(client, graphql),
  }
}

function graphqlOf(origin: URL): string {
  return origin.host === 'github.com' ? 'https://api.github.com/graphql' : `${baseOf(origin)}/api/graphql`
}

function readRepository(raw: z.output<typeof repository>, { name }: ProviderClient): GitRepository {
  return {
    id: String(raw.id),
    full_name: raw.full_name,
    git_provider: name,
    is_public: !raw.private,
    stargazers_count: raw.stargazers_count ?? null,
    link_header: null,
    pushed_at: raw.pushed_at ?? null,
    owner_type: raw.owner?.type ? (raw.owner.type === 'Organization' ? 'organization' : 'user') : null,
    main_branch: raw.default_branch ?? null,
  }
}

function toBranch({ name, commit, protected: isProtected }: z.output<typeof branch>): GitBranch {
  return { name, commit_sha: commit.sha, protected: isProtected ?? false, last_push_date: null }
}

/** Names among the owners' repositories; `owner/part` names the owner. What GitHub would take for a qualifier is taken out. */
function searchText(text: string, owners: readonly string[]): string {
  const slash = text.indexOf('/')
  const named = slash > 0 ? [text.slice(0, slash)] : owners
  const words = wordsIn(slash > 0 ? text.slice(slash + 1) : text)
  let q = `${words} in:name fork:true`.trim().slice(0, MAX_SEARCH_TEXT)
  for (const owner of named.map(wordsIn)) {
    const longer = `${q} user:${owner}`
    if (owner !== '' && longer.length <= MAX_SEARCH_TEXT) q = longer
  }
  return q
}

function wordsIn(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}._-]+/gu, ' ').trim()
}
