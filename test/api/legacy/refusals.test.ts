import { describe, expect } from 'vitest'
import { it as base } from '../../fixtures/service.ts'
import { call } from '../../parts/client/legacy.ts'
import { startGitServer } from '../../parts/git-server.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({
    settings: { llm_model: 'ollama/none', allowed_hosts: ['host.docker.internal'] },
  }))
  .extend('locked', { scope: 'file' }, async ({}, { onCleanup }) => {
    const locked = await startGitServer({ credentials: { user: 'x-access-token', password: 'right-token' } })
    onCleanup(() => locked.close())
    return locked
  })
  .extend('create', { scope: 'file' }, ({ service }) => (body: object) => {
    return call(service, 'POST', '/api/conversations', body)
  })

it.beforeAll(async ({ locked }) => {
  await locked.add('private', { 'a.txt': 'a\n' })
})

describe('a repository that cannot be had', () => {
  it('is refused before anything starts, as a bare text that names it', async ({ locked, create, service }) => {
    const repository = locked.url('private')
    expect(await create({ repository })).toMatchObject({ status: 401, body: `Unable to access repo ${repository}` })
    expect((await call(service, 'GET', '/api/conversations')).body).toMatchObject({ results: [] })
  })

  it('is left to the clone when nobody answers there, or when it is not reached by HTTP', async ({
    create,
    service,
  }) => {
    for (const repository of ['http://127.0.0.1:1/nobody/there.git', 'ssh://git@127.0.0.1/nobody/there.git']) {
      const { status, body } = await create({ repository })
      expect(status).toBe(200)
      await call(service, 'DELETE', `/api/conversations/${(body as { conversation_id: string }).conversation_id}`)
    }
  })
})

describe('a request that cannot start', () => {
  it.for<[object, number, string]>([
    [{ conversation_id: '../x' }, 400, 'CONVERSATION$INVALID_ID'],
    [{ replay_json: '{' }, 400, 'CONVERSATION$TRAJECTORY_INVALID'],
    [{ repository: 'not a repository' }, 400, 'CONVERSATION$BAD_REQUEST'],
    [{ repository: 'https://user:password@example.org/x.git' }, 400, 'CONVERSATION$BAD_REQUEST'],
  ])('%j is refused in the words that clients read', async ([body, status, msg_id], { create }) => {
    const reply = await create(body)
    expect(reply).toMatchObject({ status, body: { status: 'error', message: expect.any(String), msg_id } })
  })
})

describe('git data of the user', () => {
  const ROUTES = [
    ['/api/user/info', 401, 'Git provider token required. (such as GitHub).'],
    ['/api/user/installations?provider=github', 401, 'Git provider token required. (such as GitHub).'],
    ['/api/user/repositories', 401, 'Git provider token required. (such as GitHub).'],
    ['/api/user/repository/branches?repository=a/b', 401, 'Git provider token required. (such as GitHub).'],
    ['/api/user/search/repositories?query=a', 401, 'Git provider token required.'],
    ['/api/user/search/branches?repository=a/b&query=a', 401, 'Git provider token required.'],
    ['/api/user/suggested-tasks', 401, 'No providers set.'],
    ['/api/user/repository/a/b/microagents', 200, []],
    ['/api/user/repository/a/b/microagents/content?file_path=x.md', 401, 'Microagent file x.md not found in a/b'],
  ] as const

  it.for(ROUTES)('%s without a token answers %i %j', async ([path, status, body], { service }) => {
    expect(await call(service, 'GET', path)).toMatchObject({ status, body })
  })
})
