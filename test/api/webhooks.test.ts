import { describe, expect } from 'vitest'
import { listAppConversations, runConversation, sendMessage } from '../../server/api/v1/conversation/conversations.ts'
import { countConversationEvents, searchConversationEvents } from '../../server/api/v1/conversation/event-routes.ts'
import { createSecret } from '../../server/api/v1/settings/secrets.ts'
import { newConversationId } from '../../server/domain/ids.ts'
import { it as base } from '../fixtures/service.ts'
import { said, startConversation } from '../parts/client/conversation.ts'
import { startGatewaySandbox } from '../parts/client/gateway.ts'
import { watch } from '../parts/client/watch.ts'
import type { TestService } from '../parts/service/service.ts'
import { STEP } from '../parts/value/reported-step.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('sandbox', { scope: 'file' }, ({ service }) => startSandbox(service))
  .extend('other', { scope: 'file' }, ({ service }) => startSandbox(service))
  .extend(
    'call',
    { scope: 'file' },
    ({ service }) =>
      async (method: string, path: string, key: string, body?: unknown) => {
        const reply = await fetch(`${service.url}/api/v1${path}`, {
          method,
          headers: { 'X-Session-API-Key': key, 'Content-Type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const text = await reply.text()
        return { status: reply.status, text, type: reply.headers.get('content-type') ?? '' }
      },
  )
  .extend('report', { scope: 'file' }, ({ call, sandbox }) => (body: unknown, key = sandbox.key) => {
    return call('POST', '/webhooks/conversations', key, body)
  })
  .extend('record', { scope: 'file' }, ({ call, sandbox }) => (id: string, events: unknown, key = sandbox.key) => {
    return call('POST', `/webhooks/events/${id}`, key, events)
  })
  .extend('shown', { scope: 'file' }, ({ service }) => async (id: string) => {
    const [conversation] = [await service.client.call(listAppConversations, { query: { ids: [id] } })].flat()
    if (!conversation || !('sandbox_id' in conversation)) throw new Error('It is not shown.')
    return conversation
  })
  .extend('eventsOf', { scope: 'file' }, ({ service }) => async (id: string) => {
    return (await service.client.call(searchConversationEvents, { params: { conversation_id: id } })).items
  })
  .extend('path', { scope: 'file' }, ({ sandbox }) => `/sandboxes/${sandbox.id}/settings/secrets`)

async function startSandbox(service: TestService): Promise<{ id: string; key: string }> {
  const { id, caller } = await startGatewaySandbox(service)
  return { id, key: caller.key }
}

const info = (id: string, fields: object = {}) => ({
  id,
  title: 'Elsewhere',
  execution_status: 'running',
  agent: { kind: 'Agent', llm: { model: 'openai/gpt-x', api_key: '**********' } },
  workspace: { kind: 'LocalWorkspace', working_dir: '/work/there' },
  confirmation_policy: { kind: 'NeverConfirm' },
  ...fields,
})

describe('a conversation that another agent server reports', () => {
  it('shows in the list, and its later reports leave alone what they do not say', async ({
    report,
    shown,
    sandbox,
  }) => {
    const id = newConversationId()
    expect(await report(info(id))).toMatchObject({ status: 200, text: '{"success":true}' })
    const first = await shown(id)
    expect(first).toMatchObject({
      title: 'Elsewhere',
      execution_status: 'running',
      sandbox_id: sandbox.id,
      llm_model: 'openai/gpt-x',
    })
    await report(
      info(id, { execution_status: 'paused', title: 'Renamed', parent_conversation_id: newConversationId() }),
    )
    expect(await shown(id)).toMatchObject({
      title: 'Elsewhere',
      execution_status: 'paused',
      created_at: first.created_at,
      parent_conversation_id: null,
    })
  })

  it('has its events stored once and in order, whatever dialect they are in, also before it was reported', async ({
    record,
    eventsOf,
    shown,
  }) => {
    const id = newConversationId()
    expect((await record(id, STEP)).status).toBe(200)
    expect((await record(id, [...STEP, STEP[0]])).status).toBe(200)
    const events = await eventsOf(id)
    expect(events.map(event => [event.id, event.kind, event.seq])).toEqual([
      ['m1', 'MessageEvent', 0],
      ['a1', 'ActionEvent', 1],
      ['o1', 'ObservationEvent', 2],
      ['a2', 'ActionEvent', 3],
      ['v1', 'ConversationStateUpdateEvent', 4],
      ['u1', 'ConversationStateUpdateEvent', 5],
    ])
    expect(events[0]).toMatchObject({ timestamp: '2026-01-01T10:00:00.123Z', activated_skills: ['x'] })
    expect(events[1]).toMatchObject({ action: { kind: 'TerminalAction', command: 'ls' } })
    expect(events[2]).toMatchObject({ observation: { kind: 'TerminalObservation', content: [{ text: 'a.txt' }] } })
    expect(events[3]).toMatchObject({ action: { kind: 'MCPToolAction', data: { level: 3 } } })
    expect(events[4]).toMatchObject({ key: 'reported:VeryNewEvent', value: { anything: { nested: true } } })
    expect((await shown(id)).execution_status).toBe('finished')
  })

  it('reaches a socket that is open', async ({ report, service, record }) => {
    const id = newConversationId()
    await report(info(id))
    const socket = await watch(service, id)
    await record(id, STEP.slice(0, 1))
    await socket.until(event => event.kind === 'MessageEvent')
    await socket.close()
  })

  it('is not run here, and keeps its state over a restart', async ({ report, service, shown, record }) => {
    const id = newConversationId()
    await report(info(id))
    const params = { conversation_id: id }
    await expect(service.client.call(sendMessage, { params, body: said('hi') })).rejects.toMatchObject({
      code: 'conversation_elsewhere',
    })
    await expect(service.client.call(runConversation, { params })).rejects.toMatchObject({
      code: 'conversation_elsewhere',
    })
    await service.restart()
    expect((await shown(id)).execution_status).toBe('running')
    await record(id, STEP)
    expect(await service.client.call(countConversationEvents, { params })).toBe(6)
  })

  it('has values that are known as secrets hidden before they are stored', async ({
    service,
    record,
    report,
    eventsOf,
    shown,
  }) => {
    const id = newConversationId()
    await service.client.call(createSecret, { body: { name: 'TOKEN', value: 'sesame-open-now', description: null } })
    await record(id, [
      { ...STEP[0], llm_message: { role: 'user', content: [{ type: 'text', text: 'it is sesame-open-now' }] } },
    ])
    await report(info(id, { title: 'Use sesame-open-now' }))
    expect(JSON.stringify([await eventsOf(id), await shown(id)])).not.toContain('sesame')
  })
})

describe('who may report', () => {
  it.for(['', 'wrong'])('is not the key %j', async (key, { report, record }) => {
    expect((await report(info(newConversationId()), key)).status).toBe(401)
    expect((await record(newConversationId(), [], key)).status).toBe(401)
  })

  it('is not the holder of the app’s key, nor of another sandbox’s', async ({
    report,
    service,
    other,
    record,
    call,
    sandbox,
  }) => {
    const id = newConversationId()
    expect((await report(info(id), service.key)).status).toBe(401)
    await report(info(id))
    expect((await report(info(id), other.key)).status).toBe(401)
    expect((await record(id, STEP, other.key)).status).toBe(401)
    expect((await call('POST', `/webhooks/${sandbox.id}/conversations`, other.key, info(id))).status).toBe(401)
    expect((await call('POST', `/webhooks/${sandbox.id}/conversations`, sandbox.key, info(id))).status).toBe(200)
    expect((await call('POST', `/webhooks/${sandbox.id}/events/${id}`, sandbox.key, [])).status).toBe(200)
  })

  it('cannot speak for a conversation that Atelier runs', async ({ service, sandbox, report, record }) => {
    const { app_conversation_id: id } = await startConversation(service, { sandbox_id: sandbox.id })
    expect((await report(info(id ?? ''))).status).toBe(409)
    expect((await record(id ?? '', STEP)).status).toBe(409)
  })

  it('is no child of a conversation of another sandbox, whose secrets and hooks it would come into', async ({
    service,
    other,
    report,
    shown,
  }) => {
    const { app_conversation_id: parent } = await startConversation(service, { sandbox_id: other.id })
    const id = newConversationId()
    expect((await report(info(id, { parent_conversation_id: parent }))).status).toBe(401)
    expect((await report(info(id))).status).toBe(200)
    expect((await report(info(id, { parent_conversation_id: parent }))).status).toBe(200)
    expect((await shown(id)).parent_conversation_id).toBeNull()
  })

  it('opens nothing else with the sandbox’s key', async ({ call, sandbox }) => {
    expect((await call('GET', '/app-conversations', sandbox.key)).status).toBe(401)
    expect((await call('GET', '/secrets/search', sandbox.key)).status).toBe(401)
  })

  it.for<[unknown]>([[{}], [[]], [{ id: 5 }], [{ id: 'x', execution_status: 'asleep' }]])(
    'is told 422 or 400 for %j',
    async ([body], { report }) => {
      expect([400, 422]).toContain((await report(body)).status)
    },
  )
})

describe('the secrets of a sandbox', () => {
  it('are those given for its conversations: named to the holder of its key, and read one by one as plain text', async ({
    service,
    sandbox,
    call,
    path,
  }) => {
    const secrets = { DEPLOY_KEY: { value: 'deploy-me-now', description: 'For it' } }
    await startConversation(service, { sandbox_id: sandbox.id, secrets })
    const names = await call('GET', path, sandbox.key)
    expect(JSON.parse(names.text).secrets).toEqual([{ name: 'DEPLOY_KEY', description: 'For it' }])
    const value = await call('GET', `${path}/DEPLOY_KEY`, sandbox.key)
    expect(value).toMatchObject({ status: 200, text: 'deploy-me-now' })
    expect(value.type).toContain('text/plain')
    expect((await call('GET', `${path}/NOTHING`, sandbox.key)).status).toBe(404)
  })

  it('are none of the user’s that no command of its conversations has named, nor another sandbox’s', async ({
    service,
    report,
    call,
    path,
    sandbox,
    other,
  }) => {
    const body = { name: 'USER_SECRET', value: 'users-own-value', description: null }
    await service.client.call(createSecret, { body })
    await report(info(newConversationId()))
    expect((await call('GET', `${path}/USER_SECRET`, sandbox.key)).status).toBe(404)
    expect((await call('GET', path, sandbox.key)).text).not.toContain('USER_SECRET')
    const elsewhere = `/sandboxes/${other.id}/settings/secrets`
    await startConversation(service, { sandbox_id: other.id, secrets: { OTHERS: 'of-the-other-one' } })
    expect((await call('GET', `${elsewhere}/OTHERS`, other.key)).status).toBe(200)
    expect((await call('GET', `${path}/OTHERS`, sandbox.key)).status).toBe(404)
    expect((await call('GET', `${elsewhere}/DEPLOY_KEY`, other.key)).status).toBe(404)
  })

  it.for(['', 'wrong'])('are not told to the key %j', async (key, { call, path }) => {
    expect((await call('GET', path, key)).status).toBe(401)
    expect((await call('GET', `${path}/DEPLOY_KEY`, key)).status).toBe(401)
  })

  it('are not told to another sandbox', async ({ call, path, other }) => {
    expect((await call('GET', `${path}/DEPLOY_KEY`, other.key)).status).toBe(401)
  })
})
