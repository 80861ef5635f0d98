import { describe, expect } from 'vitest'
import { condenseConversation } from '../../server/api/v1/conversation/actions.ts'
import { deleteAppConversation, sendMessage } from '../../server/api/v1/conversation/conversations.ts'
import { getUsage } from '../../server/api/v1/system/usage.ts'
import { it as base, scripted } from '../fixtures/service.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { watch } from '../parts/client/watch.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-test-0123456789' }),
  }))
  .extend('total', { scope: 'file' }, ({ service }) => async () => {
    return (await service.client.call(getUsage, { query: {} })).total
  })

const think = (thought: string) => ({ toolCalls: [{ name: 'think', arguments: { thought } }] })

describe('usage', () => {
  it('counts what a conversation took, summaries too, and goes on counting it when it is deleted', async ({
    total,
    model,
    service,
  }) => {
    const before = await total()
    model.setScript([
      { ...think(`one ${'x'.repeat(3_000)}`), usage: { input: 1_000, output: 10 }, cost: 0.01 },
      { ...think(`two ${'x'.repeat(3_000)}`), usage: { input: 2_000, output: 10 }, cost: 0.02 },
      { text: 'Half of it is done.', usage: { input: 3_000, output: 10 }, cost: 0.03 },
      { text: '## Task\nThe whole story.', usage: { input: 500, output: 100 }, cost: 0.005 },
      {
        toolCalls: [{ name: 'finish', arguments: { message: 'Done.' } }],
        usage: { input: 700, output: 5 },
        cost: 0.04,
      },
    ])
    const task = await startConversation(service, { title: 'Named', initial_message: said('Tell a story') })
    const params = { conversation_id: task.app_conversation_id ?? '' }
    const first = await watch(service, params.conversation_id)
    await first.untilStatus('finished')
    await first.close()

    await service.client.call(condenseConversation, { params })
    await service.client.call(sendMessage, { params, body: { ...said('And now the end'), run: true } })
    const second = await watch(service, params.conversation_id, first.events().at(-1)?.seq)
    await second.untilStatus('finished')
    await second.close()
    expect(second.of('Condensation')).toMatchObject([{ summary: expect.stringContaining('The whole story.') }])
    const asked = JSON.stringify(model.requests.at(-1)?.body.messages)
    expect(asked).toContain('The whole story.')
    expect(asked).not.toContain('x'.repeat(1_000))

    const { days, ...report } = await service.client.call(getUsage, { query: { days: 1 } })
    expect(report.by_model.map(({ usage_id, steps }) => `${usage_id} ${steps}`)).toEqual(['default 4', 'condenser 1'])
    expect(report.total).toMatchObject({ prompt_tokens: before.prompt_tokens + 7_200, unknown_cost_steps: 0 })
    expect(report.total.cost).toBeCloseTo(0.105)
    expect(days).toHaveLength(1)

    await service.client.call(deleteAppConversation, { params })
    expect(await total()).toEqual(report.total)
    await service.restart()
    expect(await total()).toEqual(report.total)
  })
})
