import { describe, expect } from 'vitest'
import {
  deleteAppConversation,
  searchAppConversations,
  sendMessage,
  updateAppConversation,
} from '../../../server/api/v1/conversation/conversations.ts'
import { getUsage } from '../../../server/api/v1/system/usage.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-test-0123456789' }),
  }))
  .extend('start', { scope: 'file' }, ({ service }) => async (text: string) => {
    const task = await startConversation(service, { initial_message: said(text) })
    const id = task.app_conversation_id ?? ''
    return { id, params: { conversation_id: id }, seen: await watch(service, id) }
  })
  .extend('titleOf', { scope: 'file' }, ({ service }) => async (id: string) => {
    const { items } = await service.client.call(searchAppConversations, { query: {} })
    return items.find(one => one.id === id)?.title
  })

it.beforeEach(({ model }) => {
  model.setScript(() => ({ text: 'Here I am.', usage: { input: 10, output: 1 }, cost: 0.01 }))
})

describe('a title', () => {
  it('is the first line at once, and the model’s when that has answered', async ({
    model,
    start,
    titleOf,
    service,
  }) => {
    let answer = () => {}
    const mayAnswer = new Promise<void>(resolve => {
      answer = resolve
    })
    model.setTitles(async () => {
      await mayAnswer
      return { text: '"Fix the parser."', usage: { input: 7, output: 3 }, cost: 0.25 }
    })
    const { id, params, seen } = await start('Would you please be so kind\nand fix the parser')
    await seen.untilStatus('finished')
    expect(await titleOf(id)).toBe('Would you please be so kind')
    const before = await service.client.call(getUsage, { query: { days: 1 } })
    answer()
    await seen.until(frame => 'key' in frame && frame.key === 'title' && frame.value === 'Fix the parser')
    expect(await titleOf(id)).toBe('Fix the parser')
    const { by_model, total } = await service.client.call(getUsage, { query: { days: 1 } })
    expect(by_model).toContainEqual(expect.objectContaining({ usage_id: 'title', cost: 0.25, prompt_tokens: 7 }))
    expect(total.cost - before.total.cost).toBeCloseTo(0.25)

    const asked = model.titleRequests.length
    await service.client.call(sendMessage, { params, body: said('And something else') })
    await seen.untilStatus('finished', seen.events().at(-1)?.seq)
    expect(model.titleRequests).toHaveLength(asked)
    expect(await titleOf(id)).toBe('Fix the parser')
    await seen.close()
  })

  it('is a person’s, however late the model comes', async ({ model, start, service, titleOf }) => {
    let answer = () => {}
    const mayAnswer = new Promise<void>(resolve => {
      answer = resolve
    })
    model.setTitles(async () => {
      await mayAnswer
      return { text: 'By the model', usage: { input: 1_000, output: 1 }, cost: 0.5 }
    })
    const { id, params, seen } = await start('Go on')
    await seen.untilStatus('finished')
    await service.client.call(updateAppConversation, { params, body: { title: 'By me' } })
    answer()
    await expect
      .poll(async () => (await service.client.call(getUsage, { query: {} })).total.cost, { timeout: 20_000 })
      .toBeGreaterThan(0.5)
    expect(await titleOf(id)).toBe('By me')
    await seen.close()
  })

  it('is given up with the conversation', async ({ model, start, service }) => {
    model.setTitles(() => ({ fault: 'hang' }))
    const { params, seen } = await start('Go on')
    await seen.untilStatus('finished')
    await expect.poll(() => model.titleRequests.length, { timeout: 20_000 }).toBe(3)
    await service.client.call(deleteAppConversation, { params })
    await model.titleRequests[2]?.closed
    await seen.close()
  })
})
