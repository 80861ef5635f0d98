import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Forge } from '../../server/git-providers/api/client/forge.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { type FakeGitProvider, startGitProvider } from '../fakes/git-provider.ts'
import { testForges } from '../parts/forges.ts'
import { GITHUB_OPERATIONS, githubOperation, leastReply, writtenFields } from '../parts/github-schema.ts'
import { outbound } from '../parts/outbound.ts'

interface Call {
  method: string
  path: string
  query: string[]
  sent: string | null
  status: number
  body: string
}

const PREFIX = '/api/v3'
const page = { page: 1, perPage: 100 }
const calls: Call[] = []
let provider: FakeGitProvider

/** Everything that Atelier asks of GitHub, each once; what is asked by GraphQL is carried out on its own published schema. */
const ASKED: Record<string, (forge: Forge) => Promise<unknown>> = {
  user: forge => forge.user(),
  installations: async forge => forge.installations?.(page),
  repositories: forge => forge.repositories({ ...page, sort: 'pushed', installation: null }),
  'repositories of an installation': forge => forge.repositories({ ...page, sort: 'pushed', installation: '77' }),
  'found repositories': forge => forge.searchRepositories({ ...page, text: 'hello', sort: 'stars', order: 'desc' }),
  repository: forge => forge.repository('octocat/hello'),
  branches: forge => forge.branches('octocat/hello', page),
  folder: forge => forge.folder('octocat/hello', '.openhands/microagents'),
  'time of a change': forge => forge.changedAt('octocat/hello', 'README.md'),
  'opened pull request': forge => forge.pullRequests.open('octocat/hello', REQUEST),
  'pull request of a branch': forge => forge.pullRequests.from('octocat/hello', 'work'),
  reviewers: forge => forge.pullRequests.askReview({ ...AT, title: 'Work' }, ['ann']),
  comment: forge => forge.pullRequests.answer({ ...AT, id: 'IC_0' }, 'Done.'),
  log: forge => forge.pullRequests.checkLog('octocat/hello', '7'),
}
const AT = { repository: 'octocat/hello', number: 1 }
const REQUEST = { head: 'work', base: 'main', title: 'Work', body: 'Why', draft: false }

const real = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.gitData })

/** Notes what was asked and answered by REST. */
const noting: typeof fetch = async (input, init) => {
  const response = await real(input, init)
  const body = await response.text()
  const { pathname, searchParams } = new URL(String(input))
  if (pathname.startsWith(PREFIX)) {
    const path = decodeURIComponent(pathname.slice(PREFIX.length))
    const sent = typeof init?.body === 'string' ? init.body : null
    const asked = { method: init?.method ?? 'GET', path, query: [...searchParams.keys()], sent }
    calls.push({ ...asked, status: response.status, body })
  }
  return new Response([204, 304].includes(response.status) ? null : body, response)
}

const ask = <T>(fetch: typeof globalThis.fetch, work: (forge: Forge) => Promise<T>) => {
  const row = {
    provider: 'github',
    host: provider.address,
    user_id: null,
    vault_item: '1',
    software: null,
    renewal: null,
  } as const
  const forges = testForges({ rows: () => [row], token: async () => 'token' }, fetch)
  return forges.ask('github', new AbortController().signal, work)
}

beforeAll(async () => {
  provider = await startGitProvider()
  provider.accepted.add('Bearer token')
  for (const work of Object.values(ASKED)) await ask(noting, work)
})

afterAll(() => provider?.close())

describe('the stand-in for GitHub, and what asks it', () => {
  it('knows every operation that is asked for from what GitHub publishes, and no other', () => {
    const unknown = calls.filter(({ method, path }) => !githubOperation(method, path))
    expect(unknown).toEqual([])
    const asked = new Set(calls.map(({ method, path }) => githubOperation(method, path)))
    expect(GITHUB_OPERATIONS.filter(operation => !asked.has(operation))).toEqual([])
  })

  it('is asked with the parameters and fields that GitHub has for it, of its types', () => {
    const deviations = calls.flatMap(({ method, path, query, sent }) => {
      const operation = githubOperation(method, path)
      const names = query.filter(name => !operation?.query.includes(name))
      const wrong = sent === null ? [] : problemsOf(operation?.body ?? null, sent)
      return [...names, ...wrong].map(problem => `${method} ${path}: ${problem}`)
    })
    expect(deviations).toEqual([])
  })

  it('answers with a status and with fields that GitHub has there, of its types', () => {
    const deviations = calls.flatMap(({ method, path, status, body }) => {
      const schema = githubOperation(method, path)?.replies[status]
      if (schema === undefined) return [`${method} ${path} has no status ${status}`]
      return problemsOf(schema, body).map(problem => `${method} ${path}: ${problem}`)
    })
    expect(deviations).toEqual([])
  })
})

function problemsOf(schema: Record<string, unknown> | null, json: string): string[] {
  if (schema === null || !/^[[{]/.test(json)) return []
  const validate = writtenFields(schema)
  validate(JSON.parse(json))
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

it.each(Object.entries(ASKED))('what asks for the %s reads the least that GitHub may answer', async (_name, work) => {
  const least: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    const operation = githubOperation(init?.method ?? 'GET', decodeURIComponent(pathname.slice(PREFIX.length)))
    const [status = '404', schema = null] = Object.entries(operation?.replies ?? {})[0] ?? []
    return new Response(schema && JSON.stringify(leastReply(schema)), { status: Number(status) })
  }
  await expect(ask(least, work)).resolves.not.toThrow()
})
