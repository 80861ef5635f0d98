import pino from 'pino'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { SettingsPatch } from '../../server/api/v1/settings/settings.ts'
import { Bus } from '../../server/bus.ts'
import { createMask } from '../../server/secret/mask/mask.ts'
import { createSecretStore } from '../../server/secret/user-secrets.ts'
import { createSessionVault } from '../../server/secret/vault/session.ts'
import { SettingsService } from '../../server/settings/service.ts'
import { SettingTable } from '../../server/store/settings.ts'
import { openStore } from '../parts/service/store.ts'

const store = openStore()
const mask = createMask()
const vault = createSessionVault({ state: 'missing', reason: 'This is a test.' })
const bus = new Bus()
const secrets = createSecretStore({
  database: store.database,
  vault,
  mask,
  bus,
  log: pino({ level: 'silent' }),
  verify: async () => {
    throw new Error('No token is checked here.')
  },
  fetch,
})
const settings = new SettingsService({ table: new SettingTable(store.database), vault, mask, bus, secrets })

const NOTHING: SettingsPatch = {
  llm_model: 'openai/gpt-5',
  llm_base_url: null,
  llm_api_key: 'sk-the-chosen-one',
  llm_fallback_model: null,
  llm_fallback_base_url: null,
  llm_fallback_api_key: '',
}

beforeEach(() => settings.save(NOTHING))
afterAll(() => store.remove())

const fallback = async () => settings.fallbackChoice(await settings.modelChoice(null))

describe('the fallback', () => {
  it('is none unless one is named', async () => {
    expect(await fallback()).toBeNull()
  })

  it('has a key of its own, which no output shows', async () => {
    await settings.save({ llm_fallback_model: 'anthropic/claude-haiku-4-5', llm_fallback_api_key: 'sk-the-other-one' })
    expect(await fallback()).toEqual({
      model: 'anthropic/claude-haiku-4-5',
      baseUrl: null,
      apiKey: 'sk-the-other-one',
      namedBy: 'person',
    })
    expect(mask.mask('It is sk-the-other-one.')).not.toContain('the-other-one')
  })

  it('without one gets the key of the chosen model at the same address', async () => {
    await settings.save({ llm_fallback_model: 'openai/gpt-4.1' })
    expect(await fallback()).toMatchObject({ apiKey: 'sk-the-chosen-one' })
  })

  it.each([
    ['another provider', { llm_fallback_model: 'anthropic/claude-haiku-4-5' }],
    ['another server', { llm_fallback_model: 'openai/gpt-4.1', llm_fallback_base_url: 'http://evil.example/v1' }],
  ])('never sends that key to %s', async (_where, patch) => {
    await settings.save(patch)
    expect(await fallback()).toMatchObject({ apiKey: null })
  })

  it('stays away from a model at an address that a client named', async () => {
    await settings.save({ llm_fallback_model: 'openai/gpt-4.1' })
    const named = {
      model: 'openai/mine',
      baseUrl: 'http://localhost:9/v1',
      apiKey: 'sk-clients-own',
      namedBy: 'person' as const,
    }
    expect(await settings.fallbackChoice(named)).toBeNull()
  })
})

describe('a model that is only tried out', () => {
  const at = (model: string, baseUrl: string | null = null) => settings.keyAt({ model, baseUrl })

  it('gets the stored key of its own address, and no other', async () => {
    await settings.save({ llm_fallback_model: 'anthropic/claude-haiku-4-5', llm_fallback_api_key: 'sk-the-other-one' })
    expect(await at('openai/gpt-4.1')).toBe('sk-the-chosen-one')
    expect(await at('anthropic/claude-sonnet-4-6')).toBe('sk-the-other-one')
    expect(await at('gemini/gemini-2.5-pro')).toBeNull()
    expect(await at('openai/gpt-5', 'http://evil.example/v1')).toBeNull()
    expect(await at('nonsense')).toBeNull()
  })
})

describe('the stored key', () => {
  it.each(['anthropic/claude-sonnet-4-6', 'groq/llama', 'ollama/llama', 'claude-sonnet-4-6'])(
    'does not go to the provider of %s, which a repository or a client may name',
    async model => {
      expect(await settings.modelChoice(model)).toEqual({ model, baseUrl: null, apiKey: null, namedBy: 'person' })
    },
  )

  it('goes with other models of the provider that it was stored for, and of the fallback’s own', async () => {
    await settings.save({ llm_fallback_model: 'anthropic/claude-haiku-4-5', llm_fallback_api_key: 'sk-the-other-one' })
    expect(await settings.modelChoice('gpt-4.1')).toMatchObject({ apiKey: 'sk-the-chosen-one' })
    expect(await settings.modelChoice('anthropic/claude-sonnet-4-6')).toMatchObject({ apiKey: 'sk-the-other-one' })
  })

  it.each(['mine', 'gemini/flash'])('goes to the server of the settings, which has a model %s too', async model => {
    await settings.save({ llm_base_url: 'http://localhost:4000' })
    expect(await settings.modelChoice(model)).toMatchObject({
      baseUrl: 'http://localhost:4000',
      apiKey: 'sk-the-chosen-one',
    })
  })

  it('goes with the model that a conversation names where the settings name none', async () => {
    await settings.save({ llm_model: '' })
    expect(await settings.modelChoice('groq/llama')).toMatchObject({ apiKey: 'sk-the-chosen-one' })
  })
})
