import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Forge } from '../../server/git-providers/api/client/forge.ts'
import { withSuggestions } from '../../server/git-providers/api/client/suggestions.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { FakePullRequests } from '../fakes/pull-requests.ts'
import { testForges } from '../parts/forges.ts'
import { outbound } from '../parts/outbound.ts'

const fetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.gitData })
const signal = new AbortController().signal
const requests = new FakePullRequests(() => address)
let address = ''

const server = createServer(async (request, reply) => {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const answer = requests.answer(request.method ?? '', new URL(request.url ?? '/', address), body)
  if (answer?.location) reply.setHeader('location', answer.location)
  const isText = typeof answer?.body === 'string'
  reply.writeHead(answer?.status ?? 404, { 'content-type': isText ? 'text/plain' : 'application/json' })
  reply.end(isText ? answer.body : JSON.stringify(answer?.body ?? {}))
})

beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const ASKED = { title: 'Add it', body: 'Because.', head: 'feature/x', base: 'main', draft: true }

it('finds the changes that comments suggest', () => {
  const read = (text: string, start_line: number | null = null, line: number | null = 7, isOutdated = false) => {
    const comments = [{ author: 'ann', text, created_at: null }]
    const thread = withSuggestions({ id: '1', path: 'a.ts', start_line, line, isOutdated, resolved: false, comments })
    return thread.comments.flatMap(({ suggestions }) => suggestions)
  }
  const block = (text: string, behind = '') => `Rather:\n\`\`\`suggestion${behind}\n${text}\`\`\`\nSo?`
  expect(read(block('one\ntwo\n'))).toEqual([{ start_line: 7, end_line: 7, text: 'one\ntwo\n' }])
  expect(read(block('one\n'), 5)).toEqual([{ start_line: 5, end_line: 7, text: 'one\n' }])
  expect(read(block('', ':-2+1'))).toEqual([{ start_line: 5, end_line: 8, text: '' }])
  expect(read(block('one\r\n', ':-99+0'))).toEqual([{ start_line: 1, end_line: 7, text: 'one\n' }])
  expect(read('````suggestion\n```\n````')).toEqual([{ start_line: 7, end_line: 7, text: '```\n' }])
  expect(read(block('a\n') + block('b\n'))).toHaveLength(2)
  expect(read(block('one\n'), null, null)).toEqual([])
  expect(read('```suggestion\nnever ends')).toEqual([])
  expect(read('```\nsuggestion\n```')).toEqual([])
  expect(read(block('one\n'), null, 7, true)).toEqual([])
  const indented = '    """Doc:\n    ```\n    code\n    ```\n    """\n'
  expect(read(block(indented))).toEqual([{ start_line: 7, end_line: 7, text: indented }])
  expect(read('````markdown\n```suggestion\nHIJACK\n```\n````')).toEqual([])
  expect(read('~~~\n```suggestion\nHIJACK\n```\n~~~')).toEqual([])
  for (const line of [0, -5, Number.MAX_SAFE_INTEGER]) expect(read(block('one\n'), null, line)).toEqual([])
  expect(read(block('one\n', ':-0+999'), null, Number.MAX_SAFE_INTEGER)).toEqual([])
})

describe.each([
  ['GitHub', 'github', true, 'octocat/hello', '/octocat/hello/pull/', /base is invalid/],
  ['GitLab', 'gitlab', true, 'zoo/cats/tiger', '/zoo/cats/tiger/-/merge_requests/', /Target branch "nowhere"/],
  ['Bitbucket', 'bitbucket', false, 'team/shop', 'https://bitbucket.org/team/shop/pull-requests/', /branch not found/],
  ['Bitbucket Data Center', 'bitbucket', true, 'SHOP/till', '/projects/SHOP/repos/till/pull-requests/', /nowhere does/],
] as const)('%s', (_, name, selfHosted, repository, url, words) => {
  const forges = () => {
    const row = {
      provider: name,
      host: selfHosted ? address : null,
      user_id: null,
      vault_item: '1',
      software: null,
      renewal: null,
    }
    const local: typeof fetch = (input, init) =>
      fetch(String(input).replace('https://api.bitbucket.org', address), init)
    return testForges({ rows: () => [row], token: async () => 'token' }, local)
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

  it('says what became of it: checks, reviews, comments, and whether it can be merged', async () => {
    const opened = await ask(({ pullRequests }) =>
      pullRequests.open(repository, { ...ASKED, head: 'state', draft: false }),
    )
    const status = () => ask(({ pullRequests }) => pullRequests.status(repository, opened.number))
    expect(await status()).toMatchObject({ state: 'OPEN', branch: 'state', checks: [], reviews: [], threads: [] })
    requests.set(opened.number, {
      conflict: true,
      checks: [
        { id: 7001, name: 'build', passed: true },
        { id: 7002, name: 'test', passed: false },
        { id: 7003, name: 'ci/other', passed: null },
      ],
      reviews: [
        { author: 'ann', approved: false, text: 'Not yet.' },
        { author: 'bob', approved: true, text: '' },
      ],
      threads: [
        {
          path: 'main.ts',
          line: 3,
          resolved: false,
          said: [
            ['ann', 'Why twice?'],
            ['bob', 'Right.'],
            ['ann', 'So?'],
          ],
        },
        { path: 'main.ts', line: 9, resolved: true, said: [['ann', 'Done?']] },
        { path: null, line: null, resolved: false, said: [['cleo', 'Nice.']] },
      ],
    })
    const found = await status()
    expect(found.pull_request).toEqual(opened)
    expect(found).toMatchObject({
      state: 'OPEN',
      sha: expect.stringMatching(/^c0ffee/),
      merge: selfHosted ? 'CONFLICT' : null,
    })
    expect(found.checks.map(({ name, state }) => [name, state])).toEqual([
      ['build', 'PASSED'],
      ['test', 'FAILED'],
      ['ci/other', 'PENDING'],
    ])
    expect(found.reviews.map(({ author, state }) => [author, state])).toEqual([
      ['ann', 'CHANGES_REQUESTED'],
      ['bob', 'APPROVED'],
    ])
    expect(found.threads.map(({ path, line, resolved }) => [path, line, resolved])).toEqual([
      ['main.ts', 3, false],
      ['main.ts', 9, true],
      [null, null, false],
    ])
    expect(found.threads[0]?.comments.map(({ author, text }) => `${author}: ${text}`)).toEqual([
      'ann: Why twice?',
      'bob: Right.',
      'ann: So?',
    ])
    requests.set(opened.number, { merged: true })
    expect(await status()).toMatchObject({ state: 'MERGED', checks: [] })
    await expect(ask(({ pullRequests }) => pullRequests.status(repository, 9999))).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('asks people to review it, and names those whom nobody knows', async () => {
    const opened = await ask(({ pullRequests }) => pullRequests.open(repository, { ...ASKED, head: 'asking' }))
    const request = { repository, number: opened.number, title: opened.title }
    await ask(({ pullRequests }) => pullRequests.askReview(request, ['bob', 'ann']))
    expect(requests.opened[opened.number - 1]?.reviewers).toEqual(['bob', 'ann'])
    const strange = ask(({ pullRequests }) => pullRequests.askReview(request, ['ann', 'zoe']))
    await expect(strange).rejects.toMatchObject({ code: 'git_refused', message: expect.stringContaining('zoe') })
  })

  it('answers a comment, and settles it', async () => {
    const opened = await ask(({ pullRequests }) => pullRequests.open(repository, { ...ASKED, head: 'threads' }))
    requests.set(opened.number, {
      threads: [
        {
          path: 'a.ts',
          line: 1,
          resolved: false,
          said: [
            ['ann', 'First'],
            ['bob', 'Yes'],
          ],
        },
        { path: 'b.ts', line: 2, resolved: false, said: [['ann', 'Second']] },
        { path: null, line: null, resolved: false, said: [['ann', 'On the whole']] },
      ],
    })
    const threads = async () =>
      (await ask(({ pullRequests }) => pullRequests.status(repository, opened.number))).threads
    const [, second] = await threads()
    const place = { repository, number: opened.number, id: second?.id ?? '' }
    await ask(({ pullRequests }) => pullRequests.answer(place, 'Mended.'))
    await ask(({ pullRequests }) => pullRequests.resolve(place, true))
    expect((await threads())[1]).toMatchObject({ resolved: true, comments: [{ text: 'Second' }, { text: 'Mended.' }] })
    await ask(({ pullRequests }) => pullRequests.resolve(place, false))
    expect((await threads())[1]).toMatchObject({ resolved: false })
    const [, , whole] = await threads()
    await ask(({ pullRequests }) => pullRequests.answer({ ...place, id: whole?.id ?? '' }, 'Thanks.'))
    expect(JSON.stringify((await threads()).slice(2))).toContain('Thanks.')
    await expect(ask(({ pullRequests }) => pullRequests.answer(place, 'refuse this'))).rejects.toMatchObject({
      code: 'git_refused',
      message: expect.stringContaining('locked'),
    })
  })

  it('gives the end of the log of a check, where it keeps one', async () => {
    const opened = await ask(({ pullRequests }) => pullRequests.open(repository, { ...ASKED, head: 'logs' }))
    const log = `${'filler\n'.repeat(100_000)}2026-01-02T03:04:05.123Z it is the end\n`
    requests.set(opened.number, { checks: [{ id: 8000 + opened.number, name: 'test', passed: false, log }] })
    const logOf = (id: string) => ask(({ pullRequests }) => pullRequests.checkLog(repository, id))
    const end = await logOf(String(8000 + opened.number))
    if (name === 'bitbucket') expect(end).toBeNull()
    else {
      expect(end?.length).toBeLessThan(300_000)
      expect(end).toMatch(name === 'github' ? /filler\nit is the end\n$/ : /it is the end\n$/)
    }
    expect(await logOf('12')).toBeNull()
    expect(await logOf('../../user')).toBeNull()
  })

  it('refuses in its own words', async () => {
    const refused = ask(({ pullRequests }) => pullRequests.open(repository, { ...ASKED, base: 'nowhere' }))
    await expect(refused).rejects.toMatchObject({ code: 'git_refused', message: expect.stringMatching(words) })
  })
})
