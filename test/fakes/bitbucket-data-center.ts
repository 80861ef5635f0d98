import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FakeBitbucketDataCenter {
  /** As a host to store with a token. */
  address: string
  close(): Promise<void>
}

const PROJECT = { key: 'SHOP', id: 1, name: 'Shop', type: 'NORMAL' }
const REPOSITORIES = ['till', 'stock'].map((slug, index) => ({ slug, id: index + 1, public: false, project: PROJECT }))
const SHA = 'b'.repeat(40)
const BRANCHES = ['main', 'feature/one'].map(displayId => ({
  id: `refs/heads/${displayId}`,
  displayId,
  latestCommit: SHA,
}))
const request = (id: number, title: string, fields: object) => ({
  id,
  title,
  toRef: { id: 'refs/heads/main', repository: REPOSITORIES[0] },
  reviewers: [],
  properties: { openTaskCount: 0, mergeResult: { outcome: 'CLEAN' } },
  ...fields,
})
const REQUESTS = [
  request(1, 'Conflicting', { properties: { mergeResult: { outcome: 'CONFLICTED' } } }),
  request(2, 'Objected to', { reviewers: [{ status: 'NEEDS_WORK' }] }),
  request(3, 'Fine', {}),
]
const LISTS: Record<string, unknown[]> = {
  '/profile/recent/repos': [],
  '/projects': [PROJECT],
  '/repos': REPOSITORIES,
  '/projects/SHOP/repos/till/branches': BRANCHES,
  '/projects/SHOP/repos/till/commits': [{ id: SHA, committerTimestamp: 1_777_000_000_000 }],
  '/dashboard/pull-requests': REQUESTS,
}
const VALUES: Record<string, unknown> = {
  '/users/jane': { id: 7, name: 'jane', slug: 'jane', displayName: 'Jane', emailAddress: 'jane@example.com' },
  '/projects/SHOP/repos/till': REPOSITORIES[0],
  '/projects/SHOP/repos/till/browse/docs': {
    children: {
      values: [
        { type: 'FILE', path: { name: 'a.md', toString: 'a.md' } },
        { type: 'DIRECTORY', path: { name: 'old', toString: 'old' } },
      ],
    },
  },
}

/** The API of https://developer.atlassian.com/server/bitbucket/rest/, as far as lists go, for the token `dc-token`. */
export async function startBitbucketDataCenter(): Promise<FakeBitbucketDataCenter> {
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const path = url.pathname.replace(/^\/rest\/api\/1\.0/, '')
    const answer = (status: number, body: unknown) =>
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.headers.authorization !== 'Bearer dc-token') return void answer(401, { errors: [] })
    reply.setHeader('x-ausername', 'jane')
    if (path === '/projects/SHOP/repos/till/raw/docs/a.md') return void reply.end('# A\n')
    const list = LISTS[path]
    if (!list) return void answer(path in VALUES ? 200 : 404, VALUES[path] ?? { errors: [] })
    const start = Number(url.searchParams.get('start') ?? 0)
    const limit = Number(url.searchParams.get('limit') ?? 25)
    const text = url.searchParams.get('name') ?? url.searchParams.get('filterText') ?? ''
    const found = list.filter(item => JSON.stringify(item).includes(text))
    answer(200, {
      values: found.slice(start, start + limit),
      start,
      limit,
      isLastPage: start + limit >= found.length,
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
