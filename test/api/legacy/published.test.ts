import { describe, expect } from 'vitest'
import { startGitProvider } from '../../fakes/git-provider.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { call, PUBLISHED, problemOf, type Reply } from '../../parts/client/legacy.ts'

const it = base
  .extend('provider', { scope: 'file' }, async ({}, { onCleanup }) => {
    const provider = await startGitProvider()
    onCleanup(() => provider.close())
    provider.accepted.add('Bearer good')
    return provider
  })
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({
    settings: { llm_model: 'ollama/none', language: 'en', allowed_hosts: ['host.docker.internal'] },
  }))
  .extend('legacy', { scope: 'file' }, async ({ git, service }): Promise<Legacy> => {
    await git.add('shop', { 'README.md': 'Read me.\n', 'a.txt': 'one\n' })
    const repository = git.url('shop')
    const task = await startConversation(service, { selected_repository: repository })
    const send = (method: string, path: string, body?: unknown) => call(service, method, path, body)
    return {
      repository,
      at: (path = '') => `/api/conversations/${task.app_conversation_id}${path}`,
      send,
      get: path => send('GET', path),
      post: (path, body) => send('POST', path, body),
    }
  })

it.beforeAll(async ({ provider, legacy }) => {
  const provider_tokens = { github: { token: 'good', host: provider.address } }
  await legacy.post('/api/add-git-providers', { provider_tokens })
})

/** A conversation with a repository, and calls of the legacy generation. */
interface Legacy {
  repository: string
  /** The path of the conversation, and of what belongs to it. */
  at(path?: string): string
  send(method: string, path: string, body?: unknown): Promise<Reply>
  get(path: string): Promise<Reply>
  post(path: string, body?: unknown): Promise<Reply>
}

function form(): FormData {
  const files = new FormData()
  files.append('files', new Blob(['text']), 'note.txt')
  return files
}

/** A request that succeeds for every published operation, in an order in which each can. */
const REQUESTS: Record<string, (legacy: Legacy) => Promise<Reply>> = {
  'get /api/user/info': ({ get }) => get('/api/user/info'),
  'get /api/user/installations': ({ get }) => get('/api/user/installations?provider=github'),
  'get /api/user/repositories': ({ get }) => get('/api/user/repositories'),
  'get /api/user/search/repositories': ({ get }) => get('/api/user/search/repositories?query=hello'),
  'get /api/user/suggested-tasks': ({ get }) => get('/api/user/suggested-tasks'),
  'get /api/options/models': ({ get }) => get('/api/options/models'),
  'get /api/options/agents': ({ get }) => get('/api/options/agents'),
  'get /api/options/security-analyzers': ({ get }) => get('/api/options/security-analyzers'),
  'get /api/options/config': ({ get }) => get('/api/options/config'),
  'get /api/conversations/{conversation_id}/list-files': ({ get, at }) => get(at('/list-files')),
  'get /api/conversations/{conversation_id}/select-file': ({ get, at }) => get(at('/select-file?file=shop/a.txt')),
  'get /api/conversations/{conversation_id}/git/changes': ({ get, at }) => get(at('/git/changes')),
  'get /api/conversations/{conversation_id}/git/diff': ({ get, at }) => get(at('/git/diff?path=shop/a.txt')),
  'post /api/conversations': ({ post, repository }) => post('/api/conversations', { repository }),
  'get /api/conversations': ({ get }) => get('/api/conversations'),
  'get /api/conversations/{conversation_id}': ({ get, at }) => get(at()),
  'patch /api/conversations/{conversation_id}': ({ send, at }) => send('PATCH', at(), { title: 'Named' }),
  'post /api/conversations/{conversation_id}/stop': ({ post, at }) => post(at('/stop')),
  'post /api/conversations/{conversation_id}/start': ({ post, at }) => post(at('/start'), {}),
  'delete /api/conversations/{conversation_id}': ({ send, at }) => send('DELETE', at()),
  'get /api/settings': ({ get }) => get('/api/settings'),
  'post /api/settings': ({ post }) => post('/api/settings', { language: 'en', llm_model: 'ollama/none' }),
  'post /api/unset-provider-tokens': ({ post }) => post('/api/unset-provider-tokens'),
  'post /api/secrets': ({ post }) => post('/api/secrets', { name: 'A', value: 'hidden-value', description: null }),
  'get /api/secrets': ({ get }) => get('/api/secrets'),
  'put /api/secrets/{secret_id}': ({ send }) => send('PUT', '/api/secrets/A', { name: 'B', description: 'x' }),
  'get /health': ({ get }) => get('/health'),
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

  it.for(Object.keys(REQUESTS))('fits the success of %s', async (name, { legacy }) => {
    const [method = '', path = ''] = name.split(' ')
    const reply = await REQUESTS[name]?.(legacy)
    expect(reply?.status, JSON.stringify(reply?.body)).toBeLessThan(300)
    expect(problemOf(method, path, reply?.body)).toBeUndefined()
  })

  it('does not fit what an upload is answered with, which is what clients read', async ({ service, legacy }) => {
    const { app_conversation_id } = await startConversation(service, {})
    const { status, body } = await legacy.post(`/api/conversations/${app_conversation_id}/upload-files`, form())
    expect(status).toBe(200)
    expect(body).toEqual({ uploaded_files: [expect.stringMatching(/\/note\.txt$/)], skipped_files: [] })
  })
})
