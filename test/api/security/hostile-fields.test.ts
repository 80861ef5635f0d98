import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { getSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { SettingTable } from '../../../server/store/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { openStore } from '../../parts/service/store.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend(
    'post',
    { scope: 'file' },
    ({ service }) =>
      async (path: string, body: object): Promise<{ status: number; text: string }> => {
        const headers = { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' }
        const reply = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
        return { status: reply.status, text: await reply.text() }
      },
  )
  /** Whether any file of the data folder holds the text in clear. */
  .extend('isOnDisk', { scope: 'file' }, ({ service }) => (text: string): boolean => {
    const files = readdirSync(service.dataDir, { recursive: true, withFileTypes: true }).filter(file => file.isFile())
    return files.some(file => readFileSync(join(file.parentPath, file.name)).includes(text))
  })

const LONG = 'x'.repeat(300_000)
const SETTINGS = [
  ['git_user_name', 'a\0b'],
  ['git_user_name', LONG],
  ['git_user_name', 'a\nb'],
  ['git_user_email', 'a\0@example.com'],
  ['git_user_email', LONG],
  ['language', LONG],
  ['agent', LONG],
  ['email', LONG],
  ['security_analyzer', LONG],
  ['llm_model', `openai/${LONG}`],
  ['llm_model', 'openai/a\r\nb'],
  ['llm_base_url', `https://example.com/${LONG}`],
] as const

describe('a text that no start could use', () => {
  it.for(SETTINGS)('%s is refused when it is saved', async ([field, value], { post }) => {
    for (const path of ['/api/v1/settings', '/api/settings']) {
      const { status, text } = await post(path, { [field]: value })
      expect(status).toBe(422)
      expect(JSON.parse(text).detail[0].loc).toEqual(['body', field])
      expect(text.length).toBeLessThan(1_000)
    }
  })

  it.for<[string, string]>([
    ['selected_branch', 'a\0b'],
    ['selected_repository', LONG],
    ['llm_model', LONG],
    ['sandbox_id', LONG],
    ['title', LONG],
  ])('%s of a conversation is refused', async ([field, value], { post }) => {
    expect(await post('/api/v1/app-conversations', { [field]: value })).toMatchObject({ status: 422 })
  })

  it('stops no start when it was stored before', async ({ post, service }) => {
    await post('/api/v1/settings', { language: 'en', git_user_name: 'Ada' })
    await service.restart(() => {
      const store = openStore(service.dataDir)
      new SettingTable(store.database).write({ git_user_name: 'a\0b', git_user_email: LONG })
      store.close()
    })
    const settings = await service.client.call(getSettingsV1)
    expect(settings).toMatchObject({ language: 'en', git_user_name: null, git_user_email: null })
    expect(await startConversation(service, {})).toMatchObject({ status: 'READY' })
  })
})

describe('a credential in an address', () => {
  const addresses = [
    'http://user:CANARY-1@example.com/v1',
    'https://CANARY-1@example.com/v1',
    'https://example.com/v1?api_key=CANARY-1',
    'https://example.com/v1?version=1&accessToken=CANARY-1',
    'https://example.com/v1#key=CANARY-1',
  ]

  it.for(addresses)('%s is neither stored nor repeated', async (address, { post, isOnDisk }) => {
    const refused = [
      await post('/api/v1/settings', { llm_base_url: address }),
      await post('/api/v1/settings', { llm_fallback_base_url: address }),
      await post('/api/settings', { llm_base_url: address }),
      await post('/api/v1/settings/profiles/one', { llm: { model: 'openai/a', base_url: address } }),
      await post('/api/v1/app-conversations', { selected_repository: address.replace('/v1', '/a/b.git') }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422, 400])
    expect(refused[0]?.text).toContain('"llm_base_url"')
    expect(refused.map(({ text }) => text).join()).not.toContain('CANARY')
    expect(isOnDisk('CANARY-1')).toBe(false)
  })

  it.for(['https://example.com/openai?api-version=2024-10-21', 'http://[::1]:8080/v1', 'https://a.example/v1?key='])(
    '%s has none',
    async (address, { post }) => {
      expect(await post('/api/v1/settings', { llm_base_url: address })).toMatchObject({ status: 200 })
    },
  )

  it.for([
    'postgres://app:CANARY-2@db/main',
    'redis://:CANARY-2@cache:6379/0',
    'jdbc:postgresql://app:CANARY-2@db/main',
    'see https://app:CANARY-2@db/ for more',
  ])('%s is refused as a variable of a sandbox spec', async (value, { post, isOnDisk }) => {
    const body = { title: 'Mine', image: 'debian:13', initial_env: { DATABASE_URL: value } }
    const { status, text } = await post('/api/v1/sandbox-specs', body)
    expect(status).toBe(422)
    expect(JSON.parse(text).detail[0]).toMatchObject({
      loc: ['body', 'initial_env', 'DATABASE_URL'],
      msg: expect.stringContaining('Settings › Secrets'),
    })
    expect(isOnDisk('CANARY-2')).toBe(false)
  })
})

describe('a key that no header can carry', () => {
  it.for(['sk-a\nCANARY-3', 'sk-a\0CANARY-3', 'sk-—CANARY-3', 'sk-ключ-CANARY-3', 'sk-é-CANARY-3'])(
    '%j is refused wherever a key is saved',
    async (key, { post }) => {
      const refused = [
        await post('/api/v1/settings', { llm_api_key: key }),
        await post('/api/v1/settings', { llm_fallback_api_key: key }),
        await post('/api/v1/settings', { search_api_key: key }),
        await post('/api/v1/settings', { sandbox_api_key: key }),
        await post('/api/settings', { llm_api_key: key }),
        await post('/api/v1/settings/profiles/one', { llm: { model: 'openai/a', api_key: key } }),
        await post('/api/v1/secrets/git-providers', { provider_tokens: { github: { token: key } } }),
        await post('/api/v1/settings', { mcp_config: { sse_servers: [{ url: 'https://example.com', api_key: key }] } }),
      ]
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 422))
      expect(JSON.parse(refused[0]?.text ?? '')).toMatchObject({
        detail: [{ loc: ['body', 'llm_api_key'], msg: expect.stringContaining('ASCII') }],
      })
      expect(refused.map(({ text }) => text).join()).not.toContain('CANARY')
    },
  )

  it('is used without the line break that was copied with it', async ({ post }) => {
    expect(await post('/api/v1/settings', { llm_api_key: ' sk-abc\n' })).toMatchObject({ status: 200 })
  })

  it('is not shown by the error of its use', async ({ post }) => {
    const body = { llm_model: 'openai/a', llm_base_url: 'http://127.0.0.1:9/v1', llm_api_key: 'sk-first\nCANARY-4' }
    const { status, text } = await post('/api/v1/config/models/test', body)
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ ok: false, code: 'llm_authentication' })
    expect(text).not.toMatch(/CANARY|ByteString/)
  })
})
