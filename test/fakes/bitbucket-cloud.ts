import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeBitbucketCloud {
  /** A `fetch` that finds it at https://api.bitbucket.org. */
  fetch: typeof globalThis.fetch
  paths: string[]
  authorizations: Set<string>
  close(): Promise<void>
}

const repository = (name: string, updated_on: string) => ({
  type: 'repository',
  uuid: `{${name}}`,
  full_name: `team/${name}`,
  is_private: true,
  updated_on,
  owner: { type: 'team', display_name: 'Team' },
  mainbranch: { type: 'branch', name: 'main' },
})
const REPOSITORIES = [
  repository('shop', '2026-05-01T10:00:00.000000+00:00'),
  repository('site', '2026-01-01T10:00:00Z'),
]
const BRANCH = { type: 'branch', name: 'main', target: { hash: 'a'.repeat(40), date: '2026-05-01T10:00:00+00:00' } }

const ANSWERS: Record<string, unknown> = {
  '/2.0/user': {
    uuid: '{me}',
    display_name: 'A Person',
    nickname: 'person',
    links: { avatar: { href: 'https://a.example/' } },
  },
  '/2.0/workspaces': [{ type: 'workspace', slug: 'team' }],
  '/2.0/repositories/team': REPOSITORIES,
  '/2.0/repositories/team/shop': REPOSITORIES[0],
  '/2.0/repositories/team/shop/refs/branches': [BRANCH],
  '/2.0/repositories/team/shop/commits': [{ date: '2026-05-01T10:00:00+00:00' }],
  '/2.0/repositories/team/shop/src/HEAD/docs/': [
    { type: 'commit_file', path: 'docs/a.md' },
    { type: 'commit_directory', path: 'docs/old' },
  ],
}

/** The API of https://developer.atlassian.com/cloud/bitbucket/rest/, as far as lists go, without its newer list of workspaces. */
export async function startBitbucketCloud(through: typeof globalThis.fetch): Promise<FakeBitbucketCloud> {
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'https://api.bitbucket.org')
    cloud.paths.push(url.pathname + url.search)
    cloud.authorizations.add(request.headers.authorization ?? '')
    const found = ANSWERS[url.pathname]
    if (url.pathname.endsWith('/docs/a.md')) return void reply.end('# A\n')
    if (!found) return void reply.writeHead(404).end('{"type":"error","error":{"message":"Not found"}}')
    const size = Number(url.searchParams.get('pagelen') ?? 10)
    const page = Number(url.searchParams.get('page') ?? 1)
    const text = /name ~ "(.*)"/.exec(url.searchParams.get('q') ?? '')?.[1] ?? ''
    const list = Array.isArray(found) ? found.filter(item => JSON.stringify(item).includes(text)) : null
    const body = list && {
      values: list.slice((page - 1) * size, page * size),
      size: list.length,
      ...(page * size < list.length && { next: `https://api.bitbucket.org${url.pathname}?page=${page + 1}` }),
    }
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? found))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const cloud: FakeBitbucketCloud = {
    fetch: (input, init) =>
      through(String(input).replace('https://api.bitbucket.org', `http://127.0.0.1:${port}`), init),
    paths: [],
    authorizations: new Set(),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return cloud
}
