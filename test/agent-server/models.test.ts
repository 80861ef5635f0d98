import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Bus } from '../../server/bus.ts'
import { ModelChoices } from '../../server/conversation/model-choice.ts'
import type { NamedBy } from '../../server/outbound/outbound.ts'
import { createMask } from '../../server/secret/mask/mask.ts'
import { createSecretStore } from '../../server/secret/user-secrets.ts'
import { createSessionVault } from '../../server/secret/vault/session.ts'
import { SettingsService } from '../../server/settings/service.ts'
import { ConversationOptionsTable, NO_CONVERSATION_OPTIONS } from '../../server/store/conversation/options.ts'
import { SettingTable } from '../../server/store/settings.ts'
import { aConversation, openStore } from '../parts/service/store.ts'

const store = openStore()
const mask = createMask()
const vault = createSessionVault({ state: 'missing', reason: 'This is a test.' })
const bus = new Bus()
const noVerify = async () => Promise.reject(new Error('No token is checked here.'))
const log = pino({ level: 'silent' })
const secrets = createSecretStore({ database: store.database, vault, mask, bus, log, verify: noVerify, fetch })
const settings = new SettingsService({ table: new SettingTable(store.database), vault, mask, bus, secrets })
const table = new ConversationOptionsTable(store.database)
const profiles = {
  choice: () => Promise.reject(new Error('No profile is named here.')),
  keyAt: async ({ model }: { model: string }) => (model.startsWith('mistral/') ? 'sk-of-a-saved-model' : null),
  isOwnAddress: () => false,
  has: () => false,
  modelOf: () => {
    throw new Error('No profile is named here.')
  },
  optionsOf: () => ({}),
}
const models = new ModelChoices({ table, settings, profiles, mask })

const THEIRS = { model: 'openai/private', base_url: 'http://private.example/v1' }

beforeAll(() => settings.save({ llm_model: 'anthropic/claude-sonnet-4-6', llm_api_key: 'sk-of-the-settings' }))
afterAll(() => store.remove())

/** A conversation whose client named a model, and a sub-agent of it. */
function family(llm: typeof THEIRS & { api_key?: string }, childsModel = llm.model, namedBy: NamedBy = 'person') {
  const parent = aConversation({ llm_model: llm.model })
  const child = aConversation({ llm_model: childsModel, parent_conversation_id: parent.id })
  store.conversations.insert(parent)
  store.conversations.insert(child)
  table.save(parent.id, { ...NO_CONVERSATION_OPTIONS, llm: models.check(llm, namedBy) })
  models.keep(parent.id, llm)
  return { parent, child }
}

describe('the model that a client names', () => {
  it('is asked with the client’s key, and so by its sub-agents, whose words go nowhere else', async () => {
    const { parent, child } = family({ ...THEIRS, api_key: 'sk-of-the-client' })
    const expected = { model: THEIRS.model, baseUrl: THEIRS.base_url, apiKey: 'sk-of-the-client', namedBy: 'person' }
    expect(await models.choice(parent)).toEqual(expected)
    expect(await models.choice(child)).toEqual(expected)
  })

  it('never gets the stored key at an address of its own, nor does a sub-agent’s', async () => {
    const { parent, child } = family(THEIRS)
    expect(await models.choice(parent)).toMatchObject({ baseUrl: THEIRS.base_url, apiKey: null })
    expect(await models.choice(child)).toMatchObject({ baseUrl: THEIRS.base_url, apiKey: null })
    const { child: other } = family(THEIRS, 'groq/fast')
    expect(await models.choice(other)).toEqual({ model: 'groq/fast', baseUrl: null, apiKey: null, namedBy: 'other' })
  })

  it('is the person’s word with the app’s own key, and nobody’s with the key of a sandbox (SSRF)', async () => {
    const byTheSandbox: NamedBy = 'other'
    const { parent, child } = family(THEIRS, THEIRS.model, byTheSandbox)
    expect(await models.choice(parent)).toMatchObject({ baseUrl: THEIRS.base_url, namedBy: 'other' })
    expect(await models.choice(child)).toMatchObject({ namedBy: 'other' })
    expect(await models.choice(family(THEIRS).parent)).toMatchObject({ namedBy: 'person' })
  })

  it('a repository’s sub-agent leads nowhere on this machine, unless the settings have that address anyway', async () => {
    const { child } = family(THEIRS, 'ollama/qwen')
    expect(await models.choice(child)).toMatchObject({ model: 'ollama/qwen', namedBy: 'other' })
    await settings.save({ llm_fallback_model: 'ollama/other' })
    expect(await models.choice(child)).toMatchObject({ namedBy: 'person' })
    await settings.save({ llm_fallback_model: null })
  })

  it('gets the key of a saved model that goes to the same address', async () => {
    const conversation = aConversation({ llm_model: 'mistral/devstral' })
    expect(await models.choice(conversation)).toMatchObject({ apiKey: 'sk-of-a-saved-model' })
  })
})
