import { describe, expect } from 'vitest'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { startGitProvider } from '../../fakes/git-provider.ts'
import { it as base } from '../../fixtures/service.ts'
import { createLockableVault } from '../../parts/secret/lockable-vault.ts'

const it = base
  .extend('provider', { scope: 'file' }, async ({}, { onCleanup }) => {
    const provider = await startGitProvider()
    onCleanup(() => provider.close())
    return provider
  })
  .extend('serviceOptions', { scope: 'file' }, async ({ provider }) => {
    for (const token of ['first', 'second', 'hub']) provider.accepted.add(`Bearer ${token}-token`)
    return { vault, settings: { language: 'en' } }
  })
  .extend('call', { scope: 'file' }, ({ service }) => async (method: string, path: string, body?: unknown) => {
    const reply = await fetch(service.url + path, {
      method,
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: await reply.json() }
  })
  .extend('store', { scope: 'file' }, ({ call }) => (provider_tokens: object) => {
    return call('POST', '/api/add-git-providers', { provider_tokens })
  })
  .extend('set', { scope: 'file' }, ({ call }) => async () => {
    return (await call('GET', '/api/settings')).body.provider_tokens_set
  })
  .extend('at', { scope: 'file' }, ({ provider }) => (token: string | null, host: string | null = provider.address) => {
    return { token, host }
  })

const vault = createLockableVault()

it.beforeEach(({ provider }) => {
  provider.mood = 'well'
  provider.requests.length = 0
})

it.afterEach(async ({ call }) => {
  vault.unlock()
  await call('POST', '/api/unset-provider-tokens')
})
const values = () => vault.entries().map(([, value]) => value)

describe('provider tokens', () => {
  it('are stored when the provider knows them, and shown as set, never as they are', async ({
    at,
    store,
    call,
    provider,
  }) => {
    const gitlab = { ...at('first-token'), user_id: '7' }
    expect(await store({ gitlab })).toEqual({ status: 200, body: { message: 'Git providers stored' } })
    const settings = await call('GET', '/api/settings')
    expect(settings.body.provider_tokens_set).toEqual({ gitlab: provider.address })
    expect(settings.body.secrets_store).toEqual({ provider_tokens: {} })
    expect(JSON.stringify(settings.body)).not.toContain('first-token')
    expect(values()).toContain('first-token')
  })

  it('are refused all together when one is wrong, whichever it is', async ({ store, at, set, provider }) => {
    await store({ gitlab: at('first-token') })
    for (const [github, gitlab, wrong] of [
      ['wrong-token', 'second-token', 'github'],
      ['hub-token', 'wrong-token', 'gitlab'],
    ] as const) {
      expect(await store({ github: at(github), gitlab: at(gitlab) })).toEqual({
        status: 401,
        body: { error: `Invalid token. Please make sure it is a valid ${wrong} token.` },
      })
      expect(await set()).toEqual({ gitlab: provider.address })
      expect(values()).toEqual(['first-token'])
    }
  })

  it('are told apart from a provider that is away, which loses nothing', async ({ store, at, provider, set }) => {
    await store({ gitlab: at('first-token') })
    provider.mood = 'down'
    const away = await store({ gitlab: at('second-token'), github: at('hub-token') })
    expect(away).toMatchObject({
      status: 503,
      body: { error: expect.stringMatching(/GitHub at localhost.*try again/) },
    })
    const nobody = await store({ gitlab: at('second-token', 'http://127.0.0.1:9') })
    expect(nobody).toMatchObject({ status: 503, body: { error: expect.stringContaining('could not be reached') } })
    expect(values()).toEqual(['first-token'])
    expect(await set()).toEqual({ gitlab: provider.address })
  })

  it.for(['', null, undefined, '**********'])(
    'that come back as %j keep the stored one unasked',
    async (token, { store, at, provider }) => {
      await store({ gitlab: at('first-token') })
      provider.requests.length = 0
      provider.mood = 'down'
      expect(await store({ gitlab: { token, host: provider.address } })).toMatchObject({ status: 200 })
      expect(provider.requests).toEqual([])
      expect(values()).toEqual(['first-token'])
    },
  )

  it('are the whole map: a provider that is not named is removed', async ({ store, at, set, provider, call }) => {
    await store({ gitlab: at('first-token'), github: at('hub-token') })
    await store({ github: at('') })
    expect(await set()).toEqual({ github: provider.address })
    expect(values()).toEqual(['hub-token'])
    await call('POST', '/api/add-git-providers', {})
    expect(await set()).toEqual({})
    expect(values()).toEqual([])
  })

  it('that are empty and were never stored are nothing', async ({ store, set }) => {
    const blank = { token: '', host: '' }
    expect(await store({ github: blank, gitlab: blank, bitbucket: blank })).toMatchObject({ status: 200 })
    expect(await set()).toEqual({})
  })

  it('are checked again where the host of a stored one changes', async ({ store, at, set, provider }) => {
    await store({ gitlab: at('first-token') })
    const elsewhere = await startGitProvider()
    try {
      expect(await store({ gitlab: at('', elsewhere.address) })).toMatchObject({ status: 401 })
      expect(await set()).toEqual({ gitlab: provider.address })
      elsewhere.accepted.add('Bearer first-token')
      expect(await store({ gitlab: at('', elsewhere.address) })).toMatchObject({ status: 200 })
      expect(await set()).toEqual({ gitlab: elsewhere.address })
    } finally {
      await elsewhere.close()
    }
  })

  it('of enterprise_sso are for the server at the host that is given, and refused without one', async ({
    store,
    provider,
    at,
    set,
    call,
  }) => {
    expect(await store({ enterprise_sso: { token: 'first-token' } })).toMatchObject({
      status: 401,
      body: { error: expect.stringContaining('valid enterprise_sso token. Give the host') },
    })
    provider.only = 'gitlab'
    try {
      expect(await store({ enterprise_sso: at('wrong-token') })).toMatchObject({ status: 401 })
      expect(await store({ enterprise_sso: at('first-token') })).toMatchObject({ status: 200 })
      expect(await set()).toEqual({ enterprise_sso: provider.address })
      const test = () => call('POST', '/api/v1/secrets/git-providers/enterprise_sso/test')
      const works = { user: 'tanuki', host: provider.address, software: 'gitlab' }
      expect(await test()).toEqual({ status: 200, body: works })
      for (const path of [
        '/api/user/repositories?selected_provider=enterprise_sso',
        '/api/v1/git/repositories/search',
      ]) {
        const { body } = await call('GET', path)
        expect(body.items ?? body).toContainEqual(
          expect.objectContaining({ full_name: 'zoo/cats/tiger', git_provider: 'enterprise_sso' }),
        )
      }
      expect((await call('GET', '/api/user/info')).body).toMatchObject({ login: 'tanuki' })
    } finally {
      provider.only = null
    }
  })

  it('of enterprise_sso that were stored without a check are known once they are tested', async ({
    provider,
    at,
    service,
    call,
  }) => {
    provider.only = 'github'
    try {
      const secrets_store = { provider_tokens: { enterprise_sso: at('hub-token') } }
      await service.client.call(storeSettings, { body: { secrets_store } })
      const list = () => call('GET', '/api/v1/git/repositories/search?provider=enterprise_sso')
      expect(await list()).toMatchObject({ status: 400, body: { detail: expect.stringContaining('Test it in') } })
      await call('POST', '/api/v1/secrets/git-providers/enterprise_sso/test')
      expect((await list()).body.items).toContainEqual(expect.objectContaining({ full_name: 'octocat/hello' }))
    } finally {
      provider.only = null
    }
  })

  it('are unset together, and custom secrets stay', async ({ call, store, at, set }) => {
    await call('POST', '/api/secrets', { name: 'KEPT', value: 'kept-value' })
    await store({ gitlab: at('first-token') })
    expect(await call('POST', '/api/unset-provider-tokens')).toEqual({
      status: 200,
      body: { message: 'Unset Git provider tokens' },
    })
    expect(await set()).toEqual({})
    expect(values()).toEqual(['kept-value'])
    await call('DELETE', '/api/secrets/KEPT')
  })

  it('are neither stored nor unset while the keychain is locked', async ({ store, at, call, set, provider }) => {
    await store({ gitlab: at('first-token') })
    vault.lock()
    expect(await store({ gitlab: at('second-token') })).toMatchObject({ status: 503 })
    expect(await call('POST', '/api/unset-provider-tokens')).toMatchObject({ status: 503 })
    expect(await set()).toEqual({ gitlab: provider.address })
    vault.unlock()
    vault.lock(1)
    const half = await store({ gitlab: at('second-token'), github: at('hub-token') })
    expect(half).toMatchObject({ status: 503, body: { error: expect.stringContaining('Unlock it') } })
    vault.unlock()
    expect(await set()).toEqual({ gitlab: provider.address })
    await call('POST', '/api/secrets', { name: 'NEXT', value: 'next-value' })
    expect(values().sort()).toEqual(['first-token', 'next-value'])
    await call('DELETE', '/api/secrets/NEXT')
  })

  it('that two clients store at once end as one of the two maps', async ({ store, at, set, provider }) => {
    await Promise.all([store({ gitlab: at('first-token') }), store({ gitlab: at('second-token') })])
    expect(values()).toHaveLength(1)
    expect(await set()).toEqual({ gitlab: provider.address })
  })

  it('in the settings body are merged without asking anyone', async ({ store, at, provider, service, set }) => {
    await store({ gitlab: at('first-token') })
    provider.requests.length = 0
    const secrets_store = { provider_tokens: { github: at('hub-token') } }
    await service.client.call(storeSettings, { body: { secrets_store } })
    await service.client.call(storeSettings, { body: { secrets_store: { provider_tokens: {} } } })
    expect(await set()).toEqual({ gitlab: provider.address, github: provider.address })
    expect(provider.requests).toEqual([])
  })

  it('are tested as they are stored, and never told', async ({ call, store, at, provider, set }) => {
    const test = (name: string) => call('POST', `/api/v1/secrets/git-providers/${name}/test`)
    await store({ gitlab: at('first-token') })
    expect(await test('gitlab')).toEqual({
      status: 200,
      body: { user: 'tanuki', host: provider.address, software: 'gitlab' },
    })
    expect(await test('github')).toMatchObject({ status: 404, body: { code: 'secret_not_found' } })
    provider.accepted.delete('Bearer first-token')
    const revoked = await test('gitlab')
    provider.accepted.add('Bearer first-token')
    expect(revoked).toMatchObject({ status: 401, body: { code: 'provider_token_invalid' } })
    expect(revoked.body.detail).toMatch(/^GitLab at .*refuses the stored token/)
    for (const mood of ['down', 'rate-limited', 'web page', 'redirecting'] as const) {
      provider.mood = mood
      const away = await test('gitlab')
      expect(away).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } })
      expect(JSON.stringify([revoked, away])).not.toContain('first-token')
    }
    vault.lock()
    expect(await test('gitlab')).toMatchObject({ status: 503, body: { code: 'keychain_locked' } })
    vault.unlock()
    expect(await set()).toEqual({ gitlab: provider.address })
  })

  it('have the same operations in the newer generation', async ({ call, at, provider, set }) => {
    const path = '/api/v1/secrets/git-providers'
    expect(await call('POST', path, { provider_tokens: { gitlab: at('first-token') } })).toMatchObject({ status: 200 })
    expect(await call('POST', path, { provider_tokens: { gitlab: at('wrong-token') } })).toMatchObject({
      status: 401,
      body: { code: 'provider_token_invalid' },
    })
    expect((await call('GET', '/api/v1/settings')).body.provider_tokens_set).toEqual({ gitlab: provider.address })
    expect(await call('DELETE', path)).toMatchObject({ status: 200 })
    expect(await set()).toEqual({})
  })

  it.for([
    [{ provider_tokens: { svn: {} } }, ['body', 'provider_tokens', 'svn', '[key]'], 'enum'],
    [{ provider_tokens: { github: 'text' } }, ['body', 'provider_tokens', 'github'], 'model_attributes_type'],
    [{ provider_tokens: { github: { token: 7 } } }, ['body', 'provider_tokens', 'github', 'token'], 'string_type'],
    [{ provider_tokens: [] }, ['body', 'provider_tokens'], 'dict_type'],
    [{ mcp_config: { other: [] } }, ['body', 'mcp_config', 'other'], 'extra_forbidden'],
  ])('of the shape %j are refused at %j with %s', async ([body, loc, type], { call }) => {
    const reply = await call('POST', '/api/add-git-providers', body)
    expect(reply).toMatchObject({ status: 422, body: { detail: [{ loc, type }] } })
  })
})
