import { describe, expect } from 'vitest'
import { startGitProvider } from '../../fakes/git-provider.ts'
import { it as base } from '../../fixtures/service.ts'
import { call } from '../../parts/client/legacy.ts'

const it = base
  .extend('hub', { scope: 'file' }, ({}) => startGitProvider())
  .extend('lab', { scope: 'file' }, ({}) => startGitProvider())
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ settings: { language: 'en' } }))
  .extend('get', { scope: 'file' }, ({ service }) => async (path: string) => {
    const reply = await fetch(service.url + path, { headers: { 'X-Session-API-Key': service.key } })
    return { status: reply.status, retryAfter: reply.headers.get('retry-after'), body: await reply.json() }
  })
  .extend('store', { scope: 'file' }, ({ service }) => (provider_tokens: object) => {
    return call(service, 'POST', '/api/add-git-providers', { provider_tokens })
  })

it.afterAll(async ({ hub, lab }) => {
  await Promise.all([hub?.close(), lab?.close()])
})

let count = 0
/** Every test has tokens of its own, and so nothing in the cache. */
it.beforeEach(async ({ hub, lab, store }) => {
  const token = `secret-token-${count++}`
  for (const provider of [hub, lab]) {
    provider.mood = 'well'
    provider.retryAfter = null
    provider.accepted.clear()
    provider.accepted.add(`Bearer ${token}`)
  }
  await store({ github: { token, host: hub.address }, gitlab: { token, host: lab.address } })
  for (const provider of [hub, lab]) {
    provider.requests.length = 0
    provider.statuses.length = 0
  }
})
const names = (items: { full_name: string }[]) => items.map(({ full_name }) => full_name)
const REPOSITORIES = '/api/v1/git/repositories/search'

describe('repositories', () => {
  it('of all providers come together, the last pushed first', async ({ get }) => {
    const wanted = ['octocat/hello', 'zoo/cats/tiger', 'octocat/secret-plans', 'zoo/cats/lion', 'octocat/spoon']
    const { status, body } = await get(REPOSITORIES)
    expect(status).toBe(200)
    expect(names(body.items)).toEqual(wanted)
    expect(body).toMatchObject({ next_page_id: null, missing: [] })
    expect(body.items[0]).toEqual({
      id: '11',
      full_name: 'octocat/hello',
      git_provider: 'github',
      is_public: true,
      stargazers_count: 11,
      link_header: null,
      pushed_at: '2026-05-01T10:00:00Z',
      owner_type: 'user',
      main_branch: 'main',
    })
    expect(names((await get('/api/user/repositories')).body)).toEqual(wanted)
  })

  it('come page by page, none twice and none left out', async ({ get }) => {
    const seen: string[] = []
    let page_id: string | null = '1'
    while (page_id !== null) {
      const { body }: Awaited<ReturnType<typeof get>> = await get(
        `${REPOSITORIES}?provider=github&limit=2&page_id=${page_id}`,
      )
      expect(body.items.length).toBeLessThanOrEqual(2)
      seen.push(...names(body.items))
      page_id = body.next_page_id
    }
    expect(seen).toEqual(['octocat/hello', 'octocat/secret-plans', 'octocat/spoon'])
  })

  it('name the next page in the first of an older page', async ({ get }) => {
    const path = '/api/user/repositories?selected_provider=github&per_page=2'
    const first = (await get(`${path}&page=1`)).body
    expect(first[0].link_header).toMatch(/<[^>]*[?&]page=2(?:&[^>]*)?>;\s*rel="next"/)
    expect(first[1].link_header).toBeNull()
    expect((await get(`${path}&page=2`)).body).toMatchObject([{ full_name: 'octocat/spoon', link_header: null }])
  })

  it('are found by a part of the name, or by their address at their provider alone', async ({ get, hub, lab }) => {
    expect(names((await get(`${REPOSITORIES}?query=tiger`)).body.items)).toEqual(['zoo/cats/tiger'])
    const addresses: [string, string[]][] = [
      [`${hub.address}/octocat/hello.git`, ['octocat/hello']],
      [`${lab.address}/zoo/cats/tiger/-/tree/main`, ['zoo/cats/tiger']],
      [`${hub.address}/octocat/nowhere`, []],
      ['https://elsewhere.example/octocat/hello', []],
    ]
    for (const [address, found] of addresses) {
      const { body } = await get(`/api/user/search/repositories?query=${encodeURIComponent(address)}`)
      expect(names(body)).toEqual(found)
    }
  })

  it('are asked for with the name of their old place when they were renamed', async ({ hub, get }) => {
    const address = encodeURIComponent(`${hub.address}/octocat/renamed`)
    expect(names((await get(`${REPOSITORIES}?query=${address}`)).body.items)).toEqual(['octocat/hello'])
  })

  it('that have not changed are not sent again', async ({ get, hub }) => {
    const first = await get(`${REPOSITORIES}?provider=github`)
    const again = await get(`${REPOSITORIES}?provider=github`)
    expect(hub.statuses).toEqual([200, 304])
    expect(again).toEqual(first)
  })
})

describe('branches', () => {
  it.for([
    ['github', 'octocat/hello'],
    ['gitlab', 'zoo/cats/tiger'],
  ])('of %s are listed and searched', async ([provider, repository], { get }) => {
    const path = `/api/v1/git/branches/search?provider=${provider}&repository=${repository}`
    const first = (await get(`${path}&limit=2`)).body
    expect(first).toMatchObject({
      items: [{ name: 'main', protected: true }, { name: 'feature/one' }],
      next_page_id: '2',
    })
    expect((await get(`${path}&limit=2&page_id=2`)).body).toMatchObject({
      items: [{ name: 'feature/two' }],
      next_page_id: null,
    })
    const found = (await get(`${path}&query=feature&limit=1`)).body
    expect(found).toMatchObject({ items: [{ name: 'feature/one', commit_sha: expect.any(String) }], next_page_id: '2' })
    expect((await get(`${path}&query=feature&limit=1&page_id=2`)).body).toMatchObject({
      items: [{ name: 'feature/two' }],
      next_page_id: null,
    })
  })

  it('are those of the first provider that has the repository', async ({ get }) => {
    const { body } = await get('/api/user/repository/branches?repository=zoo/cats/tiger&per_page=2')
    expect(body).toMatchObject({ has_next_page: true, current_page: 1, per_page: 2, total_count: 3 })
    const found = await get('/api/user/search/branches?repository=zoo/cats/tiger&query=two')
    expect(found.body).toMatchObject([{ name: 'feature/two', last_push_date: '2026-03-02T08:00:00.000+00:00' }])
  })

  it.for(['../../user', 'octocat', 'octocat/hello?x=1', 'a/..', '%2e%2e/x'])(
    'of "%s" are refused before anybody is asked',
    async (repository, { get, hub, lab }) => {
      const reply = await get(`/api/user/repository/branches?repository=${encodeURIComponent(repository)}`)
      expect(reply).toMatchObject({ status: 400, body: { error: expect.stringContaining('repository') } })
      expect([...hub.requests, ...lab.requests]).toEqual([])
    },
  )
})

describe('suggested tasks', () => {
  const WANTED = [
    ['github', 'MERGE_CONFLICTS', 'octocat/hello', 1],
    ['github', 'FAILING_CHECKS', 'octocat/hello', 2],
    ['github', 'UNRESOLVED_COMMENTS', 'octocat/hello', 3],
    ['github', 'OPEN_ISSUE', 'octocat/spoon', 9],
    ['gitlab', 'MERGE_CONFLICTS', 'zoo/cats/tiger', 1],
    ['gitlab', 'FAILING_CHECKS', 'zoo/cats/tiger', 2],
    ['gitlab', 'UNRESOLVED_COMMENTS', 'zoo/cats/tiger', 3],
    ['gitlab', 'OPEN_ISSUE', 'zoo/cats/tiger', 5],
  ]
  interface Row {
    git_provider: string
    task_type: string
    repo: string
    issue_number: number
  }
  const rows = (items: Row[]) => items.map(item => [item.git_provider, item.task_type, item.repo, item.issue_number])

  it('are what needs something, in both generations', async ({ get }) => {
    expect(rows((await get('/api/user/suggested-tasks')).body)).toEqual(WANTED)
    const first = (await get('/api/v1/git/suggested-tasks/search?limit=5')).body
    const rest = (await get(`/api/v1/git/suggested-tasks/search?limit=5&page_id=${first.next_page_id}`)).body
    expect(rows([...first.items, ...rest.items])).toEqual(WANTED)
    expect(rest.next_page_id).toBeNull()
    expect(first.items[0].prompt).toContain('Resolve the merge conflicts of pull request #1')
    expect(rest.items[2].prompt).toContain('Resolve issue #5')
  })
})

describe('instructions for agents', () => {
  it('are listed and read without a clone', async ({ get }) => {
    const path = '/api/user/repository/octocat/hello/microagents'
    expect((await get(path)).body).toEqual([
      { name: '.cursorrules', path: '.cursorrules', created_at: '2026-03-01T08:00:00.000Z' },
      { name: 'deploy', path: '.openhands/microagents/deploy.md', created_at: '2026-03-01T08:00:00.000Z' },
    ])
    expect((await get(`${path}/content?file_path=.openhands/microagents/deploy.md`)).body).toEqual({
      content: 'Use make deploy.',
      path: '.openhands/microagents/deploy.md',
      triggers: ['deploy'],
      git_provider: 'github',
    })
    expect((await get(`${path}/content?file_path=../../../user`)).status).toBe(400)
    expect((await get('/api/user/repository/octocat/spoon/microagents')).status).toBe(200)
  })
})

describe('a provider that fails', () => {
  it.for(['down', 'rate-limited', 'web page', 'redirecting'] as const)(
    'by being %s hides no other',
    async (mood, { hub, get }) => {
      hub.mood = mood
      const { status, body } = await get(REPOSITORIES)
      expect(status).toBe(200)
      expect(names(body.items)).toEqual(['zoo/cats/tiger', 'zoo/cats/lion'])
      const code = mood === 'rate-limited' ? 'provider_rate_limited' : 'provider_unavailable'
      expect(body.missing).toEqual([{ git_provider: 'github', code, message: expect.stringContaining('localhost') }])
      expect(names((await get('/api/user/repositories')).body)).toEqual(['zoo/cats/tiger', 'zoo/cats/lion'])
      expect((await get('/api/user/info')).body).toMatchObject({ login: 'tanuki' })
      expect(hub.requests.filter(({ path }) => path.includes('stolen'))).toEqual([])
    },
  )

  it('by refusing the token is told when it is the only one', async ({ hub, get }) => {
    hub.accepted.clear()
    const one = await get(`${REPOSITORIES}?provider=github`)
    expect(one).toMatchObject({ status: 401, body: { code: 'provider_token_invalid' } })
    expect(JSON.stringify(one.body)).not.toContain('secret-token')
  })

  it('is named beside the others that fail when none answers', async ({ hub, lab, get }) => {
    hub.mood = 'down'
    lab.mood = 'down'
    const { status, body } = await get(REPOSITORIES)
    expect(status).toBe(503)
    expect(body.detail).toMatch(new RegExp(`${new URL(hub.address).port}.*${new URL(lab.address).port}`))
  })

  it('by a rate limit is left alone until the time that it has told', async ({ hub, get }) => {
    hub.mood = 'rate-limited'
    const limited = await get(`${REPOSITORIES}?provider=github`)
    expect(limited).toMatchObject({
      status: 429,
      body: { code: 'provider_rate_limited', detail: expect.stringMatching(/again at \d\d:\d\d UTC/) },
    })
    hub.mood = 'well'
    expect(await get(`${REPOSITORIES}?provider=github`)).toMatchObject({ status: 429 })
    expect(hub.requests).toHaveLength(1)
  })
  it('by a rate limit says in a header how long to wait, in both generations', async ({ hub, get }) => {
    hub.mood = 'rate-limited'
    hub.retryAfter = '600'
    await get(`${REPOSITORIES}?provider=github`)
    for (const path of [`${REPOSITORIES}?provider=github`, '/api/user/repositories?selected_provider=github']) {
      const { status, retryAfter } = await get(path)
      expect(status).toBe(429)
      expect(Number(retryAfter)).toBeGreaterThan(590)
      expect(Number(retryAfter)).toBeLessThanOrEqual(600)
    }
    const open = await get(`${REPOSITORIES}?provider=gitlab`)
    expect(open).toMatchObject({ status: 200, retryAfter: null })
  })
})
