import { describe, expect } from 'vitest'
import { readSavedLog, startReplay } from '../../../server/api/v1/conversation/replays.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { said, settled, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { llm_api_key: 'sk-test-0123456789' }),
  }))
  .extend('get', { scope: 'file' }, ({ service }) => async (path: string) => {
    const reply = await fetch(service.url + path, { headers: { 'X-Session-API-Key': service.key } })
    expect(reply.status).toBe(200)
    return reply.blob()
  })
  .extend('record', { scope: 'file' }, ({ model, service }) => async (): Promise<string> => {
    model.setScript([
      { text: 'I make it.', ...terminal('echo made >proof') },
      terminal('cat proof'),
      { toolCalls: [{ name: 'finish', arguments: { message: 'It is made.' } }] },
    ])
    const { app_conversation_id: id } = await startConversation(service, { initial_message: said('Make a proof') })
    const seen = await watch(service, id ?? '')
    await seen.untilStatus('finished')
    await seen.close()
    return id ?? ''
  })

const terminal = (command: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command } }] })

describe('a replay', () => {
  it.for<[string, (id: string) => string]>([
    ['the archive of a conversation', (id: string) => `/api/v1/app-conversations/${id}/download`],
    ['the older format of it', (id: string) => `/api/conversations/${id}/trajectory`],
  ])(
    'of %s does its work again in a sandbox of its own, and asks no model',
    async ([_what, path], { record, get, service, model }) => {
      const recorded = await record()
      const form = new FormData()
      form.set('file', await get(path(recorded)))
      const log = await service.client.call(readSavedLog, { form })
      expect(log).toMatchObject({ first_message: 'Make a proof', agent_steps: 3 })
      const asked = model.requests.length

      const task = await settled(service, await service.client.call(startReplay, { body: { events: log.events } }))
      expect(task).toMatchObject({ status: 'READY', detail: null })
      const seen = await watch(service, task.app_conversation_id ?? '')
      await seen.untilStatus('finished')
      expect(seen.of('ActionEvent').map(({ tool_name }) => tool_name)).toEqual(['terminal', 'terminal', 'finish'])
      expect(JSON.stringify(seen.of('ObservationEvent')[1]?.observation)).toContain('made')
      expect(model.requests).toHaveLength(asked)
      await seen.close()
    },
  )

  it('of what is no log is refused, and says why', async ({ service }) => {
    const events = [{ kind: 'PauseEvent' }]
    await expect(service.client.call(startReplay, { body: { events } })).rejects.toMatchObject({
      code: 'trajectory_invalid',
      message: expect.stringContaining("it must start with a user's message"),
    })
  })
})
