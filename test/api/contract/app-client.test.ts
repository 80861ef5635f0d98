import { CloudClient } from '@openhands/typescript-client/clients'
import { describe, expect, vi } from 'vitest'
import { searchModelProviders, searchModels } from '../../../server/api/v1/settings/config.ts'
import { it as base } from '../../fixtures/service.ts'

const it = base
  .extend('client', { scope: 'file' }, ({ service }) => new CloudClient({ host: service.url, apiKey: service.key }))
  .extend('start', { scope: 'file' }, ({ client }) => async (text: string) => {
    const { id } = await client.createConversation({ initial_message: { content: [{ type: 'text', text }] } })
    const task = await vi.waitFor(async () => {
      const found = await client.getConversationStartTask(id)
      expect(found?.status).toBe('READY')
      return found
    }, PATIENCE)
    return String(task?.app_conversation_id)
  })

const PATIENCE = { timeout: 25_000, interval: 50 }

describe('a client that was written for the original', () => {
  it('starts a conversation, follows it, reads what was made and deletes it', async ({ model, start, client }) => {
    model.setScript([
      { toolCalls: [{ name: 'terminal', arguments: { command: 'echo marmalade > jar.txt' } }] },
      { text: 'It is in the jar.' },
    ])
    const id = await start('Fill a jar.')
    const sandboxId = await vi.waitFor(async () => {
      const [conversation] = await client.getConversations([id])
      expect(conversation).toMatchObject({ id, sandbox_status: 'RUNNING', execution_status: 'finished' })
      return String(conversation?.sandbox_id)
    }, PATIENCE)
    expect((await client.searchConversations(1)).items).toMatchObject([{ id }])
    expect(await client.readConversationFile(id, 'jar.txt')).toContain('marmalade')
    expect((await client.downloadConversation(id)).size).toBeGreaterThan(0)
    await client.pauseSandbox(sandboxId)
    expect(await client.getSandboxes([sandboxId])).toMatchObject([{ status: 'PAUSED', session_api_key: null }])
    await client.resumeSandbox(sandboxId)
    expect(await client.getSandboxes([sandboxId, 'none'])).toMatchObject([{ status: 'RUNNING' }, null])
    await client.deleteConversation(id)
    expect(await client.getConversations([id])).toEqual([null])
  })

  it('keeps secrets and settings', async ({ client }) => {
    await client.createSecret('JAR_KEY', 'sweet', 'of the jar')
    await client.updateSecret('JAR_KEY', 'POT_KEY', 'of the pot')
    expect(await client.listSecrets()).toMatchObject([{ name: 'POT_KEY', description: 'of the pot' }])
    await client.deleteSecret('POT_KEY')
    expect(await client.listSecrets()).toEqual([])
    await client.saveSettings({ app_preferences: { language: 'de' } })
    expect(await client.getSettingsWithDerivedFields()).toMatchObject({
      language: 'de',
      llm_model: 'openai/scripted',
      llm_api_key: null,
      llm_api_key_set: true,
    })
  })

  it('finds models and providers in pages', async ({ client }) => {
    const first = searchModelProviders.reply.parse(await client.searchProviders({ limit: 2 }))
    const second = searchModelProviders.reply.parse(
      await client.searchProviders({ limit: 2, page_id: first.next_page_id ?? '' }),
    )
    expect(new Set([...first.items, ...second.items].map(({ name }) => name)).size).toBe(4)
    const models = searchModels.reply.parse(await client.searchModels({ provider__eq: 'anthropic', query: 'opus' }))
    expect(models.items.length).toBeGreaterThan(0)
    expect(models.items.filter(({ name, provider }) => provider !== 'anthropic' || !name.includes('opus'))).toEqual([])
  })

  it('is told why it is refused', async ({ service, client }) => {
    const stranger = new CloudClient({ host: service.url, apiKey: 'wrong' })
    await expect(stranger.getSettings()).rejects.toMatchObject({ status: 401 })
    await expect(client.deleteConversation('0'.repeat(32))).rejects.toMatchObject({ status: 404 })
  })
})
