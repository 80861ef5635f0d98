import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isResult } from '../../server/api/event/calls.ts'
import type { Event } from '../../server/api/event/events.ts'
import { interruptConversation, runConversation, sendMessage } from '../../server/api/v1/conversation/conversations.ts'
import { searchEvents } from '../../server/api/v1/conversation/event-routes.ts'
import { storeSettingsV1 } from '../../server/api/v1/settings/settings.ts'
import { getSystem } from '../../server/api/v1/system/system.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { watch } from '../parts/client/watch.ts'
import { type SmallDisk, smallDisk } from '../parts/engine/small-disk.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const finish = call('finish', { message: 'Done.' })

/** Every call in the log has exactly one result, and the numbers are dense. */
function expectWhole(events: readonly Event[]): void {
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
  for (const event of events) {
    if (event.kind !== 'ActionEvent') continue
    const results = events.filter(isResult).filter(one => one.tool_call_id === event.tool_call_id)
    expect(results, event.tool_call_id).toHaveLength(1)
  }
}

describe.skipIf(process.getuid?.() !== 0)('a full disk (only root may mount one of 20 MB)', () => {
  let disk: SmallDisk
  let model: ModelServer
  let service: TestService

  beforeEach(async () => {
    disk = smallDisk(20)
    model = await startModelServer()
    service = await startTestService({
      dataDir: disk.folder,
      settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-test' },
    })
  })
  afterEach(async () => {
    disk.free()
    await service?.close()
    await model?.close()
    disk.remove()
  })

  async function workUntilFull() {
    let filled = () => {}
    const full = new Promise<void>(resolve => {
      filled = resolve
    })
    const answers = [call('terminal', { command: 'echo first' }), call('terminal', { command: 'echo second' }), finish]
    model.setScript((_request, index) => {
      if (index === 1) {
        disk.fill()
        filled()
      }
      return answers[index] ?? finish
    })
    const task = await startConversation(service, { initial_message: said('Go') })
    const id = task.app_conversation_id ?? ''
    const seen = await watch(service, id)
    await full
    return { id, params: { conversation_id: id }, seen }
  }

  it('pauses the agent at work, refuses to store in words, reads on, and lets the agent go on once there is space', async () => {
    const { id, params, seen } = await workUntilFull()
    await expect.poll(() => service.service.activity().working.length, { timeout: 20_000 }).toBe(1)
    const allowed_hosts = Array.from(
      { length: 100 },
      (_, index) => `host-${index}.${`${'x'.repeat(60)}.`.repeat(3)}example`,
    )
    await expect(service.client.call(storeSettingsV1, { body: { allowed_hosts } })).rejects.toMatchObject({
      status: 507,
      code: 'disk_full',
      message: expect.stringContaining('Free some space'),
    })
    await expect(service.client.call(sendMessage, { params, body: said('Hello') })).rejects.toMatchObject({
      status: 507,
    })
    const { items } = await service.client.call(searchEvents, { query: { conversation_id__eq: id } })
    expect(items.some(event => event.kind === 'ObservationEvent')).toBe(true)
    await service.client.call(getSystem)

    disk.free()
    await seen.untilStatus('finished')
    expect(seen.of('ConversationErrorEvent')).toMatchObject([{ code: 'disk_full' }])
    expect(seen.of('ObservationEvent')).toHaveLength(3)
    expectWhole(seen.events())
    await seen.close()
  })

  it('lets a person stop and continue once there is space, and says why not before', async () => {
    const { params, seen } = await workUntilFull()
    await expect
      .poll(() => service.client.call(interruptConversation, { params }).catch(error => error.status), {
        timeout: 20_000,
      })
      .toBe(507)
    disk.free()
    await service.client.call(interruptConversation, { params })
    await seen.untilStatus('paused')
    await service.client.call(runConversation, { params })
    await seen.untilStatus('finished')
    expectWhole(seen.events())
    await seen.close()
  })

  it('does not keep Atelier from starting: everything can be read, and stored again once there is space', async () => {
    const { id, params, seen } = await workUntilFull()
    await seen.close()
    await service.restart()
    const { items } = await service.client.call(searchEvents, { query: { conversation_id__eq: id } })
    expect(items.some(event => event.kind === 'ObservationEvent')).toBe(true)
    disk.free()
    await service.client.call(runConversation, { params })
    const again = await watch(service, params.conversation_id)
    await again.untilStatus('finished')
    expectWhole(again.events())
    await again.close()
  })
})
