import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseRepository } from '../../server/git/repository.ts'
import { GitData } from '../../server/git-providers/api/git-data.ts'
import { verifyToken } from '../../server/git-providers/verify-token.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { type FakeBitbucketDataCenter, startBitbucketDataCenter } from '../fakes/bitbucket-data-center.ts'
import { testForges } from '../parts/forges.ts'
import { outbound } from '../parts/outbound.ts'

let server: FakeBitbucketDataCenter
let data: GitData
const signal = new AbortController().signal
const fetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.gitData })

beforeAll(async () => {
  server = await startBitbucketDataCenter()
  const row = {
    provider: 'bitbucket',
    host: server.address,
    user_id: null,
    vault_item: '1',
    software: null,
    renewal: null,
  } as const
  const tokens = { rows: () => [row], token: async () => 'dc-token' }
  data = new GitData({ forges: testForges(tokens, fetch), log: pino({ level: 'silent' }) })
})

afterAll(() => server?.close())

const till = { provider: null, repository: 'SHOP/till' }
const first = { page: 1, perPage: 1 }

describe('Bitbucket Data Center', () => {
  it('knows whose token it is, and refuses another', async () => {
    const asked = { provider: 'bitbucket', host: server.address } as const
    expect(await verifyToken({ ...asked, token: 'dc-token' }, { fetch, signal })).toMatchObject({ user: 'jane' })
    const ofServer = { ...asked, provider: 'enterprise_sso', token: 'dc-token' } as const
    expect(await verifyToken(ofServer, { fetch, signal })).toEqual({ user: 'jane', software: 'bitbucket' })
    await expect(verifyToken({ ...asked, token: 'other' }, { fetch, signal })).rejects.toMatchObject({
      code: 'provider_token_invalid',
    })
    expect(await data.user(signal)).toMatchObject({ id: '7', login: 'jane', email: 'jane@example.com' })
  })

  it('lists projects, repositories and branches page by page', async () => {
    expect((await data.installations('bitbucket', first, signal)).items).toEqual(['SHOP'])
    const query = { provider: null, ...first }
    expect(await data.repositories(query, signal)).toMatchObject({ items: [{ full_name: 'SHOP/till' }], hasNext: true })
    const rest = await data.repositories({ ...query, page: 2 }, signal)
    expect(rest).toMatchObject({ items: [{ full_name: 'SHOP/stock' }], hasNext: false })
    expect(await data.branches(till, first, signal)).toMatchObject({ items: [{ name: 'main' }], hasNext: true })
    expect((await data.searchBranches(till, 'one', first, signal)).items).toMatchObject([{ name: 'feature/one' }])
  })

  it('finds a repository by a part of its name, or by its address for people or for git', async () => {
    const search = { provider: null, page: 1, perPage: 5, sort: 'stars', order: 'desc' }
    const found = async (text: string) => (await data.searchRepositories({ ...search, text }, signal)).items
    for (const text of [
      'till',
      `${server.address}/projects/SHOP/repos/till/browse`,
      `${server.address}/scm/SHOP/till.git`,
    ]) {
      expect(await found(text)).toMatchObject([{ full_name: 'SHOP/till' }])
    }
  })

  it('suggests own pull requests that need something', async () => {
    expect((await data.suggestedTasks(signal)).items).toMatchObject([
      { task_type: 'MERGE_CONFLICTS', repo: 'SHOP/till', issue_number: 1 },
      { task_type: 'UNRESOLVED_COMMENTS', repo: 'SHOP/till', issue_number: 2 },
    ])
  })

  it('lists and reads files', async () => {
    expect((await data.folder(till, 'docs', signal)).files).toEqual([{ name: 'a.md', path: 'docs/a.md' }])
    expect((await data.file(till, 'docs/a.md', signal)).text).toBe('# A\n')
  })

  it('is cloned from its address for git', () => {
    expect(parseRepository('SHOP/till', 'bitbucket', { host: 'https://git.example.com', software: null }).url).toBe(
      'https://git.example.com/scm/SHOP/till.git',
    )
    expect(parseRepository('team/shop', 'bitbucket').url).toBe('https://bitbucket.org/team/shop.git')
  })
})
