import { afterEach, describe, expect } from 'vitest'
import { sendMessage } from '../../../server/api/v1/conversation/conversations.ts'
import {
  activateLlmProfileV1,
  deleteLlmProfileV1,
  listLlmProfilesV1,
  renameLlmProfileV1,
  saveLlmProfileV1,
  switchLlmProfileV1,
} from '../../../server/api/v1/settings/llm-profiles.ts'
import { getSettings, storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'
import { filesWith } from '../../parts/secret/kept-secrets.ts'
import { createLockableVault } from '../../parts/secret/lockable-vault.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ vault }))
  .extend('use', { scope: 'file' }, ({ service, model }) => (name: string) => {
    return service.client.call(storeSettings, {
      body: { llm_model: `openai/${name}`, llm_base_url: model.url.openai, llm_api_key: `sk-of-${name}` },
    })
  })
  .extend('save', { scope: 'file' }, ({ service }) => (name: string, body = {}) => {
    return service.client.call(saveLlmProfileV1, { params: { name }, body })
  })
  .extend('list', { scope: 'file' }, ({ service }) => () => {
    return service.client.call(listLlmProfilesV1)
  })
  .extend('shown', { scope: 'file' }, ({ model }) => (name: string) => {
    return {
      name,
      model: `openai/${name}`,
      base_url: model.url.openai,
      options: {},
      api_key_set: true,
    }
  })

const vault = createLockableVault()
afterEach(() => vault.unlock())

const keys = () => vault.entries().flatMap(([, value]) => (value.startsWith('sk-') ? [value] : []))

describe('saved models', () => {
  it('are the model of the settings under a name, with its key, which is never told', async ({
    use,
    save,
    list,
    shown,
    service,
  }) => {
    await use('one')
    await save('one')
    await use('two')
    await save('two')
    const reply = await list()
    expect(reply).toEqual({ profiles: [shown('one'), shown('two')], active_profile: 'two' })
    expect(JSON.stringify(reply)).not.toContain('sk-')
    expect(keys().sort()).toEqual(['sk-of-one', 'sk-of-two', 'sk-of-two'])
    expect(filesWith(service.dataDir, 'sk-of-')).toEqual([])
  })

  it('become the model of the settings again, key and all', async ({ service, list }) => {
    await service.client.call(activateLlmProfileV1, { params: { name: 'one' } })
    expect(await service.client.call(getSettings)).toMatchObject({ llm_model: 'openai/one', llm_api_key_set: true })
    expect((await list()).active_profile).toBe('one')
    expect(keys().sort()).toEqual(['sk-of-one', 'sk-of-one', 'sk-of-two'])
  })

  it('take the place of a conversation’s model in its next step, and give it back', async ({ use, model, service }) => {
    await use('one')
    model.setScript(['First.', 'Second.', 'Third.'].map(text => ({ text })))
    const { app_conversation_id } = await startConversation(service, { initial_message: said('Begin') })
    const params = { conversation_id: app_conversation_id ?? '' }
    const seen = await watch(service, params.conversation_id)
    await seen.untilStatus('finished')
    const asked = () => model.requests.map(({ body, headers }) => [body.model, headers.authorization]).at(-1)
    expect(asked()).toEqual(['one', 'Bearer sk-of-one'])

    const steps = async (profile_name: string | null) => {
      const changed = await service.client.call(switchLlmProfileV1, { params, body: { profile_name } })
      const from = model.requests.length
      await service.client.call(sendMessage, { params, body: { ...said('Go on'), run: true } })
      await seen.until(() => model.requests.length > from, 'The next step')
      return changed.llm_model
    }
    expect(await steps('two')).toBe('openai/two')
    expect(asked()).toEqual(['two', 'Bearer sk-of-two'])
    expect(await service.client.call(getSettings)).toMatchObject({ llm_model: 'openai/one' })
    expect(await steps(null)).toBe('openai/one')
    expect(asked()).toEqual(['one', 'Bearer sk-of-one'])
    await seen.close()
  })

  it('are renamed, and deleted with their key', async ({ service, list }) => {
    await service.client.call(renameLlmProfileV1, { params: { name: 'one' }, body: { new_name: 'first' } })
    expect((await list()).active_profile).toBe('first')
    await service.client.call(deleteLlmProfileV1, { params: { name: 'first' } })
    await service.client.call(deleteLlmProfileV1, { params: { name: 'two' } })
    expect(await list()).toEqual({ profiles: [], active_profile: null })
    expect(keys()).toEqual(['sk-of-one'])
  })

  it('change nothing while the keychain is locked', async ({ save, list }) => {
    vault.lock()
    await expect(save('locked')).rejects.toMatchObject({ code: 'keychain_locked' })
    vault.unlock()
    expect((await list()).profiles).toEqual([])
  })

  it('hold no key where none is wanted', async ({ save, list }) => {
    await save('bare', { include_secrets: false })
    expect((await list()).profiles).toMatchObject([{ name: 'bare', api_key_set: false }])
  })
})
