import { deleteAppConversation, searchAppConversations } from '../../server/api/v1/conversation/conversations.ts'
import { searchConversationEvents } from '../../server/api/v1/conversation/event-routes.ts'
import {
  batchGetSandboxes,
  deleteSandbox,
  resumeSandbox,
  searchSandboxes,
} from '../../server/api/v1/sandbox/sandboxes.ts'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import { startConversation } from '../parts/client/conversation.ts'
import type { Headless } from '../parts/service/headless.ts'
import { storeCanaries } from './canaries.ts'
import type { Known } from './requests.ts'

/** What requests can be about, replaced when a request has deleted it. */
export interface FuzzFixtures {
  known: Known
}

/** A conversation in a sandbox of its own, settings, and a secret of every kind. */
export async function createFixtures(service: Headless, modelUrl: string): Promise<FuzzFixtures> {
  const settings = { llm_model: 'openai/scripted', llm_base_url: modelUrl }
  await service.client.call(storeSettings, { body: settings })
  const { app_conversation_id, sandbox_id, detail } = await startConversation(service, { title: 'Fuzzed' })
  if (!app_conversation_id || !sandbox_id) throw new Error(`The conversation did not start: ${detail}`)
  await storeCanaries(service, app_conversation_id, modelUrl)
  const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [sandbox_id] } })
  const params = { conversation_id: app_conversation_id }
  const { items } = await service.client.call(searchConversationEvents, { params })
  const conversation = app_conversation_id
  const event = items[0]?.id ?? ''
  return {
    known: {
      conversation,
      conversation_id: conversation,
      new: conversation,
      sandbox: sandbox_id,
      sandbox_id,
      event,
      event_id: event,
      key: service.key,
      sandboxKey: sandbox?.session_api_key ?? '',
      model: modelUrl,
      owner: 'owner',
      repository: 'repository',
      provider: 'gitlab',
      path: 'workspace/project',
      free: '0123456789abcdef0123456789abcdef',
      freeName: 'SPARE_NAME',
    },
  }
}

/** Removes what requests have begun, brings back what they have taken away. */
export async function sweep(service: Headless, fixtures: FuzzFixtures, modelUrl: string): Promise<void> {
  const { client } = service
  const { conversation = '', sandbox = '' } = fixtures.known
  const ignore = () => {}
  const { items: conversations } = await client.call(searchAppConversations, { query: { limit: 100 } })
  for (const { id } of conversations.filter(one => one.id !== conversation)) {
    await client.call(deleteAppConversation, { params: { conversation_id: id } }).catch(ignore)
  }
  const { items: sandboxes } = await client.call(searchSandboxes, { query: { limit: 100 } })
  for (const { id } of sandboxes.filter(one => one.id !== sandbox)) {
    await client.call(deleteSandbox, { params: { sandbox_id: id } }).catch(ignore)
  }
  await client.call(resumeSandbox, { params: { sandbox_id: sandbox } }).catch(ignore)
  const isThere = conversations.some(({ id }) => id === conversation) && sandboxes.some(({ id }) => id === sandbox)
  if (isThere) await storeCanaries(service, conversation, modelUrl)
  else fixtures.known = (await createFixtures(service, modelUrl)).known
}
