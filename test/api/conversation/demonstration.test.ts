import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { newConversation } from '../../../server/api/legacy/conversations.ts'
import { batchGetStartTasks, searchStartTasks } from '../../../server/api/v1/conversation/start-tasks.ts'
import { startDemonstration } from '../../../server/api/v1/conversation/starts.ts'
import { textOf } from '../../../server/event/model-messages.ts'
import { it as base } from '../../fixtures/service.ts'
import { settled } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('create', { scope: 'file' }, ({ service }) => (body: object) => {
    return service.client.call(newConversation, { body })
  })

describe('the demonstration', () => {
  it('fixes a failing test with real commands and without a model', async ({ service }) => {
    const task = await settled(service, await service.client.call(startDemonstration))
    expect(task).toMatchObject({ status: 'READY', detail: null })
    const seen = await watch(service, task.app_conversation_id ?? '')
    await seen.untilStatus('finished')
    const runs = seen
      .of('ObservationEvent')
      .map(event => event.observation)
      .filter(one => one.kind === 'TerminalObservation')
    const outputs = runs.map(one => textOf(one.content))
    expect(runs.map(one => one.exit_code)).toEqual([0, 1, 0, 0])
    expect(outputs[1]).toContain('FAILED (failures=2)')
    expect(outputs[2]).toMatch(/Ran 6 tests[\s\S]*OK/)
    expect(outputs[3]).toContain('+    return (cents * (100 - percent) + 50) // 100')
    expect(seen.of('AgentErrorEvent')).toEqual([])
    await seen.close()
  })
})

describe('a recorded trajectory', () => {
  const recorded = readFileSync(
    new URL('../../../build/resources/demonstration/trajectory.json', import.meta.url),
    'utf8',
  )

  it('drives a conversation of the legacy generation, without settings', async ({ create, service }) => {
    const reply = await create({ replay_json: recorded, conversation_instructions: 'Be calm.' })
    expect(reply).toMatchObject({ status: 'ok', message: null, conversation_status: 'STARTING' })
    const { items } = await service.client.call(searchStartTasks, {
      query: { conversation_id__eq: reply.conversation_id },
    })
    const [task] = items
    if (!task) return expect.unreachable()
    await settled(service, task)
    const seen = await watch(service, reply.conversation_id)
    await seen.untilStatus('finished')
    expect(seen.of('ActionEvent').map(event => event.tool_name)).toHaveLength(7)
    expect(seen.of('SystemPromptEvent')[0]?.dynamic_context?.text).toContain('Be calm.')
    await seen.close()
  })

  it.for<[string, string]>([
    ['text that is not JSON', '{'],
    ['something that is not a list', '{"a": 1}'],
    ['a list that does not start with a message of the user', '[{"kind":"PauseEvent"}]'],
    ['an empty list', '[]'],
    ['an event of the wrong form', '[{"kind":"MessageEvent","source":"user"}]'],
  ])('is refused when it is %s', async ([_what, replay_json], { create }) => {
    const refused = await create({ replay_json }).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining('recorded trajectory') })
  })

  it('is refused together with a message', async ({ create }) => {
    await expect(create({ replay_json: recorded, initial_user_msg: 'Hello' })).rejects.toMatchObject({ status: 400 })
  })

  it('leaves nothing behind when it is refused', async ({ service, create }) => {
    const before = await service.client.call(searchStartTasks, {})
    await expect(create({ replay_json: '[]' })).rejects.toBeDefined()
    expect((await service.client.call(searchStartTasks, {})).items).toHaveLength(before.items.length)
    expect(await service.client.call(batchGetStartTasks, { query: { ids: ['0'.repeat(32)] } })).toEqual([null])
  })
})
