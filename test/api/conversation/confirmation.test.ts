import { describe, expect } from 'vitest'
import {
  askAgent,
  forkConversation,
  getFinalResponse,
  navigateConversation,
  respondToConfirmation,
} from '../../../server/api/v1/conversation/actions.ts'
import {
  runConversation,
  sendMessage,
  updateAppConversation,
} from '../../../server/api/v1/conversation/conversations.ts'
import { searchEvents } from '../../../server/api/v1/conversation/event-routes.ts'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('start', { scope: 'file' }, ({ service }) => async (fields: object = { confirmation_policy: ALWAYS }) => {
    const task = await startConversation(service, { initial_message: said('Go'), ...fields })
    const id = task.app_conversation_id ?? ''
    return { id, sandboxId: task.sandbox_id ?? '', params: { conversation_id: id }, seen: await watch(service, id) }
  })
  .extend('respond', { scope: 'file' }, ({ service }) => (params: Params, accept: boolean, fields: object = {}) => {
    return service.client.call(respondToConfirmation, { params, body: { accept, ...fields } })
  })

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const finish = call('finish', { message: 'Done.' })
const ALWAYS = { kind: 'AlwaysConfirm' } as const

type Params = { conversation_id: string }

describe('calls that wait for confirmation', () => {
  it('run once they are accepted, and not before', async ({ model, start, respond }) => {
    model.setScript([call('terminal', { command: 'touch made && ls made' }), finish])
    const { params, seen } = await start()
    const waiting = await seen.untilStatus('waiting_for_confirmation')
    expect(seen.of('ObservationEvent')).toEqual([])
    await respond(params, true)
    await seen.untilStatus('finished', 'seq' in waiting ? waiting.seq : 0)
    expect(seen.of('ObservationEvent')).toHaveLength(2)
    await expect(respond(params, true)).rejects.toMatchObject({ code: 'not_waiting' })
    await seen.close()
  })

  it('are answered with the reason when they are rejected, and the model reads it', async ({
    model,
    start,
    respond,
    service,
  }) => {
    model.setScript([call('terminal', { command: 'rm -rf /' }), finish])
    const { params, seen } = await start()
    await seen.untilStatus('waiting_for_confirmation')
    await respond(params, false, { reason: 'Far too much.' })
    const idle = await seen.untilStatus('idle')
    expect(seen.of('UserRejectObservation')).toMatchObject([
      { source: 'environment', rejection_source: 'user', rejection_reason: 'Far too much.' },
    ])
    await service.client.call(runConversation, { params })
    await seen.untilStatus('finished', 'seq' in idle ? idle.seq : 0)
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('Far too much.')
    await seen.close()
  })

  it('are rejected by a message, which is no consent', async ({ model, start, service }) => {
    model.setScript([call('terminal', { command: 'touch never' }), finish])
    const { params, seen } = await start()
    await seen.untilStatus('waiting_for_confirmation')
    await service.client.call(sendMessage, { params, body: said('What would that do?') })
    await seen.untilStatus('finished')
    expect(seen.of('UserRejectObservation')).toHaveLength(1)
    expect(seen.of('ObservationEvent').map(event => event.tool_name)).toEqual(['finish'])
    await seen.close()
  })

  it('do not wait again when their kind is allowed for good', async ({ model, start, respond, service }) => {
    model.setScript([call('terminal', { command: 'echo one' }), call('terminal', { command: 'echo one' }), finish])
    const { params, seen } = await start()
    await seen.untilStatus('waiting_for_confirmation')
    await respond(params, true, { always_allow: true })
    await seen.untilStatus('finished')
    expect(seen.of('ObservationEvent')).toHaveLength(3)

    const taken = await service.client.call(updateAppConversation, { params, body: { max_iterations: 50 } })
    expect(taken.always_allowed).toEqual([{ id: expect.any(String), text: 'Commands that start with `echo`' }])
    const [kind] = taken.always_allowed
    const keep = (always_allowed: string[]) =>
      service.client.call(updateAppConversation, { params, body: { always_allowed } })
    expect((await keep([kind?.id ?? '', 'another'])).always_allowed).toEqual([kind])
    expect((await keep([])).always_allowed).toEqual([])
    model.setScript([call('terminal', { command: 'echo one' })])
    await service.client.call(sendMessage, { params, body: said('Once more') })
    await seen.untilStatus('waiting_for_confirmation', seen.events().at(-1)?.seq)
    await seen.close()
  })

  it('come from the settings, and can be switched off while one waits', async ({ service, model, start, respond }) => {
    await service.client.call(storeSettings, { body: { confirmation_mode: true } })
    model.setScript([call('terminal', { command: 'echo one' }), call('terminal', { command: 'echo two' }), finish])
    const { params, seen } = await start({})
    await service.client.call(storeSettings, { body: { confirmation_mode: false } })
    await seen.untilStatus('waiting_for_confirmation')
    const changed = await service.client.call(updateAppConversation, {
      params,
      body: { confirmation_policy: { kind: 'NeverConfirm' } },
    })
    expect(changed.confirmation_policy).toEqual({ kind: 'NeverConfirm' })
    await respond(params, true)
    await seen.untilStatus('finished')
    await seen.close()
  })
})

describe('a conversation that branches', () => {
  it('goes on after an earlier event without what came later, and forward again', async ({ model, start, service }) => {
    model.setScript([call('think', { thought: 'a secret plan' }), finish, { text: 'Started anew.' }])
    const { params, seen } = await start({})
    await seen.untilStatus('finished')
    const [first] = seen.of('MessageEvent')
    await service.client.call(navigateConversation, { params, body: { event_id: first?.id ?? '' } })
    await service.client.call(runConversation, { params })
    await seen.until(frame => frame.kind === 'MessageEvent' && frame.source === 'agent')
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain('a secret plan')
    expect(await service.client.call(getFinalResponse, { params })).toEqual({ response: 'Started anew.' })
    const missing = service.client.call(navigateConversation, { params, body: { event_id: 'nothing' } })
    await expect(missing).rejects.toMatchObject({ code: 'not_found' })
    await seen.close()
  })

  it('forks with its events, shares the sandbox, and leaves the original alone', async ({ model, start, service }) => {
    model.setScript([call('think', { thought: 'from the original' }), finish, { text: 'In the fork.' }])
    const { id, sandboxId, params, seen } = await start({})
    await seen.untilStatus('finished')
    const fork = await service.client.call(forkConversation, { params, body: { title: 'Another way' } })
    expect(fork).toMatchObject({
      title: 'Another way',
      sandbox_id: sandboxId,
      forked_from_conversation_id: id,
      steps: 0,
    })
    const followed = await watch(service, fork.id)
    await service.client.call(sendMessage, { params: { conversation_id: fork.id }, body: said('Go on differently') })
    await followed.untilStatus('finished')
    expect(JSON.stringify(model.requests.at(-1)?.body)).toContain('from the original')
    const query = { conversation_id__eq: id, limit: 100 }
    const { items } = await service.client.call(searchEvents, { query })
    expect(JSON.stringify(items)).not.toContain('In the fork.')
    await followed.close()
    await seen.close()
  })

  it('answers a side question and keeps nothing of it but what it cost', async ({ model, start, service }) => {
    model.setScript([finish, { text: 'Because of the tests.' }])
    const { params, seen } = await start({})
    await seen.untilStatus('finished')
    const before = seen.events().length
    const body = { question: 'Why did you do that?' }
    expect(await service.client.call(askAgent, { params, body })).toEqual({ response: 'Because of the tests.' })
    const query = { conversation_id__eq: params.conversation_id, limit: 100 }
    const added = (await service.client.call(searchEvents, { query })).items.slice(before)
    expect(added).toMatchObject([{ kind: 'ConversationStateUpdateEvent', key: 'stats' }])
    expect(JSON.stringify(added)).not.toMatch(/Because of|Why did/)
    const [asked, worked] = [model.requests.at(-1), model.requests.at(-2)].map(request => request?.body)
    expect(asked.messages[0]).toEqual(worked.messages[0])
    expect(asked.tools).toEqual(worked.tools)
    await seen.close()
  })
})
