import pino from 'pino'
import { describe, expect } from 'vitest'
import {
  getSettings,
  getSettingsV1,
  getUser,
  storeSettings,
  storeSettingsV1,
} from '../../../server/api/v1/settings/settings.ts'
import { recheckSystem } from '../../../server/api/v1/system/system.ts'
import { forkKeychainProcess } from '../../../server/secret/keychain/child-port.ts'
import { createKeychain } from '../../../server/secret/keychain/keychain.ts'
import { it as base } from '../../fixtures/service.ts'
import { openChanges } from '../../parts/client/conversation.ts'
import { gatewayCaller } from '../../parts/client/gateway.ts'
import { call, problemOf } from '../../parts/client/legacy.ts'
import { buildKeychainProcess } from '../../parts/secret/keychain-process.ts'

const it = base
  .extend('keychainProcess', { scope: 'file' }, async ({}, { onCleanup }) => {
    const keychainProcess = await buildKeychainProcess()
    onCleanup(() => keychainProcess.remove())
    return keychainProcess
  })
  .extend('vault', { scope: 'file' }, ({ keychainProcess, keyring }, { onCleanup }) => {
    const vault = createKeychain({
      spawnChild: () => forkKeychainProcess(keychainProcess.file, keyring.env),
      service: 'Atelier test',
      instance: null,
      timeoutMs: 5_000,
      log: pino({ level: 'silent' }),
    })
    onCleanup(() => vault.close())
    return vault
  })
  .extend('serviceOptions', { scope: 'file' }, ({ vault }) => ({
    vault,
    settings: {
      llm_model: 'anthropic/claude-sonnet-4-5',
      llm_api_key: 'sk-locked-away',
      search_api_key: 'tvly-locked-away',
      mcp_config: SERVERS,
      secrets_store: { provider_tokens: { github: { token: 'ghp-locked-away', host: null } } },
    },
  }))

const SERVERS = {
  stdio_servers: [],
  sse_servers: [],
  shttp_servers: [{ url: 'https://tools.example', api_key: 'k-1' }],
}

/** What was stored while the real keyring was open, seen through a service that was started while it is locked. */
it.beforeAll(async ({ service, keyring }) => {
  await call(service, 'POST', '/api/secrets', { name: 'NPM_TOKEN', value: 'npm-locked-away' })
  await service.restart(() => keyring.lock())
})

describe('while the keychain is locked', () => {
  it('newer clients are told that it is not known which keys are set, and read everything else', async ({
    service,
  }) => {
    const settings = await service.client.call(getSettingsV1)
    expect(settings).toMatchObject({
      llm_model: 'anthropic/claude-sonnet-4-5',
      llm_api_key_set: null,
      llm_fallback_api_key_set: null,
      search_api_key_set: null,
      sandbox_api_key_set: null,
      provider_tokens_set: { github: null },
    })
    expect(settings).not.toHaveProperty('mcp_config')
    expect(await service.client.call(getUser)).toMatchObject({ llm_api_key: null, llm_api_key_set: null })
    expect((await call(service, 'GET', '/api/secrets')).body).toEqual({
      custom_secrets: [{ name: 'NPM_TOKEN', description: '' }],
    })
  })

  it('older clients are told what their schema can carry, and are never told that a key is missing', async ({
    service,
  }) => {
    const { body } = await call(service, 'GET', '/api/settings')
    expect(problemOf('get', '/api/settings', body)).toBeUndefined()
    expect(body).toMatchObject({ llm_api_key: null, llm_api_key_set: true })
    for (const unknown of ['mcp_config', 'search_api_key_set', 'sandbox_api_key_set', 'llm_fallback_api_key_set']) {
      expect(body).not.toHaveProperty(unknown)
    }
    const gateway = await gatewayCaller(service, service.key).call('GET', '/api/settings')
    expect(gateway.body).toMatchObject({ llm_api_key_is_set: true, agent_settings: { llm: { api_key: '**********' } } })
  })

  it('a model that needs no key is not said to have one', async ({ service }) => {
    await service.client.call(storeSettingsV1, { body: { llm_model: 'ollama/llama3' } })
    expect(await service.client.call(getSettings)).toMatchObject({ llm_api_key_set: false })
    await service.client.call(storeSettingsV1, { body: { llm_model: 'anthropic/claude-sonnet-4-5' } })
  })

  it('what was read can be sent back after it is unlocked, and clears nothing; clients hear of it', async ({
    service,
    keyring,
  }) => {
    const read = await service.client.call(getSettings)
    expect((await service.client.call(recheckSystem)).keychain.state).toBe('locked')
    const changes = await openChanges(service)
    const told: unknown[] = []
    changes.socket.on('message', data => told.push(JSON.parse(String(data))))
    await keyring.unlock()
    await service.client.call(recheckSystem)
    await expect.poll(() => told).toContainEqual({ resource: 'settings' })
    changes.close()
    const { secrets_store: _, ...fields } = read
    await service.client.call(storeSettings, { body: fields })
    const settings = await service.client.call(getSettingsV1)
    expect(settings).toMatchObject({
      llm_api_key_set: true,
      search_api_key_set: true,
      sandbox_api_key_set: false,
      mcp_config: { shttp_servers: [{ url: 'https://tools.example' }] },
    })
  })
})
