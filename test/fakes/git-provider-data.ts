import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { validate } from '@octokit/graphql-schema'

/**
 * Lists of GitHub Enterprise Server and GitLab, in the shapes of https://docs.github.com/en/rest and
 * https://docs.gitlab.com/api, with the fields that a client may read. Bitbucket Cloud's are in bitbucket-cloud.ts.
 */
export interface DataAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export interface DataRequest {
  url: URL
  body: string
  headers: IncomingHttpHeaders
}

type Item = Record<string, unknown>

const SHA = '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d'
const hubRepository = (id: number, name: string, pushed_at: string): Item => ({
  id,
  node_id: `R_${id}`,
  name,
  full_name: `octocat/${name}`,
  owner: { login: 'octocat', id: 1, type: 'User' },
  private: id === 12,
  html_url: `https://github.com/octocat/${name}`,
  description: null,
  fork: false,
  stargazers_count: id,
  default_branch: 'main',
  pushed_at,
})
const labProject = (id: number, path: string, last_activity_at: string): Item => ({
  id,
  name: path.split('/').at(-1),
  path_with_namespace: path,
  visibility: id === 22 ? 'private' : 'public',
  star_count: id,
  last_activity_at,
  default_branch: 'main',
  namespace: { id: 9, kind: 'group', full_path: 'zoo/cats' },
})

const HUB = [
  hubRepository(11, 'hello', '2026-05-01T10:00:00Z'),
  hubRepository(12, 'secret-plans', '2026-04-01T10:00:00Z'),
  hubRepository(13, 'spoon', '2026-01-01T10:00:00Z'),
]
const LAB = [
  labProject(21, 'zoo/cats/tiger', '2026-04-15T10:00:00.000Z'),
  labProject(22, 'zoo/cats/lion', '2026-02-01T10:00:00.000Z'),
]
const BRANCHES = ['main', 'feature/one', 'feature/two']
const AGENT_FILE = '---\ntriggers:\n  - deploy\n---\nUse make deploy.\n'

/** What a list of the API answers; undefined for a path that it does not have. */
export function answerData({ url, body, headers }: DataRequest): DataAnswer | undefined {
  const found = url.pathname === '/api/graphql' ? graphql(JSON.parse(body)) : (hub(url) ?? lab(url))
  if (found === undefined) return undefined
  if (typeof found === 'string') return { status: 200, headers: { 'content-type': 'text/plain' }, body: found }
  const { items, whole } = Array.isArray(found) ? { items: found, whole: null } : { items: null, whole: found }
  const page = items && pageOf(items, url)
  const text = JSON.stringify(page ? page.items : whole)
  const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`
  if (headers['if-none-match'] === etag) return { status: 304, headers: { etag }, body: '' }
  return { status: 200, headers: { 'content-type': 'application/json', etag, ...page?.headers }, body: text }
}

function pageOf(items: Item[], url: URL): { items: Item[]; headers: Record<string, string> } {
  const page = Number(url.searchParams.get('page') ?? 1)
  const size = Number(url.searchParams.get('per_page') ?? 20)
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  const hasNext = page * size < items.length
  return {
    items: items.slice((page - 1) * size, page * size),
    headers: { 'x-total': String(items.length), ...(hasNext && { link: `<${next.href}>; rel="next"` }) },
  }
}

function hub({ pathname, searchParams }: URL): Item[] | Item | string | undefined {
  const path = pathname.startsWith('/api/v3') ? pathname.slice('/api/v3'.length) : ''
  if (path === '/user/repos') return HUB
  if (path === '/user/orgs') return [{ login: 'github', id: 9 }]
  if (path === '/user/installations')
    return { total_count: 1, installations: [{ id: 77, account: { login: 'octocat' } }] }
  if (path === '/user/installations/77/repositories') return { total_count: 1, repositories: [HUB[0]] }
  if (path === '/search/repositories') {
    const text = (searchParams.get('q') ?? '').split(' ')[0] ?? ''
    const items = HUB.filter(({ name }) => String(name).includes(text))
    return { total_count: items.length, incomplete_results: false, items }
  }
  if (path === '/repos/octocat/renamed') return undefined
  const [, name, rest = ''] = /^\/repos\/octocat\/([\w.-]+)(\/.*)?$/.exec(path) ?? []
  const repository = HUB.find(known => known.name === name)
  if (!repository) return undefined
  if (rest === '') return repository
  if (rest === '/branches')
    return BRANCHES.map(name => ({ name, commit: { sha: SHA, url: '' }, protected: name === 'main' }))
  if (rest === '/contents/') return [{ type: 'file', name: '.cursorrules', path: '.cursorrules' }]
  if (rest === '/contents/.openhands/microagents') {
    return ['deploy.md', 'README.md'].map(name => ({ type: 'file', name, path: `.openhands/microagents/${name}` }))
  }
  if (rest === '/contents/.openhands/microagents/deploy.md') return AGENT_FILE
  if (rest === '/commits') return [{ sha: SHA, commit: { committer: { date: '2026-03-01T08:00:00Z' } } }]
  return undefined
}

function lab({ pathname, searchParams }: URL): Item[] | Item | string | undefined {
  const path = pathname.startsWith('/api/v4') ? pathname.slice('/api/v4'.length) : ''
  if (path === '/projects') {
    return LAB.filter(({ name }) => String(name).includes(searchParams.get('search') ?? ''))
  }
  if (path === '/issues') return [{ iid: 5, title: 'It roars', references: { full: 'zoo/cats/tiger#5' } }]
  const [, encoded, rest = ''] = /^\/projects\/([^/]+)(\/.*)?$/.exec(path) ?? []
  const project = LAB.find(known => known.path_with_namespace === decodeURIComponent(encoded ?? ''))
  if (!project) return undefined
  if (rest === '') return project
  if (rest === '/repository/branches') {
    return BRANCHES.filter(name => name.includes(searchParams.get('search') ?? '')).map(name => ({
      name,
      protected: name === 'main',
      commit: { id: SHA, committed_date: '2026-03-02T08:00:00.000+00:00' },
    }))
  }
  if (rest === '/repository/tree' && searchParams.get('path') === '.openhands/microagents') {
    return [{ type: 'blob', name: 'deploy.md', path: '.openhands/microagents/deploy.md' }]
  }
  if (rest === '/repository/tree') return searchParams.get('path') === '' ? [] : undefined
  if (rest === '/repository/commits') return [{ id: SHA, committed_date: '2026-03-02T08:00:00.000+00:00' }]
  if (rest === `/repository/files/${encodeURIComponent('.openhands/microagents/deploy.md')}/raw`) return AGENT_FILE
  return undefined
}

const hubRequest = (number: number, title: string, fields: Item): Item => ({
  number,
  title,
  mergeable: 'MERGEABLE',
  reviewDecision: null,
  repository: { nameWithOwner: 'octocat/hello' },
  commits: { nodes: [{ commit: { statusCheckRollup: { state: 'SUCCESS' } } }] },
  reviewThreads: { nodes: [] },
  ...fields,
})
const labRequest = (iid: string, title: string, fields: Item): Item => ({
  iid,
  title,
  conflicts: false,
  project: { fullPath: 'zoo/cats/tiger' },
  headPipeline: { status: 'SUCCESS' },
  resolvableDiscussionsCount: 2,
  resolvedDiscussionsCount: 2,
  ...fields,
})

function graphql({ query, variables }: { query: string; variables: Record<string, unknown> }): Item {
  if (query.includes('currentUser')) {
    const nodes = [
      labRequest('1', 'Conflicting', { conflicts: true }),
      labRequest('2', 'Failing', { headPipeline: { status: 'FAILED' } }),
      labRequest('3', 'Discussed', { resolvableDiscussionsCount: 3 }),
      labRequest('4', 'Done', {}),
    ]
    return { data: { currentUser: { authoredMergeRequests: { nodes } } } }
  }
  const problems = validate(query)
  if (problems.length > 0) return { errors: problems.map(({ message }) => ({ message })) }
  if (query.includes('viewer')) {
    const nodes = [
      hubRequest(1, 'Conflicting', { mergeable: 'CONFLICTING' }),
      hubRequest(2, 'Failing', { commits: { nodes: [{ commit: { statusCheckRollup: { state: 'FAILURE' } } }] } }),
      hubRequest(3, 'Discussed', { reviewThreads: { nodes: [{ isResolved: true }, { isResolved: false }] } }),
      hubRequest(4, 'Done', {}),
      null,
    ] as Item[]
    const issues = [{ number: 9, title: 'It is slow', repository: { nameWithOwner: 'octocat/spoon' } }, {}]
    return { data: { viewer: { pullRequests: { nodes } }, issues: { nodes: issues } } }
  }
  if (variables.owner !== 'octocat' || !HUB.some(({ name }) => name === variables.name)) {
    return { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message: 'Could not resolve to a Repository' }] }
  }
  const found = BRANCHES.filter(name => name.includes(String(variables.text)))
  const nodes = found.slice(0, Number(variables.first)).map(name => ({
    name,
    target: { oid: SHA, committedDate: '2026-03-01T08:00:00Z' },
    branchProtectionRule: null,
  }))
  return { data: { repository: { refs: { totalCount: found.length, nodes } } } }
}
