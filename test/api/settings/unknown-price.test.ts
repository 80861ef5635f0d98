import { expect } from 'vitest'
import { listAppConversations, updateAppConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { getSettingsV1, storeSettingsV1 } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { call } from '../../parts/client/legacy.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: { llm_model: 'openai/mine', llm_base_url: model.url.openai },
  }))
  .extend('priceKnown', { scope: 'file' }, ({ service }) => async () => {
    return (await service.client.call(getSettingsV1, {})).llm_price_known
  })
  .extend('store', { scope: 'file' }, ({ service }) => async (body: object) => {
    return (await call(service, 'POST', '/api/settings', body)).body
  })

it('says where a budget is stored that it cannot be kept, as nobody knows what the model costs', async ({
  priceKnown,
  store,
}) => {
  expect(await priceKnown()).toBe(false)
  expect(await store({ max_iterations: 20 })).toEqual({ message: 'Settings stored' })
  const { message, warnings } = (await store({ max_budget_per_task: 2 })) as { message: string; warnings: string[] }
  expect(message).toBe('Settings stored')
  expect(warnings).toEqual([expect.stringMatching(/^max_budget_per_task: the price of openai\/mine is not known/)])
})

it('says the same of a conversation, until the price is given', async ({ service, store, priceKnown }) => {
  const { app_conversation_id } = await startConversation(service, { title: 'Dear' })
  const params = { conversation_id: app_conversation_id ?? '' }
  const changed = await service.client.call(updateAppConversation, { params, body: { max_budget_per_task: 1 } })
  expect(changed).toMatchObject({ max_budget_per_task: 1, price_known: false })
  const llm_options = { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 }
  await service.client.call(storeSettingsV1, { body: { llm_options } })
  expect(await store({ max_budget_per_task: 3 })).toEqual({ message: 'Settings stored' })
  expect(await priceKnown()).toBe(true)
  const [now] = (await service.client.call(listAppConversations, {
    query: { ids: [params.conversation_id] },
  })) as unknown[]
  expect(now).toMatchObject({ price_known: true })
})

it('knows the price of a model of the list at its provider, and says nothing without a model', async ({
  store,
  priceKnown,
}) => {
  await store({ llm_model: 'anthropic/claude-sonnet-4-5', llm_base_url: null })
  expect(await priceKnown()).toBe(true)
  await store({ llm_model: null })
  expect(await priceKnown()).toBeNull()
})
