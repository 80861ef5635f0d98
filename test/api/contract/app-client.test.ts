import { CloudClient } from '@openhands/typescript-client/clients'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { searchModelProviders, searchModels } from '../../../server/api/v1/settings/config.ts'
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts'
import { startTestService, type TestService } from '../../parts/service/service.ts'

let model: ModelServer
let service: TestService
let client: CloudClient

beforeAll(async () => {
  model = await startModelServer()
  service = await startTestService({
    settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-test' },
  })
  // It knows nothing of this service but its address and the key.
  client = new CloudClient({ host: service.url, apiKey: service.key })
})

afterAll(async () => {
  await service?.close()
  await model?.close()
})

const PATIENCE = { timeout: 25_000, interval: 50 }

async function start(text: string) {
  const { id } = await client.createConversation({ initial_message: { content: [{ type: 'text', text }] } })
  const task = await vi.waitFor(async () => {
    const found = await client.getConversationStartTask(id)
    expect(found?.status).toBe('READY')
    return found
  }, PATIENCE)
  return String(task?.app_conversation_id)
}

describe('a client that was written for the original', () => {
  it('starts a conversation, follows it, reads what was made and deletes it', async () => {
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

  it('keeps secrets and settings', async () => {
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

  it('finds models and providers in pages', async () => {
    const first = searchModelProviders.reply.parse(await client.searchProviders({ limit: 2 }))
    const second = searchModelProviders.reply.parse(
      await client.searchProviders({ limit: 2, page_id: first.next_page_id ?? '' }),
    )
    expect(new Set([...first.items, ...second.items].map(({ name }) => name)).size).toBe(4)
    const models = searchModels.reply.parse(await client.searchModels({ provider__eq: 'anthropic', query: 'opus' }))
    expect(models.items.length).toBeGreaterThan(0)
    expect(models.items.filter(({ name, provider }) => provider !== 'anthropic' || !name.includes('opus'))).toEqual([])
  })

  it('is told why it is refused', async () => {
    const stranger = new CloudClient({ host: service.url, apiKey: 'wrong' })
    await expect(stranger.getSettings()).rejects.toMatchObject({ status: 401 })
    await expect(client.deleteConversation('0'.repeat(32))).rejects.toMatchObject({ status: 404 })
  })
})
