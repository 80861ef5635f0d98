import { describe, expect } from 'vitest'
import { countEvents } from '../../../server/api/v1/conversation/event-routes.ts'
import { countStartTasks } from '../../../server/api/v1/conversation/start-tasks.ts'
import { createAppConversation, streamStart } from '../../../server/api/v1/conversation/starts.ts'
import { getSandboxStats, resumeSandbox, searchSandboxes } from '../../../server/api/v1/sandbox/sandboxes.ts'
import * as secrets from '../../../server/api/v1/settings/secrets.ts'
import { detectModels, listModels, login, recheckSystem, testModel } from '../../../server/api/v1/system/system.ts'
import { startGitProvider } from '../../fakes/git-provider.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { call } from '../../parts/client/legacy.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ settings: { language: 'en' } }))
  .extend('started', { scope: 'file' }, ({ service }) => startConversation(service, {}))
  .extend('conversation', { scope: 'file' }, ({ started }) => started.app_conversation_id ?? '')
  .extend('sandbox', { scope: 'file' }, ({ started }) => started.sandbox_id ?? '')

const UNKNOWN = '0'.repeat(32)

/** Every reply is checked by the client against the schema of its operation. */
describe('sandboxes', () => {
  it('are searched, measured and resumed, also when they run; unknown ones are not found', async ({
    service,
    sandbox,
  }) => {
    const { client } = service
    expect(await client.call(searchSandboxes, { query: {} })).toMatchObject({ items: [{ id: sandbox }] })
    const [stats, none] = await client.call(getSandboxStats, { query: { id: [sandbox, 'unknown'] } })
    expect(stats?.memory_bytes).toBeGreaterThan(0)
    expect(none).toBeNull()
    expect(await client.call(resumeSandbox, { params: { sandbox_id: sandbox } })).toEqual({ success: true })
    await expect(client.call(resumeSandbox, { params: { sandbox_id: 'unknown' } })).rejects.toMatchObject({
      status: 404,
      code: 'sandbox_not_found',
    })
  })
})

describe('counts', () => {
  it('are of start tasks and of events; an unknown conversation has none to count', async ({
    service,
    conversation,
  }) => {
    const { client } = service
    expect(await client.call(countStartTasks, { query: {} })).toBe(1)
    expect(await client.call(countStartTasks, { query: { conversation_id__eq: UNKNOWN } })).toBe(0)
    expect(await client.call(countEvents, { query: { conversation_id__eq: conversation } })).toBe(0)
    await expect(client.call(countEvents, { query: { conversation_id__eq: UNKNOWN } })).rejects.toMatchObject({
      code: 'conversation_not_found',
    })
  })
})

describe('a streamed start', () => {
  it('ends with the task that is ready', async ({ service, sandbox }) => {
    const tasks = await service.client.call(streamStart, { body: { sandbox_id: sandbox } })
    expect(tasks.at(0)?.status).toBe('WORKING')
    expect(tasks.at(-1)?.status).toBe('READY')
  })

  it('of what cannot start is refused like one that is not streamed', async ({ service }) => {
    const body = { parent_conversation_id: UNKNOWN }
    for (const route of [streamStart, createAppConversation] as const) {
      await expect(service.client.call(route, { body })).rejects.toMatchObject({ code: 'conversation_not_found' })
    }
  })
})

describe('secrets of the newer generation', () => {
  it('are created, found, changed and deleted; a taken name and an unknown one are refused', async ({ service }) => {
    const { client } = service
    await client.call(secrets.createSecretV1, { body: { name: 'ONE', value: 'first-value', description: null } })
    await expect(
      client.call(secrets.createSecretV1, { body: { name: 'ONE', value: 'second-value' } }),
    ).rejects.toMatchObject({ code: 'secret_exists' })
    const params = { secret_id: 'ONE' }
    await client.call(secrets.updateSecretV1, { params, body: { name: 'TWO', description: 'Renamed' } })
    const found = await client.call(secrets.searchSecretsV1, { query: {} })
    expect(found.items).toEqual([{ name: 'TWO', description: 'Renamed' }])
    for (const work of [
      () => client.call(secrets.updateSecretV1, { params, body: { name: 'X' } }),
      () => client.call(secrets.deleteSecretV1, { params }),
    ]) {
      await expect(work()).rejects.toMatchObject({ status: 404, code: 'secret_not_found' })
    }
    await client.call(secrets.deleteSecretV1, { params: { secret_id: 'TWO' } })
    expect((await client.call(secrets.searchSecretsV1, { query: {} })).items).toEqual([])
  })

  it('include tokens of git providers, which are checked, and can be taken away', async ({ service }) => {
    const provider = await startGitProvider()
    provider.accepted.add('Bearer good')
    const body = (token: string) => ({ provider_tokens: { gitlab: { token, host: provider.address } } })
    await service.client.call(secrets.storeProviderTokensV1, { body: body('good') })
    await expect(service.client.call(secrets.storeProviderTokensV1, { body: body('bad') })).rejects.toMatchObject({
      code: 'provider_token_invalid',
    })
    provider.mood = 'down'
    await expect(service.client.call(secrets.storeProviderTokensV1, { body: body('new') })).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
    await service.client.call(secrets.unsetProviderTokensV1, {})
    await provider.close()
  })
})

describe('the system', () => {
  it('is looked at again, and lists the models that are known and those that run here', async ({ service }) => {
    expect((await service.client.call(recheckSystem, {})).engine.state).toBe('ready')
    expect((await service.client.call(listModels, {})).items.length).toBeGreaterThan(10)
    expect(await service.client.call(detectModels, {})).toHaveProperty('servers')
  })

  it('tries a model out, and says what is wrong with one', async ({ service }) => {
    const model = await startModelServer()
    model.setScript([{ text: 'ok' }])
    const body = { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-test' }
    expect(await service.client.call(testModel, { body })).toMatchObject({ ok: true })
    await model.close()
    expect(await service.client.call(testModel, { body })).toMatchObject({ ok: false, code: 'llm_unreachable' })
  })

  it('refuses a login code that nobody made', async ({ service }) => {
    await expect(service.client.call(login, { body: { code: 'guessed' } })).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })
})

describe('what clients keep for their experiments', () => {
  it('is taken once and answered as they expect; an unknown conversation is not found', async ({
    service,
    conversation,
  }) => {
    const post = (id: string) => call(service, 'POST', `/api/conversations/${id}/exp-config`, { config: { a: 'b' } })
    expect(await post(conversation)).toMatchObject({ status: 200, body: false })
    expect(await post(conversation)).toMatchObject({ status: 200, body: false })
    expect(await post(UNKNOWN)).toMatchObject({ status: 404, body: { detail: expect.stringContaining(UNKNOWN) } })
  })
})
