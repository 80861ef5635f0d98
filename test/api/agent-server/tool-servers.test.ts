import { afterEach, describe, expect } from 'vitest'
import { getSettings, storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { startGatewaySandbox } from '../../parts/client/gateway.ts'
import { createLockableVault } from '../../parts/secret/lockable-vault.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({
    vault,
    settings: { allowed_hosts: ['127.0.0.1', 'localhost'] },
  }))
  .extend('sandbox', { scope: 'file' }, async ({ service }) => (await startGatewaySandbox(service)).caller)
  .extend('clients', { scope: 'file' }, ({}) => import('@openhands/typescript-client/clients'))
  .extend(
    'client',
    { scope: 'file' },
    ({ clients, app }) => new clients.SettingsClient({ host: app.url, apiKey: app.key }),
  )
  .extend('kept', { scope: 'file' }, ({ service }) => async () => {
    return (await service.client.call(getSettings, {})).mcp_config
  })
  .extend('send', { scope: 'file' }, ({ app }) => (method: string, name: string, body?: object) => {
    return app.call(method, `/api/settings/mcp/${name}`, body)
  })
  .extend('shown', { scope: 'file' }, ({ app }) => async () => {
    return (await app.call('GET', '/api/settings')).body.agent_settings.mcp_config
  })

const vault = createLockableVault()
it.beforeEach(async ({ service }) => {
  await service.client.call(storeSettings, { body: { mcp_config: null } })
})
afterEach(() => vault.unlock())

const COMMAND = {
  transport: 'stdio',
  command: 'run-it',
  args: ['--fast'],
  env: { TOKEN: 'value-of-the-token' },
} as const
const REMOTE = {
  transport: 'http',
  url: 'https://mcp.example.com/v1',
  auth: { strategy: 'bearer', value: 'value-of-the-key' },
}

describe('tool servers of the settings', () => {
  it('are added, changed and removed by name by the client of agent servers, and no key is told', async ({
    client,
    kept,
    shown,
  }) => {
    await client.createMcpServer('files', COMMAND as never)
    const added = await client.createMcpServer('web', REMOTE as never)
    expect(added.agent_settings.mcp_config).toEqual({
      files: { transport: 'stdio', command: 'run-it', args: ['--fast'], env: { TOKEN: '**********' } },
      web: { transport: 'http', url: REMOTE.url, auth: { strategy: 'bearer', value: '**********' } },
    })
    expect(await kept()).toEqual({
      stdio_servers: [{ name: 'files', command: 'run-it', args: ['--fast'], env: { TOKEN: 'value-of-the-token' } }],
      shttp_servers: [{ name: 'web', url: REMOTE.url, api_key: 'value-of-the-key', timeout: null }],
      sse_servers: [],
    })
    await client.patchMcpServer('files', { args: ['--slow'], env: { TOKEN: '**********', MODE: 'x' } } as never)
    await client.patchMcpServer('web', { timeout: 7 } as never)
    expect(await kept()).toMatchObject({
      stdio_servers: [{ args: ['--slow'], env: { TOKEN: 'value-of-the-token', MODE: 'x' } }],
      shttp_servers: [{ name: 'web', api_key: 'value-of-the-key', timeout: 7 }],
    })
    await client.deleteMcpServer('files')
    expect(Object.keys(await shown())).toEqual(['web'])
  })

  it('that have their names from their addresses are found by these, and may change their kind', async ({
    service,
    send,
    kept,
  }) => {
    const body = { mcp_config: { shttp_servers: [{ url: 'https://mcp.example.com/v1', api_key: 'value-of-the-key' }] } }
    await service.client.call(storeSettings, { body })
    expect((await send('PATCH', 'example', { transport: 'sse', auth: null })).status).toBe(200)
    expect(await kept()).toEqual({
      stdio_servers: [],
      shttp_servers: [],
      sse_servers: [{ name: 'example', url: 'https://mcp.example.com/v1', api_key: null }],
    })
    expect((await send('DELETE', 'example')).body.agent_settings.mcp_config).toEqual({})
  })

  it('that are changed at the same time are all kept', async ({ send, shown }) => {
    await Promise.all(['a', 'b', 'c', 'd'].map(name => send('POST', name, COMMAND)))
    expect(Object.keys(await shown()).sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  it.for<[number, string, string, object | undefined]>([
    [409, 'POST', 'there', COMMAND],
    [404, 'PATCH', 'nobody', { args: [] }],
    [404, 'DELETE', 'nobody', undefined],
    [400, 'PATCH', 'there', { command: null }],
    [400, 'PATCH', 'there', { env: { 'not a name': 'x' } }],
    [422, 'POST', 'new', {}],
    [422, 'POST', 'a name', COMMAND],
    [501, 'POST', 'new', { ...COMMAND, cwd: '/tmp' }],
    [501, 'POST', 'new', { ...REMOTE, headers: { 'X-Team': 'red' } }],
    [501, 'POST', 'new', { ...REMOTE, auth: { strategy: 'basic', username: 'a', password: 'b' } }],
    [501, 'PATCH', 'there', { enabled: false }],
  ])('answer %i to %s %s with %j, and stay as they were', async ([status, method, name, body], { send, kept }) => {
    await send('POST', 'there', COMMAND)
    const before = await kept()
    const reply = await send(method, encodeURIComponent(name), body)
    expect([reply.status, JSON.stringify(reply.body).includes('value-of')]).toEqual([status, false])
    expect(await kept()).toEqual(before)
  })

  it('stay as they were while the keychain is locked', async ({ send, shown }) => {
    vault.lock()
    expect((await send('POST', 'locked', COMMAND)).body).toMatchObject({ code: 'keychain_locked' })
    vault.unlock()
    expect(await shown()).toEqual({})
  })

  it('are not the business of a sandbox’s key', async ({ send, sandbox }) => {
    await send('POST', 'there', COMMAND)
    for (const [method, body] of [
      ['POST', COMMAND],
      ['PATCH', { args: [] }],
      ['DELETE', undefined],
    ] as const) {
      const reply = await sandbox.call(method, '/api/settings/mcp/there', body)
      expect([method, reply.status]).toEqual([method, 403])
    }
  })
})
