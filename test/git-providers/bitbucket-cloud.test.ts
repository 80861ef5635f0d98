import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GitData } from '../../server/git-providers/api/git-data.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { type FakeBitbucketCloud, startBitbucketCloud } from '../fakes/bitbucket-cloud.ts'
import { testForges } from '../parts/forges.ts'
import { outbound } from '../parts/outbound.ts'

let cloud: FakeBitbucketCloud
let data: GitData
const signal = new AbortController().signal
const row = {
  provider: 'bitbucket',
  host: null,
  user_id: null,
  vault_item: '1',
  software: null,
  renewal: null,
} as const

beforeAll(async () => {
  cloud = await startBitbucketCloud(outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.gitData }))
  const tokens = { rows: () => [row], token: async () => 'me:app-password' }
  data = new GitData({ forges: testForges(tokens, cloud.fetch), log: pino({ level: 'silent' }) })
})

afterAll(() => cloud?.close())

const shop = { provider: null, repository: 'team/shop' }
const first = { page: 1, perPage: 1 }

describe('Bitbucket Cloud', () => {
  it('knows an app password as basic credentials, and the user by the nickname', async () => {
    expect(await data.user(signal)).toMatchObject({ login: 'person', name: 'A Person' })
    expect([...cloud.authorizations]).toEqual([`Basic ${btoa('me:app-password')}`])
  })

  it('lists the repositories of each workspace page by page', async () => {
    const one = await data.repositories({ provider: null, ...first }, signal)
    expect(one).toMatchObject({
      items: [{ full_name: 'team/shop', is_public: false, main_branch: 'main' }],
      hasNext: true,
    })
    const two = await data.repositories({ provider: null, ...first, page: 2 }, signal)
    expect(two).toMatchObject({ items: [{ full_name: 'team/site' }], hasNext: false })
    expect((await data.installations('bitbucket', first, signal)).items).toEqual(['team'])
  })

  it('finds repositories and branches by a part of the name, with quotes in it escaped', async () => {
    const search = { provider: null, ...first, text: 'site', sort: 'stars', order: 'desc' }
    expect((await data.searchRepositories(search, signal)).items).toMatchObject([{ full_name: 'team/site' }])
    expect((await data.searchBranches(shop, 'mai', first, signal)).items).toMatchObject([{ name: 'main' }])
    await data.searchBranches(shop, 'a" OR name ~ "b', first, signal)
    expect(new URL(cloud.paths.at(-1) ?? '', 'http://a').searchParams.get('q')).toBe('name ~ "a\\" OR name ~ \\"b"')
  })

  it('lists and reads files', async () => {
    expect(await data.folder(shop, 'docs', signal)).toEqual({
      files: [{ path: 'docs/a.md', name: 'a.md' }],
      changedAt: '2026-05-01T10:00:00.000Z',
    })
    expect(await data.file(shop, 'docs/a.md', signal)).toEqual({ text: '# A\n', provider: 'bitbucket' })
    await expect(data.file(shop, 'docs/b.md', signal)).rejects.toMatchObject({ code: 'not_found' })
  })
})
