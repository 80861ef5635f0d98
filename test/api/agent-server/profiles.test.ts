import { afterEach, describe, expect } from 'vitest'
import { getSettings, storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said } from '../../parts/client/conversation.ts'
import { gatewayCaller, startGatewaySandbox } from '../../parts/client/gateway.ts'
import { watchGateway } from '../../parts/client/watch-gateway.ts'
import { filesWith } from '../../parts/secret/kept-secrets.ts'
import { createLockableVault } from '../../parts/secret/lockable-vault.ts'

type Clients = typeof import('@openhands/typescript-client/clients')

const vault = createLockableVault()

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    vault,
    settings: scripted(model, { llm_api_key: 'sk-of-the-settings' }),
  }))
  // Both are replaced where the service is restarted, which then has another port.
  .extend('callers', { scope: 'file' }, async ({ app, service }) => ({
    app,
    sandbox: (await startGatewaySandbox(service)).caller,
  }))
  .extend('llm', { scope: 'file' }, ({ model }) => (fields: object = {}) => {
    return {
      llm: { model: 'openai/saved', base_url: model.url.openai, api_key: 'sk-of-the-profile', ...fields },
    }
  })
  .extend('save', { scope: 'file' }, ({ callers, llm }) => (name: string, body: object = llm()) => {
    return callers.app.call('POST', `/api/profiles/${name}`, body)
  })
  .extend('get', { scope: 'file' }, ({ callers }) => (name: string) => {
    return callers.app.call('GET', `/api/profiles/${name}`)
  })
  .extend('validate', { scope: 'file' }, ({ callers }) => (body: object) => {
    return callers.app.call('POST', '/api/profiles/tried/validate', body)
  })
  .extend('run', { scope: 'file' }, ({ callers, model }) => async (id: string) => {
    model.setScript([FINISH])
    const asked = model.request(model.requests.length)
    await callers.sandbox.call('POST', `/api/conversations/${id}/events`, { ...said('More'), run: true })
    const request = await asked
    const seen = await watchGateway(callers.sandbox, id)
    await seen.untilStatus('finished')
    await seen.close()
    return { model: request.model, key: request.headers.authorization }
  })

afterEach(() => vault.unlock())

const FINISH = { toolCalls: [{ name: 'finish', arguments: { message: 'Done.' } }] }
const stored = () => vault.entries().map(([, value]) => value)

describe('profiles', () => {
  it('are saved, listed, renamed and deleted by the client of agent servers, and no key is told', async ({
    callers: { app },
    llm,
    model,
    get,
    service,
  }) => {
    const clients: Clients = await import('@openhands/typescript-client/clients')
    const client = new clients.SettingsClient({ host: app.url, apiKey: app.key })
    expect(await client.saveProfile('fast', llm() as never)).toEqual({ name: 'fast', message: "Profile 'fast' saved" })
    expect(await client.listProfiles()).toEqual({
      profiles: [{ name: 'fast', model: 'openai/saved', base_url: model.url.openai, options: {}, api_key_set: true }],
      active_profile: null,
    })
    expect(await client.getProfile('fast', { exposeSecrets: 'plaintext' })).toEqual({
      name: 'fast',
      config: { model: 'openai/saved', base_url: model.url.openai, api_key: null },
      api_key_set: true,
    })
    expect(await client.renameProfile('fast', 'quick')).toMatchObject({ name: 'quick' })
    expect((await get('fast')).status).toBe(404)
    expect(stored()).toContain('sk-of-the-profile')
    expect(filesWith(service.dataDir, 'sk-of-the-profile')).toEqual([])
    expect(await client.deleteProfile('quick')).toMatchObject({ name: 'quick' })
    expect(await client.deleteProfile('quick')).toMatchObject({ name: 'quick' })
    expect(stored()).not.toContain('sk-of-the-profile')
  })

  it.for<[string, object, boolean, string[]]>([
    ['nothing said of the key', { api_key: undefined }, true, ['sk-of-the-profile']],
    ['null', { api_key: null }, true, ['sk-of-the-profile']],
    ['the mask', { api_key: '**********' }, true, ['sk-of-the-profile']],
    ['another key', { api_key: 'sk-another-one' }, true, ['sk-another-one']],
    ['an empty key', { api_key: '' }, false, []],
  ])('saved again with %s', async ([_what, fields, isSet, keys], { save, llm, get, callers: { app } }) => {
    await save('again')
    expect((await save('again', llm(fields))).status).toBe(201)
    expect((await get('again')).body.api_key_set).toBe(isSet)
    expect(stored().filter(value => value.startsWith('sk-') && value !== 'sk-of-the-settings')).toEqual(keys)
    await app.call('DELETE', '/api/profiles/again')
  })

  it('that are not to hold secrets have no key', async ({ save, llm, get }) => {
    await save('bare', { ...llm(), include_secrets: false })
    expect((await get('bare')).body.api_key_set).toBe(false)
    expect(stored()).not.toContain('sk-of-the-profile')
  })

  it('are refused without a model, under a name that is none, and when there are too many', async ({
    save,
    callers: { app },
    llm,
  }) => {
    expect((await save('x', { llm: { model: ' ' } })).status).toBe(400)
    expect((await save('x', { llm: { model: 'nobody/knows' } })).body.code).toMatch(/^llm_/)
    expect((await save('.hidden')).status).toBe(422)
    expect((await save('a'.repeat(65))).status).toBe(422)
    const before = (await app.call('GET', '/api/profiles')).body.profiles.length
    for (let index = before; index < 50; index++) await save(`many-${index}`, llm({ api_key: undefined }))
    expect((await save('one-more')).body).toMatchObject({ code: 'conflict' })
    expect(stored()).not.toContain('sk-of-the-profile')
    for (let index = before; index < 50; index++) await app.call('DELETE', `/api/profiles/many-${index}`)
  })

  it('cannot be renamed to a name that is taken, or when they are not there', async ({ save, callers: { app } }) => {
    await save('one')
    await save('two')
    const rename = (name: string, new_name: string) => app.call('POST', `/api/profiles/${name}/rename`, { new_name })
    expect((await rename('one', 'two')).status).toBe(409)
    expect((await rename('none', 'three')).status).toBe(404)
    expect((await rename('none', 'none')).status).toBe(404)
    expect((await rename('one', 'one')).status).toBe(200)
  })

  it('are not saved while the keychain is locked', async ({ save, get }) => {
    vault.lock()
    expect((await save('locked')).body).toMatchObject({ code: 'keychain_locked' })
    vault.unlock()
    expect((await get('locked')).status).toBe(404)
  })

  it('are the app’s: the key of a sandbox neither sees nor changes them', async ({
    save,
    llm,
    callers: { sandbox },
    get,
  }) => {
    await save('mine')
    for (const [method, path, body] of [
      ['GET', '/api/profiles', undefined],
      ['GET', '/api/profiles/mine', undefined],
      ['POST', '/api/profiles/mine', llm()],
      ['DELETE', '/api/profiles/mine', undefined],
      ['POST', '/api/profiles/mine/rename', { new_name: 'yours' }],
      ['POST', '/api/profiles/mine/activate', {}],
      ['POST', '/api/profiles/mine/validate', llm()],
    ] as const) {
      const reply = await sandbox.call(method, path, body)
      expect([path, reply.status, reply.body.code]).toEqual([path, 403, 'forbidden'])
    }
    expect((await get('mine')).body.api_key_set).toBe(true)
  })
})

describe('a profile that is activated', () => {
  it('becomes the model of the settings with its key, and is active until these change', async ({
    save,
    callers: { app },
    service,
    model,
  }) => {
    await save('chosen')
    const activated = await app.call('POST', '/api/profiles/chosen/activate', {})
    expect(activated.body).toMatchObject({ name: 'chosen', llm_applied: true })
    const active = async () => (await app.call('GET', '/api/profiles')).body.active_profile
    expect(await active()).toBe('chosen')
    expect(await service.client.call(getSettings, {})).toMatchObject({
      llm_model: 'openai/saved',
      llm_base_url: model.url.openai,
      llm_api_key_set: true,
    })
    expect(await vault.get('llm_api_key')).toBe('sk-of-the-profile')
    await app.call('POST', '/api/profiles/chosen/rename', { new_name: 'renamed' })
    expect(await active()).toBe('renamed')
    await service.client.call(storeSettings, { body: { llm_model: 'openai/other' } })
    expect(await active()).toBeNull()
    expect((await app.call('POST', '/api/profiles/none/activate', {})).status).toBe(404)
  })

  it('without a key never takes the stored one to another address', async ({
    model,
    service,
    save,
    callers: { app },
  }) => {
    const body = { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-of-the-settings' }
    await service.client.call(storeSettings, { body })
    await save('same', { llm: { model: 'openai/next', base_url: model.url.openai } })
    await app.call('POST', '/api/profiles/same/activate', {})
    expect(await vault.get('llm_api_key')).toBe('sk-of-the-settings')
    await save('elsewhere', { llm: { model: 'openai/next', base_url: 'http://elsewhere.example/v1' } })
    await app.call('POST', '/api/profiles/elsewhere/activate', {})
    expect(await vault.get('llm_api_key')).toBeNull()
    await service.client.call(storeSettings, { body })
  })
})

describe('a profile that is tried out', () => {
  it('is valid when its model answers, and when it is only busy', async ({ model, validate, llm }) => {
    model.setScript([{ text: 'Ready.' }])
    expect((await validate(llm())).body).toEqual({ valid: true, error: null })
    expect(model.requests.at(-1)?.headers.authorization).toBe('Bearer sk-of-the-profile')
    model.setScript([{ fault: 'rate-limit' }])
    expect((await validate(llm())).body).toEqual({ valid: true, error: null })
  })

  it('says in the class that clients know why it is not, and nothing is saved', async ({
    model,
    validate,
    llm,
    get,
  }) => {
    model.setScript([{ fault: 'authentication' }])
    expect((await validate(llm())).body).toMatchObject({ valid: false, error: { type: 'LLMAuthenticationError' } })
    const nobody = await validate(llm({ base_url: 'http://127.0.0.1:2/v1' }))
    expect(nobody.body).toMatchObject({ valid: false, error: { type: 'LLMServiceUnavailableError' } })
    expect((await get('tried')).status).toBe(404)
  })
})

describe('a conversation that switches to a profile', () => {
  it('goes on with its model and key, also after a restart, and without the key once it is deleted', async ({
    model,
    save,
    llm,
    callers,
    run,
    service,
  }) => {
    const elsewhere = model.url.openai.replace('127.0.0.1', 'localhost')
    await save('other', llm({ base_url: elsewhere }))
    const workspace = { working_dir: '/workspace/project' }
    const { body } = await callers.sandbox.call('POST', '/api/conversations', { agent: { llm: {} }, workspace })
    const path = `/api/conversations/${body.id}/switch_profile`
    expect((await callers.sandbox.call('POST', path, { profile_name: 'other' })).body).toEqual({ success: true })
    expect(await run(body.id)).toEqual({ model: 'saved', key: 'Bearer sk-of-the-profile' })
    await service.restart()
    callers.app = gatewayCaller(service, callers.app.key)
    callers.sandbox = gatewayCaller(service, callers.sandbox.key)
    expect(await run(body.id)).toEqual({ model: 'saved', key: 'Bearer sk-of-the-profile' })
    await callers.app.call('DELETE', '/api/profiles/other')
    expect((await run(body.id)).key ?? '').not.toContain('sk-of-the')
    expect((await callers.sandbox.call('POST', path, { profile_name: 'other' })).status).toBe(404)
    const unknown = `/api/conversations/${'0'.repeat(32)}/switch_profile`
    expect((await callers.sandbox.call('POST', unknown, { profile_name: 'other' })).status).toBe(404)
  })
})
