import { beforeEach, describe, expect } from 'vitest'
import { searchGitRepositories } from '../../../server/api/v1/git/routes.ts'
import { cancelGitSignIn, getGitSignIn, startGitSignIn } from '../../../server/api/v1/git/sign-ins.ts'
import { testProviderToken, unsetProviderTokensV1 } from '../../../server/api/v1/settings/secrets.ts'
import { getSettingsV1, storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { type FakeGitProvider, startGitProvider } from '../../fakes/git-provider.ts'
import { it as base } from '../../fixtures/service.ts'
import { createLockableVault } from '../../parts/secret/lockable-vault.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ vault, settings: { language: 'en' } }))
  .extend('start', { scope: 'file' }, ({ service }) => (name: 'github' | 'gitlab') => {
    return service.client.call(startGitSignIn, {
      body: { provider: name, host: provider.address, client_id: 'known-client' },
    })
  })
  .extend('get', { scope: 'file' }, ({ service }) => (id: string) => {
    return service.client.call(getGitSignIn, { params: { sign_in_id: id } })
  })
  .extend('ended', { scope: 'file' }, ({ get }) => async (id: string) => {
    await expect.poll(async () => (await get(id)).status, { timeout: 5000 }).not.toBe('pending')
    return get(id)
  })
  .extend('signIn', { scope: 'file' }, ({ ended, start }) => async (name: 'github' | 'gitlab'): Promise<void> => {
    expect(await ended((await start(name)).id)).toMatchObject({ status: 'succeeded' })
  })
  .extend('repositories', { scope: 'file' }, ({ service }) => (name: 'github' | 'gitlab') => {
    return service.client.call(searchGitRepositories, { query: { provider: name } })
  })

const vault = createLockableVault()
let provider: FakeGitProvider

beforeEach(async () => {
  provider = await startGitProvider()
  provider.signIns.person = 'allows'
  // Its polls are a second apart as a provider's are, only shorter.
  provider.signIns.interval = 0.05
})

it.afterEach(async ({ service }) => {
  vault.unlock()
  await service.client.call(unsetProviderTokensV1)
  await provider.close()
})

const values = () => vault.entries().map(([, value]) => value)

describe('signing in to a git provider', () => {
  it('stores the token as one that was given, in the keychain alone', async ({
    start,
    ended,
    service,
    repositories,
  }) => {
    const { id } = await start('github')
    const after = await ended(id)
    expect(after).toMatchObject({ status: 'succeeded', user: 'octocat', user_code: null })
    const settings = await service.client.call(getSettingsV1)
    expect(settings.provider_tokens_set).toEqual({ github: provider.address })
    const [device, access] = provider.signIns.secrets
    expect(values()).toEqual([access])
    for (const secret of [device, access]) expect(JSON.stringify([after, settings])).not.toContain(secret)
    expect((await repositories('github')).items).not.toEqual([])
  })

  it('leaves the tokens of other providers, and is tested like them', async ({ signIn, service }) => {
    await signIn('github')
    await signIn('gitlab')
    expect((await service.client.call(getSettingsV1)).provider_tokens_set).toEqual({
      github: provider.address,
      gitlab: provider.address,
    })
    const params = { provider: 'gitlab' } as const
    expect(await service.client.call(testProviderToken, { params })).toMatchObject({ user: 'tanuki' })
  })

  it('is gone after a start of the service, which polls no more and says so', async ({
    start,
    service,
    get,
    signIn,
  }) => {
    provider.signIns.person = 'thinks'
    const { id } = await start('gitlab')
    await service.restart()
    const polls = provider.signIns.polls.length
    await expect(get(id)).rejects.toMatchObject({ status: 404, message: expect.stringContaining('Sign in again') })
    provider.signIns.person = 'allows'
    await signIn('gitlab')
    expect(provider.signIns.polls.length).toBe(polls + 1)
  })

  it('that is cancelled stores nothing', async ({ start, service, get }) => {
    provider.signIns.person = 'thinks'
    const { id } = await start('github')
    await service.client.call(cancelGitSignIn, { params: { sign_in_id: id } })
    provider.signIns.person = 'allows'
    await expect(get(id)).rejects.toMatchObject({ status: 404 })
    expect(values()).toEqual([])
  })

  it('that the keychain does not take has failed, in its words, and stores nothing', async ({ ended, start }) => {
    vault.lock()
    const after = await ended((await start('github')).id)
    expect(after).toMatchObject({ status: 'failed', error: expect.stringContaining('Unlock it') })
    vault.unlock()
    expect(values()).toEqual([])
  })
})

describe('a token that expires', () => {
  beforeEach(() => {
    // Within the margin in which a token is renewed before it is used.
    provider.signIns.tokenLife = 60
  })

  it('is renewed before it is used, once for all who wait, and both old ones are dropped', async ({
    signIn,
    repositories,
  }) => {
    await signIn('gitlab')
    provider.signIns.tokenLife = 7200
    await Promise.all([repositories('gitlab'), repositories('gitlab'), repositories('gitlab')])
    expect(provider.signIns.renewals).toBe(1)
    const [, , , access, refresh] = provider.signIns.secrets
    expect(values()).toEqual([access, refresh])
    const form = provider.signIns.forms.at(-1)
    expect(form?.get('client_id')).toBe('known-client')
    await repositories('gitlab')
    expect(provider.signIns.renewals).toBe(1)
  })

  it('is renewed after a restart too', async ({ signIn, service, repositories }) => {
    await signIn('gitlab')
    await service.restart()
    provider.signIns.tokenLife = 7200
    expect((await repositories('gitlab')).items).not.toEqual([])
    expect(provider.signIns.renewals).toBe(1)
  })

  it('is used while it is valid when the provider cannot renew it', async ({ signIn, repositories }) => {
    await signIn('gitlab')
    provider.signIns.isDown = true
    expect((await repositories('gitlab')).items).not.toEqual([])
    expect(provider.signIns.forms.at(-1)?.get('grant_type')).toBe('refresh_token')
  })

  it('that has expired says so while the provider cannot renew it, and is renewed when it can', async ({
    signIn,
    repositories,
  }) => {
    provider.signIns.tokenLife = 0.001
    await signIn('gitlab')
    provider.signIns.isDown = true
    await expect(repositories('gitlab')).rejects.toMatchObject({
      status: 503,
      message: expect.stringMatching(/has to be renewed, which failed\. .*503\. Check the network/),
    })
    Object.assign(provider.signIns, { isDown: false, tokenLife: 7200 })
    expect((await repositories('gitlab')).items).not.toEqual([])
  })

  it('asks for another sign-in when it cannot be renewed any more', async ({ signIn, repositories }) => {
    provider.signIns.tokenLife = 0.001
    await signIn('gitlab')
    provider.signIns.revoke()
    await expect(repositories('gitlab')).rejects.toMatchObject({
      status: 401,
      code: 'provider_token_invalid',
      message: expect.stringMatching(/The sign-in to GitLab at localhost:\d+ has ended.*Sign in again/),
    })
  })

  it('that the keychain did not take after its renewal is stored at the next try, not lost', async ({
    signIn,
    repositories,
  }) => {
    await signIn('gitlab')
    provider.signIns.tokenLife = 7200
    vault.lock(1)
    await expect(repositories('gitlab')).rejects.toMatchObject({ status: 503 })
    expect(provider.signIns.renewals).toBe(1)
    vault.unlock()
    expect((await repositories('gitlab')).items).not.toEqual([])
    expect(provider.signIns.renewals).toBe(1)
  })
})

describe('a token of a sign-in that the provider refuses before its time', () => {
  it('is renewed, and what was asked is asked again', async ({ signIn, repositories, service }) => {
    await signIn('gitlab')
    provider.accepted.clear()
    expect((await repositories('gitlab')).items).not.toEqual([])
    provider.accepted.clear()
    const params = { provider: 'gitlab' } as const
    expect(await service.client.call(testProviderToken, { params })).toMatchObject({ user: 'tanuki' })
    expect(provider.signIns.renewals).toBe(2)
  })

  it('is not renewed once a token was given in its place', async ({ signIn, service, repositories }) => {
    await signIn('gitlab')
    const body = { secrets_store: { provider_tokens: { gitlab: { token: 'given', host: provider.address } } } }
    await service.client.call(storeSettingsV1, { body })
    expect(values()).toEqual(['given'])
    await expect(repositories('gitlab')).rejects.toMatchObject({ status: 401 })
    expect(provider.signIns.renewals).toBe(0)
  })
})
