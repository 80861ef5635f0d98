import { describe, expect } from 'vitest'
import { getWebClientConfig, searchModelProviders, searchModels } from '../../../server/api/v1/settings/config.ts'
import { getSettingsV1, getUser, storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('get', { scope: 'file' }, ({ service }) => (path: string, key = service.key) => {
    return fetch(service.url + path, { headers: key ? { 'X-Session-API-Key': key } : {} })
  })
  .extend('save', { scope: 'file' }, ({ service }) => async (mcp_config: unknown) => {
    const reply = await fetch(`${service.url}/api/v1/settings`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ mcp_config }),
    })
    return { status: reply.status, body: await reply.json() }
  })

describe('settings of the newer generation', () => {
  it('are not found before the first save, nor is their user', async ({ get }) => {
    for (const path of ['/api/v1/settings', '/api/v1/users/me']) {
      const reply = await get(path)
      expect(reply.status).toBe(404)
      expect(await reply.json()).toEqual({ detail: 'Settings not found', code: 'settings_not_found' })
    }
  })

  it('are those of the legacy generation, and a save answers with all of them', async ({ service, get }) => {
    const saved = await service.client.call(storeSettingsV1, {
      body: { language: 'en', llm_api_key: 'sk-of-the-user' },
    })
    expect(saved).toMatchObject({ language: 'en', llm_api_key: null, llm_api_key_set: true, search_api_key_set: false })
    expect(await service.client.call(getSettingsV1)).toEqual(saved)
    const { allowed_hosts, prepare_sandboxes, pause_idle_after, max_running_sandboxes, ...others } = saved
    const { event_dialect, llm_options, archive_after_days, delete_after_days, ...legacy } = others
    const sandboxes = { allowed_hosts, prepare_sandboxes, pause_idle_after, max_running_sandboxes }
    expect({ ...sandboxes, event_dialect, llm_options, archive_after_days, delete_after_days }).toEqual({
      allowed_hosts: [],
      prepare_sandboxes: true,
      pause_idle_after: 60,
      max_running_sandboxes: null,
      event_dialect: null,
      llm_options: {},
      archive_after_days: null,
      delete_after_days: null,
    })
    expect(await (await get('/api/settings')).json()).toEqual(legacy)
  })

  it('hold the hosts that others may name, in one spelling, and nothing that is no host', async ({ service }) => {
    const allow = (allowed_hosts: string[] | null) =>
      service.client.call(storeSettingsV1, { body: { allowed_hosts } }).then(saved => saved.allowed_hosts)
    expect(await allow(['LOCALHOST.:08080', '0x7f.1', '::1', 'localhost:8080'])).toEqual([
      'localhost:8080',
      '127.0.0.1',
      '[::1]',
    ])
    for (const wrong of ['http://localhost', 'a b', 'user@host', 'localhost/path']) {
      await expect(allow([wrong])).rejects.toMatchObject({ code: 'bad_request' })
    }
    expect(await allow(null)).toEqual([])
  })

  it('show the user a mask for each key that is set, which saves nothing when it comes back', async ({ service }) => {
    const user = await service.client.call(getUser)
    expect(user).toMatchObject({ id: null, llm_api_key: '**********', search_api_key: null, sandbox_api_key: null })
    const { id: _, ...echo } = user
    await service.client.call(storeSettingsV1, { body: echo })
    expect(await service.client.call(getUser)).toEqual(user)
  })
})

it('resetting the settings is gone', async ({ service }) => {
  const reply = await fetch(`${service.url}/api/reset-settings`, {
    method: 'POST',
    headers: { 'X-Session-API-Key': service.key },
  })
  expect(reply.status).toBe(410)
  expect(await reply.json()).toEqual({ error: expect.any(String) })
})

describe('tool servers in the settings', () => {
  it('may be written as people write them, and are stored in one form', async ({ save }) => {
    const { body } = await save({
      sse_servers: ['https://example.com/sse', { url: ' https://example.com/2 ', api_key: null }],
      shttp_servers: [{ url: 'https://example.com/mcp', timeout: 60 }],
      stdio_servers: [
        { name: 'fetch', command: 'npx', args: `-y "a b" 'c d' e\\ f`, env: 'A=1,B=x=y' },
        { name: 'plain', command: 'uvx', args: ['one', 'two words'], env: { C: '' } },
      ],
    })
    expect(body.mcp_config).toEqual({
      sse_servers: [{ url: 'https://example.com/sse' }, { url: 'https://example.com/2', api_key: null }],
      shttp_servers: [{ url: 'https://example.com/mcp', timeout: 60 }],
      stdio_servers: [
        { name: 'fetch', command: 'npx', args: ['-y', 'a b', 'c d', 'e f'], env: { A: '1', B: 'x=y' } },
        { name: 'plain', command: 'uvx', args: ['one', 'two words'], env: { C: '' } },
      ],
    })
  })

  it.for<[object, string]>([
    [{ sse_servers: [''] }, 'Value error, URL cannot be empty'],
    [{ sse_servers: ['example.com'] }, 'Value error, URL must include a scheme (http:// or https://)'],
    [{ sse_servers: ['https://'] }, 'Value error, URL must include a valid domain/host'],
    [{ shttp_servers: [{ url: 'ftp://a' }] }, 'Value error, URL scheme must be http, https, ws, or wss'],
    [{ shttp_servers: [{ url: 'http://a', timeout: 0 }] }, 'Value error, Timeout must be positive'],
    [{ shttp_servers: [{ url: 'http://a', timeout: 3601 }] }, 'Value error, Timeout cannot exceed 3600 seconds'],
    [{ servers: [] }, 'Extra inputs are not permitted'],
  ])('%j are refused: %s', async ([config, msg], { save }) => {
    expect(await save(config)).toMatchObject({ status: 422, body: { detail: [{ msg }] } })
  })

  it.for<[object, string]>([
    [{ name: 'a b', command: 'x' }, 'name'],
    [{ name: 'a', command: 'x y' }, 'command'],
    [{ name: 'a', command: 'x', env: { '1A': '' } }, 'env'],
  ])('with %j are refused at %s', async ([server, field], { save }) => {
    const { status, body } = await save({ stdio_servers: [server] })
    expect(status).toBe(422)
    expect(body.detail[0].loc.slice(0, 5)).toEqual(['body', 'mcp_config', 'stdio_servers', '0', field])
  })
})

describe('known models', () => {
  it('are found by provider and by a part of the name, page by page', async ({ service }) => {
    const query = { provider__eq: 'anthropic', query: 'CLAUDE', limit: 2 }
    const first = await service.client.call(searchModels, { query })
    expect(first.items).toHaveLength(2)
    expect(first.items.every(({ provider, name }) => provider === 'anthropic' && /^claude/.test(name))).toBe(true)
    const second = await service.client.call(searchModels, { query: { ...query, page_id: first.next_page_id } })
    expect(second.items[0]).not.toEqual(first.items[0])
    const none = await service.client.call(searchModels, { query: { verified__eq: false } })
    expect(none).toEqual({ items: [], next_page_id: null })
  })

  it('have providers', async ({ service }) => {
    const { items } = await service.client.call(searchModelProviders, { query: { query: 'open' } })
    expect(items.map(({ name }) => name)).toEqual(expect.arrayContaining(['openai', 'openrouter']))
  })
})

describe('the configuration of a web client', () => {
  it('has no accounts, no billing and no analytics', async ({ service }) => {
    const config = await service.client.call(getWebClientConfig)
    expect(config).toMatchObject({
      app_mode: 'oss',
      posthog_client_key: null,
      feature_flags: { enable_billing: false },
    })
  })

  it('needs the key like every operation', async ({ get }) => {
    expect((await get('/api/v1/web-client/config', '')).status).toBe(401)
  })
})
