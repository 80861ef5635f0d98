import { expect } from 'vitest'
import { textOf } from '../../../server/event/model-messages.ts'
import { startModelServer } from '../../fakes/model-server.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('other', { scope: 'file' }, async ({}, { onCleanup }) => {
    const other = await startModelServer()
    onCleanup(() => other.close())
    return other
  })
  .extend('serviceOptions', { scope: 'file' }, ({ model, other }) => ({
    settings: scripted(model, {
      llm_api_key: 'sk-the-chosen-one',
      llm_fallback_model: 'anthropic/claude-haiku-4-5',
      llm_fallback_base_url: other.url.anthropic,
      llm_fallback_api_key: 'sk-the-other-one',
    }),
  }))
  .extend('work', { scope: 'file' }, ({ service }) => async () => {
    const task = await startConversation(service, { initial_message: said('Go') })
    const seen = await watch(service, task.app_conversation_id ?? '')
    await seen.untilStatus('finished')
    await seen.close()
    return seen
  })

it('an agent whose model cannot call tools works by writing its calls', async ({ model, work }) => {
  model.setScript([
    { refusal: { status: 400, message: 'scripted does not support tools' } },
    { text: 'I look.\n<function=terminal>\n<parameter=command>echo $((6 * 7))</parameter>\n' },
    { text: '<function=terminal>\n<parameter=cmd>ls</parameter>\n</function>' },
    { text: '<function=finish>\n<parameter=message>It is 42.</parameter>\n' },
  ])
  const seen = await work()
  expect(textOf(seen.of('ObservationEvent')[0]?.observation.content ?? [])).toContain('42')
  expect(seen.of('ActionEvent')[0]?.thought).toMatchObject([{ text: 'I look.' }])
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('EXECUTION RESULT of [terminal]')
})

it('the fallback takes over while the model is down, which the log says', async ({ model, other, work }) => {
  model.setScript(() => ({ fault: 'rate-limit', retryAfter: 0 }))
  other.setScript([{ toolCalls: [{ name: 'finish', arguments: { message: 'Done.' } }] }])
  const seen = await work()
  const told = seen.of('ConversationStateUpdateEvent').filter(event => event.key === 'llm_fallback')
  expect(told.map(event => event.value)).toEqual([
    { from: 'openai/scripted', to: 'anthropic/claude-haiku-4-5', reason: expect.stringContaining('limits how often') },
  ])
  expect(JSON.stringify(seen)).not.toMatch(/sk-the/)
})

it('what differs between conversations stands after the part of the prompt that Claude keeps in its cache', async ({
  model,
  other,
  work,
}) => {
  model.setScript(() => ({ fault: 'rate-limit', retryAfter: 0 }))
  other.setScript(() => ({ toolCalls: [{ name: 'finish', arguments: { message: 'Done.' } }] }))
  const from = other.requests.length
  await work()
  await work()
  const [first, second] = other.requests.slice(from).map(({ body }) => body.system)
  expect(first).toMatchObject([
    { cache_control: { type: 'ephemeral' } },
    { text: expect.stringContaining('/workspace') },
  ])
  expect(second[0]).toEqual(first[0])
  expect(first[0].text).not.toContain('/workspace')
  expect(first[1].cache_control).toBeUndefined()
})
