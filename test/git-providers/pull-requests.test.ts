import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Forge } from '../../server/git-providers/api/client/forge.ts'
import { Forges } from '../../server/git-providers/api/forges.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { FakePullRequests } from '../fakes/pull-requests.ts'
import { outbound } from '../parts/outbound.ts'

const fetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.gitData })
const signal = new AbortController().signal
const requests = new FakePullRequests(() => address)
let address = ''

const server = createServer(async (request, reply) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const answer = requests.answer(request.method ?? '', new URL(request.url ?? '/', address), body)
  reply.writeHead(answer?.status ?? 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer?.body ?? {}))
})

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const ASKED = { title: 'Add it', body: 'Because.', head: 'feature/x', base: 'main', draft: true }

describe.each([
  ['GitHub', 'github', true, 'octocat/hello', '/octocat/hello/pull/', /base is invalid/],
  ['GitLab', 'gitlab', true, 'zoo/cats/tiger', '/zoo/cats/tiger/-/merge_requests/', /Target branch "nowhere"/],
  ['Bitbucket', 'bitbucket', false, 'team/shop', 'https://bitbucket.org/team/shop/pull-requests/', /branch not found/],
  ['Bitbucket Data Center', 'bitbucket', true, 'SHOP/till', '/projects/SHOP/repos/till/pull-requests/', /nowhere does/],
] as const)('%s', (_, name, selfHosted, repository, url, words) => {
  const forges = () => {
    const row = { provider: name, host: selfHosted ? address : null, user_id: null, vault_item: '1' }
    const local: typeof fetch = (input, init) =>
      fetch(String(input).replace('https://api.bitbucket.org', address), init)
    return new Forges({ tokens: { rows: () => [row], token: async () => 'token' }, fetch: local })
  }
  const ask = <T>(work: (forge: Forge) => Promise<T>) => forges().ask(name, signal, work)

  it('has none, opens one as a draft, and finds it', async () => {
    expect(await ask(({ pullRequests }) => pullRequests.from(repository, 'feature/x'))).toBeNull()
    const opened = await ask(({ pullRequests }) => pullRequests.open(repository, ASKED))
    const title = name === 'gitlab' ? 'Draft: Add it' : 'Add it'
    expect(opened).toMatchObject({ title, draft: true, base: 'main', url: expect.stringContaining(url) })
    expect(await ask(({ pullRequests }) => pullRequests.from(repository, 'feature/x'))).toEqual(opened)
    expect(await ask(({ pullRequests }) => pullRequests.from(repository, 'other'))).toBeNull()
  })

  it('is not the one of a fork whose branch has the same name', async () => {
    const kind = selfHosted && name === 'bitbucket' ? 'dataCenter' : name
    requests.opened.push({ kind, repository, head: 'same', base: 'main', asked: ASKED, fork: true })
    expect(await ask(({ pullRequests }) => pullRequests.from(repository, 'same'))).toBeNull()
    const opened = await ask(({ pullRequests }) => pullRequests.open(repository, { ...ASKED, head: 'same' }))
    expect(await ask(({ pullRequests }) => pullRequests.from(repository, 'same'))).toEqual(opened)
  })

  it('refuses in its own words', async () => {
    const refused = ask(({ pullRequests }) => pullRequests.open(repository, { ...ASKED, base: 'nowhere' }))
    await expect(refused).rejects.toMatchObject({ code: 'git_refused', message: expect.stringMatching(words) })
  })
})
