import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeGitProvider, startGitProvider } from '../../fakes/git-provider.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { call, PUBLISHED, problemOf, type Reply } from '../../parts/client/legacy.ts'
import { type GitServer, startGitServer } from '../../parts/git-server.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

let service: TestService
let git: GitServer
let provider: FakeGitProvider
let id: string

beforeAll(async () => {
  git = await startGitServer()
  provider = await startGitProvider()
  provider.accepted.add('Bearer good')
  await git.add('shop', { 'README.md': 'Read me.\n', 'a.txt': 'one\n' })
  service = await startTestService({
    settings: { llm_model: 'ollama/none', language: 'en', allowed_hosts: ['host.docker.internal'] },
  })
  const task = await startConversation(service, { selected_repository: git.url('shop') })
  id = task.app_conversation_id ?? ''
  const provider_tokens = { github: { token: 'good', host: provider.address } }
  await post('/api/add-git-providers', { provider_tokens })
})

afterAll(async () => {
  await service?.close()
  await git?.close()
  await provider?.close()
})

const get = (path: string) => call(service, 'GET', path)
const post = (path: string, body?: unknown) => call(service, 'POST', path, body)
const at = (path = '') => `/api/conversations/${id}${path}`

function form(): FormData {
  const files = new FormData()
  files.append('files', new Blob(['text']), 'note.txt')
  return files
}

/** A request that succeeds for every published operation, in an order in which each can. */
const REQUESTS: Record<string, () => Promise<Reply>> = {
  'get /api/user/info': () => get('/api/user/info'),
  'get /api/user/installations': () => get('/api/user/installations?provider=github'),
  'get /api/user/repositories': () => get('/api/user/repositories'),
  'get /api/user/search/repositories': () => get('/api/user/search/repositories?query=hello'),
  'get /api/user/suggested-tasks': () => get('/api/user/suggested-tasks'),
  'get /api/options/models': () => get('/api/options/models'),
  'get /api/options/agents': () => get('/api/options/agents'),
  'get /api/options/security-analyzers': () => get('/api/options/security-analyzers'),
  'get /api/options/config': () => get('/api/options/config'),
  'get /api/conversations/{conversation_id}/list-files': () => get(at('/list-files')),
  'get /api/conversations/{conversation_id}/select-file': () => get(at('/select-file?file=shop/a.txt')),
  'get /api/conversations/{conversation_id}/git/changes': () => get(at('/git/changes')),
  'get /api/conversations/{conversation_id}/git/diff': () => get(at('/git/diff?path=shop/a.txt')),
  'post /api/conversations': () => post('/api/conversations', { repository: git.url('shop') }),
  'get /api/conversations': () => get('/api/conversations'),
  'get /api/conversations/{conversation_id}': () => get(at()),
  'patch /api/conversations/{conversation_id}': () => call(service, 'PATCH', at(), { title: 'Named' }),
  'post /api/conversations/{conversation_id}/stop': () => post(at('/stop')),
  'post /api/conversations/{conversation_id}/start': () => post(at('/start'), {}),
  'delete /api/conversations/{conversation_id}': () => call(service, 'DELETE', at()),
  'get /api/settings': () => get('/api/settings'),
  'post /api/settings': () => post('/api/settings', { language: 'en', llm_model: 'ollama/none' }),
  'post /api/unset-provider-tokens': () => post('/api/unset-provider-tokens'),
  'post /api/secrets': () => post('/api/secrets', { name: 'A', value: 'hidden-value', description: null }),
  'get /api/secrets': () => get('/api/secrets'),
  'put /api/secrets/{secret_id}': () => call(service, 'PUT', '/api/secrets/A', { name: 'B', description: 'x' }),
  'get /health': () => get('/health'),
}

/** Published operations whose success looks otherwise, or does not come, and why. */
const DEVIATIONS: Record<string, string> = {
  'post /api/conversations/{conversation_id}/upload-files':
    'The published shape (file_urls) was never what the original answered; clients read uploaded_files.',
  'get /api/user/repository/branches': 'Published as a list; clients of later versions read a page with branches.',
  'get /api/user/repository/{repository_name}/microagents':
    'The path has the owner and the name, as clients send it; the published one has one part.',
  'get /api/user/repository/{repository_name}/microagents/content':
    'The path has the owner and the name, as clients send it; the published one has one part.',
}

describe('the published schema of the legacy generation', () => {
  it('is followed or deviated from in every operation, never both', () => {
    expect([...Object.keys(REQUESTS), ...Object.keys(DEVIATIONS)].sort()).toEqual([...PUBLISHED].sort())
  })

  it.each(Object.keys(REQUESTS))('fits the success of %s', async name => {
    const [method = '', path = ''] = name.split(' ')
    const reply = await REQUESTS[name]?.()
    expect(reply?.status, JSON.stringify(reply?.body)).toBeLessThan(300)
    expect(problemOf(method, path, reply?.body)).toBeUndefined()
  })

  it('does not fit what an upload is answered with, which is what clients read', async () => {
    const { app_conversation_id } = await startConversation(service, {})
    const { status, body } = await post(`/api/conversations/${app_conversation_id}/upload-files`, form())
    expect(status).toBe(200)
    expect(body).toEqual({ uploaded_files: [expect.stringMatching(/\/note\.txt$/)], skipped_files: [] })
  })
})
