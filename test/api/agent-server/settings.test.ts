import { afterEach, describe, expect } from 'vitest'
import { getSettings, storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { gatewayCaller, startGatewaySandbox } from '../../parts/client/gateway.ts'
import { createLockableVault } from '../../parts/secret/lockable-vault.ts'

const vault = createLockableVault()

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ vault }))
  // Both are replaced where the service is restarted, which then has another port.
  .extend('callers', { scope: 'file' }, async ({ app, service }) => ({
    app,
    sandbox: (await startGatewaySandbox(service)).caller,
  }))
  .extend('clients', { scope: 'file' }, ({}) => import('@openhands/typescript-client/clients'))
  .extend(
    'client',
    { scope: 'file' },
    ({ callers, clients }) => new clients.SettingsClient({ host: callers.app.url, apiKey: callers.app.key }),
  )
  .extend('patch', { scope: 'file' }, ({ callers }) => (body: object) => {
    return callers.app.call('PATCH', '/api/settings', body)
  })
  .extend('settings', { scope: 'file' }, ({ service }) => () => {
    return service.client.call(getSettings, {})
  })

afterEach(() => vault.unlock())

const stored = () => vault.entries().map(([, value]) => value)

describe('the settings of the app on the gateway', () => {
  it('are there before anything was saved', async ({ client }) => {
    expect(await client.getSettings()).toEqual({
      agent_settings: {
        schema_version: 1,
        agent_kind: 'openhands',
        llm: { model: null, api_key: null, base_url: null },
        condenser: { enabled: true, max_size: null },
        mcp_config: {},
      },
      conversation_settings: {
        schema_version: 1,
        max_iterations: null,
        max_budget_per_task: null,
        confirmation_mode: false,
        security_analyzer: null,
      },
      llm_api_key_is_set: false,
      active_profile: null,
      active_agent_profile_id: null,
      misc_settings: {},
    })
  })

  it('are changed field by field by the client of agent servers, and the key is never told', async ({
    service,
    client,
    settings,
  }) => {
    await service.client.call(storeSettings, { body: { git_user_name: 'Ada', llm_base_url: 'http://old.example' } })
    const reply = await client.updateSettings({
      agent_settings_diff: { llm: { model: 'openai/gpt-5', api_key: 'sk-through-the-gateway', temperature: 0.3 } },
      conversation_settings_diff: { max_iterations: 40, confirmation_mode: true, security_analyzer: 'llm' },
    })
    expect(reply).toMatchObject({
      agent_settings: { llm: { model: 'openai/gpt-5', api_key: '**********', base_url: 'http://old.example' } },
      conversation_settings: { max_iterations: 40, confirmation_mode: true, security_analyzer: 'llm' },
      llm_api_key_is_set: true,
    })
    expect(await settings()).toMatchObject({
      git_user_name: 'Ada',
      llm_model: 'openai/gpt-5',
      llm_base_url: 'http://old.example',
      max_iterations: 40,
      llm_api_key_set: true,
    })
    expect(await vault.get('llm_api_key')).toBe('sk-through-the-gateway')
    const exposed = await client.getSettings({ exposeSecrets: 'plaintext' })
    expect(JSON.stringify(exposed)).not.toContain('sk-through-the-gateway')
  })

  it.for<[string, object, object]>([
    [
      'what is read is saved again',
      { agent_settings_diff: 'as read' },
      { llm_model: 'openai/gpt-5', llm_api_key_set: true },
    ],
    ['a field is cleared', { agent_settings_diff: { llm: { base_url: null } } }, { llm_base_url: null }],
    ['null is sent for the key', { agent_settings_diff: { llm: { api_key: null } } }, { llm_api_key_set: true }],
    ['the key is emptied', { agent_settings_diff: { llm: { api_key: '' } } }, { llm_api_key_set: false }],
    ['a part is null', { agent_settings_diff: { llm: null, condenser: null } }, { llm_model: 'openai/gpt-5' }],
    [
      'the condenser is set up',
      { agent_settings_diff: { condenser: { enabled: false, max_size: 80 } } },
      { enable_default_condenser: false, condenser_max_size: 80 },
    ],
    ['a budget is set', { conversation_settings_diff: { max_budget_per_task: 2.5 } }, { max_budget_per_task: 2.5 }],
  ])('keep the rest when %s', async ([_what, body, expected], { callers: { app }, patch, settings }) => {
    const { llm, condenser } = (await app.call('GET', '/api/settings')).body.agent_settings
    const sent = 'agent_settings_diff' in body && body.agent_settings_diff === 'as read'
    const reply = await patch(sent ? { agent_settings_diff: { llm, condenser } } : body)
    expect([reply.status, reply.body.detail]).toEqual([200, undefined])
    expect(await settings()).toMatchObject({ ...expected, git_user_name: 'Ada', max_iterations: 40 })
  })

  it.for<[number, object, RegExp]>([
    [400, {}, /active_profile/],
    [400, { unknown: 1 }, /agent_settings_diff/],
    [422, { agent_settings_diff: { llm: { model: 7 } } }, /agent_settings_diff/],
    [422, { agent_settings_diff: { llm: { model: '' } } }, /model/],
    [422, { conversation_settings_diff: { confirmation_mode: null } }, /confirmation_mode/],
    [422, { active_profile: '../nobody' }, /active_profile/],
    [422, { active_profile: '' }, /active_profile/],
    [422, { conversation_settings_diff: { max_iterations: 0 } }, /max_iterations/],
    [422, { agent_settings_diff: { condenser: { max_size: 3 } } }, /max_size/],
    [501, { agent_settings_diff: { agent_kind: 'acp' } }, /one kind of agent/],
    [501, { agent_settings_diff: { verification: { critic_enabled: true } } }, /verification/],
    [501, { agent_settings_diff: { mcp_config: { x: { command: 'x' } } } }, /mcp_config/],
    [501, { conversation_settings_diff: { something: 1 } }, /something/],
    [501, { active_agent_profile_id: 'x' }, /agent profiles/],
    [404, { active_profile: 'nobody' }, /nobody/],
    [413, { misc_settings_diff: { big: 'x'.repeat(70_000) } }, /characters/],
  ])('are refused with %i: %j', async ([status, body, words], { settings, patch }) => {
    const before = await settings()
    const reply = await patch(body)
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([status, expect.stringMatching(words)])
    expect(await settings()).toEqual(before)
  })

  it('tell nothing to who asks for secrets in a way that nobody knows, and no more to others', async ({
    callers: { app },
  }) => {
    const get = (path: string, way: string) =>
      fetch(app.url + path, { headers: { 'X-Session-API-Key': app.key, 'X-Expose-Secrets': way } })
    await app.call('POST', '/api/profiles/mine', { llm: { model: 'openai/gpt-5', api_key: 'sk-of-a-profile' } })
    for (const path of ['/api/settings', '/api/profiles/mine']) {
      for (const way of ['invalid', '', 'plaintext,encrypted']) {
        const reply = await get(path, way)
        expect([way, reply.status, (await reply.json()).detail]).toEqual([way, 400, expect.stringMatching(/X-Expose-/)])
      }
      for (const way of ['plaintext', 'encrypted', 'true', 'PLAINTEXT']) {
        const reply = await get(path, way)
        expect([way, reply.status, await reply.text()]).toEqual([way, 200, expect.not.stringMatching(/sk-/)])
      }
    }
  })

  it.for(['123_invalid', 'with-hyphen', 'with space', 'ümlaut', ''])(
    'refuse the secret name %j',
    async (name, { callers: { app } }) => {
      const reply = await app.call('PUT', '/api/settings/secrets', { name, value: 'open-sesame' })
      expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ['body', 'name']])
    },
  )

  it('change nothing while the keychain is locked', async ({ settings, patch }) => {
    const before = await settings()
    vault.lock()
    const body = { agent_settings_diff: { llm: { model: 'openai/other', api_key: 'sk-refused' } } }
    expect((await patch(body)).body).toMatchObject({ code: 'keychain_locked' })
    vault.unlock()
    expect(await settings()).toEqual(before)
  })

  it('show tool servers without what they carry of keys', async ({ service, callers: { app } }) => {
    const mcp_config = {
      stdio_servers: [{ name: 'files', command: 'run-it', args: ['--x'], env: { TOKEN: 'value-of-the-token' } }],
      sse_servers: [],
      shttp_servers: [{ url: 'https://mcp.example.com/v1', api_key: 'value-of-the-key' }],
    }
    await service.client.call(storeSettings, { body: { mcp_config } })
    const { body } = await app.call('GET', '/api/settings')
    expect(body.agent_settings.mcp_config).toEqual({
      files: { transport: 'stdio', command: 'run-it', args: ['--x'], env: { TOKEN: '**********' } },
      example: {
        transport: 'http',
        url: 'https://mcp.example.com/v1',
        auth: { strategy: 'bearer', value: '**********' },
      },
    })
    expect(JSON.stringify(body)).not.toMatch(/value-of-the/)
    await service.client.call(storeSettings, { body: { mcp_config: null } })
  })

  it('keep what clients put there for themselves: objects merged, lists replaced, null removed', async ({
    patch,
    service,
    callers,
  }) => {
    await patch({ misc_settings_diff: { ui: { theme: 'dark', tabs: [1, 2] }, seen: true } })
    const { body } = await patch({ misc_settings_diff: { ui: { tabs: [3], wide: true }, seen: null } })
    expect(body.misc_settings).toEqual({ ui: { theme: 'dark', tabs: [3], wide: true } })
    await service.restart()
    callers.app = gatewayCaller(service, callers.app.key)
    callers.sandbox = gatewayCaller(service, callers.sandbox.key)
    expect((await callers.app.call('GET', '/api/settings')).body.misc_settings).toEqual(body.misc_settings)
    await patch({ misc_settings_diff: { ui: null } })
  })

  it('activate a profile, and forget that one was', async ({ callers: { app }, patch }) => {
    const llm = { model: 'openai/saved', base_url: 'http://saved.example/v1', api_key: 'sk-of-the-profile' }
    await app.call('POST', '/api/profiles/saved', { llm })
    expect((await patch({ active_profile: 'saved' })).body).toMatchObject({
      active_profile: 'saved',
      agent_settings: { llm: { model: 'openai/saved' } },
    })
    expect((await patch({ active_profile: null })).body).toMatchObject({
      active_profile: null,
      agent_settings: { llm: { model: 'openai/saved' } },
    })
  })

  it('are described for forms, each field with the place where it is read and changed', async ({
    callers: { app },
    clients,
  }) => {
    const { body } = await app.call('GET', '/api/settings')
    const again = new clients.SettingsClient({ host: app.url, apiKey: app.key })
    const agent = await again.getAgentSchema()
    const conversation = await again.getConversationSchema()
    const keys = (schema: typeof agent) => schema.sections.flatMap(({ fields }) => fields.map(({ key }) => key))
    expect(keys(agent)).toEqual(['llm.model', 'llm.api_key', 'llm.base_url', 'condenser.enabled', 'condenser.max_size'])
    for (const key of keys(agent)) {
      const [part = '', name = ''] = key.split('.')
      expect(Object.keys(body.agent_settings[part])).toContain(name)
    }
    expect(Object.keys(body.conversation_settings)).toEqual(['schema_version', ...keys(conversation)])
    const secret = agent.sections.flatMap(({ fields }) => fields).filter(field => field.secret)
    expect(secret.map(({ key }) => key)).toEqual(['llm.api_key'])
  })

  it('are not the business of a sandbox’s key', async ({ callers: { sandbox }, settings }) => {
    for (const [method, path, body] of [
      ['GET', '/api/settings', undefined],
      ['PATCH', '/api/settings', { agent_settings_diff: { llm: { base_url: 'http://evil.example' } } }],
      ['GET', '/api/settings/secrets', undefined],
      ['PUT', '/api/settings/secrets', { name: 'A', value: 'some-value' }],
      ['DELETE', '/api/settings/secrets/A', undefined],
    ] as const) {
      const reply = await sandbox.call(method, path, body)
      expect([method, path, reply.status, reply.body.code]).toEqual([method, path, 403, 'forbidden'])
    }
    expect((await settings()).llm_base_url).not.toContain('evil')
  })
})

describe('the user’s secrets on the gateway', () => {
  it('are put, listed, replaced and deleted by the client of agent servers, and their values are told to nobody', async ({
    clients,
    callers: { app },
  }) => {
    const again = new clients.SettingsClient({ host: app.url, apiKey: app.key })
    const put = (value: string, description?: string) =>
      again.upsertSecret({ name: 'NPM_TOKEN', value, ...(description && { description }) })
    expect(await put('value-number-1', 'for publishing')).toEqual({ name: 'NPM_TOKEN', description: 'for publishing' })
    expect(await put('value-number-2')).toEqual({ name: 'NPM_TOKEN', description: 'for publishing' })
    expect(await again.listSecrets()).toEqual({ secrets: [{ name: 'NPM_TOKEN', description: 'for publishing' }] })
    expect(stored()).toContain('value-number-2')
    expect(stored()).not.toContain('value-number-1')
    const value = await app.call('GET', '/api/settings/secrets/NPM_TOKEN')
    expect([value.status, value.body.code]).toEqual([501, 'not_supported'])
    expect(await again.deleteSecret('NPM_TOKEN')).toEqual({ deleted: true })
    expect((await app.call('DELETE', '/api/settings/secrets/NPM_TOKEN')).status).toBe(404)
    expect(stored()).not.toContain('value-number-2')
  })

  it.for<[number, object]>([
    [400, { name: 'PATH', value: 'some-value' }],
    [422, { name: 'A', value: '' }],
    [422, { name: 'A\n', value: 'some-value' }],
    [422, { value: 'some-value' }],
  ])('are refused with %i: %j', async ([status, body], { callers: { app } }) => {
    const reply = await app.call('PUT', '/api/settings/secrets', body)
    expect([reply.status, JSON.stringify(reply.body).includes('some-value')]).toEqual([status, false])
  })

  it('are not put while the keychain is locked', async ({ callers: { app } }) => {
    vault.lock()
    const reply = await app.call('PUT', '/api/settings/secrets', { name: 'LATER', value: 'some-value' })
    expect(reply.body).toMatchObject({ code: 'keychain_locked' })
    vault.unlock()
    expect((await app.call('GET', '/api/settings/secrets')).body).toEqual({ secrets: [] })
  })
})
