import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import {
  getSettings,
  getUser,
  type SettingsPatch,
  settingsFields,
  storeSettings,
} from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('save', { scope: 'file' }, ({ service }) => (body: SettingsPatch) => {
    return service.client.call(storeSettings, { body })
  })
  .extend('read', { scope: 'file' }, ({ service }) => () => {
    return service.client.call(getSettings)
  })
  .extend('create', { scope: 'file' }, ({ service }) => async () => {
    const reply = await fetch(`${service.url}/api/conversations`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
      body: '{}',
    })
    return { status: reply.status, body: await reply.json() }
  })

describe('before the first save', () => {
  it('there are no settings', async ({ service }) => {
    const reply = await fetch(`${service.url}/api/settings`, { headers: { 'X-Session-API-Key': service.key } })
    expect(reply.status).toBe(404)
    expect(await reply.json()).toEqual({ error: 'Settings not found' })
  })

  it('a new conversation is refused as existing clients expect', async ({ service }) => {
    const reply = await fetch(`${service.url}/api/conversations`, {
      method: 'POST',
      headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
      body: '{}',
    })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ status: 'error', msg_id: 'CONFIGURATION$SETTINGS_NOT_FOUND' })
  })
})

describe('settings', () => {
  it('come back with the defaults of the specification', async ({ save, read }) => {
    await save({ language: 'en' })
    expect(await read()).toMatchObject({
      language: 'en',
      llm_model: null,
      enable_default_condenser: true,
      enable_sound_notifications: false,
      enable_proactive_conversation_starters: true,
      enable_solvability_analysis: true,
      llm_api_key_set: false,
    })
  })

  it('have every field of the specification, in and out', async ({ read }) => {
    const reply = await read()
    for (const field of Object.keys(settingsFields)) expect(reply).toHaveProperty(field)
  })

  it('keep what a save does not name, and clear what it sets to null', async ({ save, read }) => {
    await save({ llm_model: 'openai/a', git_user_name: 'Ada', max_iterations: 5 })
    await save({ git_user_name: null })
    expect(await read()).toMatchObject({ llm_model: 'openai/a', git_user_name: null, max_iterations: 5 })
  })

  it.for(['llm_api_key', 'llm_fallback_api_key', 'search_api_key', 'sandbox_api_key'] as const)(
    'keep %s that is null, absent or masked, and clear it with an empty one',
    async (name, { save, read, service }) => {
      await save({ [name]: 'sk-0123456789' })
      for (const value of [null, undefined, '**********']) {
        await save({ [name]: value })
        expect(await read()).toMatchObject({ [name]: null, [`${name}_set`]: true })
        expect(await service.client.call(getUser)).toMatchObject({ [name]: '**********' })
      }
      await save({ [name]: '' })
      expect(await read()).toMatchObject({ [`${name}_set`]: false })
    },
  )

  it('take the analyzers that there are, also by names of elsewhere, and no others', async ({ service }) => {
    for (const name of ['llm', 'local', 'none', 'grayswan', 'invariant', '', null]) {
      await service.client.call(storeSettings, { body: { security_analyzer: name } })
    }
    const unknown = service.client.call(storeSettings, { body: { security_analyzer: 'nonsense' } })
    await expect(unknown).rejects.toMatchObject({
      status: 422,
      detail: [{ loc: ['body', 'security_analyzer'], msg: expect.stringContaining('grayswan') }],
    })
  })

  it('never put a key on the disk', async ({ save, read, service }) => {
    await save({
      llm_api_key: 'sk-on-the-disk',
      llm_fallback_api_key: 'sk-2-on-the-disk',
      search_api_key: 'tvly-on-the-disk',
      sandbox_api_key: 'sb-on-the-disk',
    })
    const server = { url: 'https://tools.example', api_key: 'mcp-on-the-disk' }
    await save({ mcp_config: { sse_servers: [server], stdio_servers: [], shttp_servers: [] } })
    expect(await read()).toMatchObject({ mcp_config: { sse_servers: [server] } })
    for (const name of readdirSync(service.dataDir, { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue
      expect(readFileSync(join(name.parentPath, name.name)).includes('on-the-disk')).toBe(false)
    }
  })

  it('merge field by field, whatever is saved in whatever order', async ({ save, read }) => {
    const patch = fc.record<SettingsPatch>(
      {
        language: fc.option(fc.string({ maxLength: 5 })),
        max_iterations: fc.option(fc.integer({ min: 1, max: 9 })),
        confirmation_mode: fc.option(fc.boolean()),
        enable_sound_notifications: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(patch, { minLength: 1, maxLength: 4 }), async patches => {
        await save({ language: null, max_iterations: null, confirmation_mode: null, enable_sound_notifications: false })
        for (const one of patches) await save(one)
        const expected = Object.assign({}, ...patches)
        expect(await read()).toMatchObject(expected)
      }),
      { numRuns: 20 },
    )
  })
})

describe('a model without a key', () => {
  it.afterEach(({ save }) => save({ llm_model: null, llm_base_url: null }))

  it('is refused where its provider needs one', async ({ save, create }) => {
    await save({ llm_model: 'anthropic/claude-sonnet-4-5', llm_api_key: '' })
    expect(await create()).toMatchObject({ status: 400, body: { msg_id: 'STATUS$ERROR_LLM_AUTHENTICATION' } })
  })

  it('is fine on a local server', async ({ save, create }) => {
    await save({ llm_model: 'ollama/llama3', llm_api_key: '' })
    expect(await create()).toMatchObject({ status: 200, body: { status: 'ok', conversation_status: 'STARTING' } })
  })
})
