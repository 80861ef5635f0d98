import { beforeEach, describe, expect } from 'vitest'
import { listAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { batchGetStartTasks } from '../../../server/api/v1/conversation/start-tasks.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { call, type Reply, watchLegacy } from '../../parts/client/legacy.ts'
import { type Gate, startGate } from '../../parts/gate.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { allowed_hosts: ['host.docker.internal'] }),
  }))
  .extend('send', { scope: 'file' }, ({ service }) => (method: string, path: string, body?: unknown) => {
    return call(service, method, path, body)
  })
  .extend('get', { scope: 'file' }, ({ send }) => (path: string) => {
    return send('GET', path)
  })
  /** One that stays at its set-up script until the gate opens. */
  .extend('startHeld', { scope: 'file' }, ({ git, model, send }) => async (): Promise<string> => {
    const name = `held-${crypto.randomUUID().slice(0, 8)}`
    await git.add(name, { '.openhands/setup.sh': `curl -s ${gate.url}\n` })
    model.setScript([{ text: 'Ready.' }])
    const made = await send('POST', '/api/conversations', { repository: git.url(name), initial_user_msg: 'Begin.' })
    await gate.reached
    return idIn(made)
  })
  .extend('startFailing', { scope: 'file' }, ({ send, service }) => async (): Promise<string> => {
    const id = idIn(await send('POST', '/api/conversations', { repository: 'http://127.0.0.1:1/nobody/there.git' }))
    const seen = watchLegacy(service, id)
    await seen.until(frame => 'type' in frame && frame.type === 'error', 'The failure of the start')
    seen.close()
    return id
  })

let gate: Gate

const idIn = ({ body }: Reply) => (body as { conversation_id: string }).conversation_id
const at = (id: string, path = '') => `/api/conversations/${id}${path}`

describe('a conversation that is starting', () => {
  beforeEach(async () => {
    gate = await startGate()
    return () => gate.close()
  })

  it('has no events yet, which is no error to who asks for them', async ({ startHeld, get, send }) => {
    const id = await startHeld()
    expect(await get(at(id, '/events'))).toMatchObject({ status: 200, body: { events: [], has_more: false } })
    expect(await get(at(id, '/events?limit=101'))).toMatchObject({ status: 400 })
    expect(await send('DELETE', at(id))).toMatchObject({ body: true })
  })

  it('is gone when it was deleted', async ({ startHeld, send, get }) => {
    const id = await startHeld()
    expect(await send('DELETE', at(id))).toMatchObject({ status: 200, body: true })
    expect((await get(at(id))).body).toBeNull()
    expect(await get(at(id, '/events'))).toMatchObject({ status: 404 })
    expect(await send('DELETE', at(id))).toMatchObject({ status: 200, body: false })
  })

  it('is told once by who reads the list page by page', async ({ service, startHeld, get, send }) => {
    const done = await startConversation(service, {})
    const held = [await startHeld(), await startHeld()]
    const ids: string[] = []
    for (let page: string | null = ''; page !== null; ) {
      expect(ids.length).toBeLessThan(20)
      const { results, next_page_id } = (await get(`/api/conversations?limit=1&page_id=${page}`)).body as {
        results: { conversation_id: string }[]
        next_page_id: string | null
      }
      ids.push(...results.map(one => one.conversation_id))
      page = next_page_id
    }
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.slice(0, 2).sort()).toEqual(held.sort())
    expect(ids).toContain(done.app_conversation_id)
    for (const id of held) await send('DELETE', at(id))
  })

  it('keeps the time at which it was asked for', async ({ startHeld, service, get }) => {
    const id = await startHeld()
    const opened = Date.now()
    gate.open()
    const seen = watchLegacy(service, id)
    await seen.untilState('finished')
    seen.close()
    const after = (await get(at(id))).body as { created_at: string; status: string }
    expect(after.status).toBe('RUNNING')
    expect(Date.parse(after.created_at)).toBeLessThan(opened)
  })

  it('gets the name that it is given meanwhile', async ({ startHeld, send, get }) => {
    const id = await startHeld()
    const renamed = send('PATCH', at(id), { title: 'Early' })
    gate.open()
    expect(await renamed).toMatchObject({ status: 200, body: true })
    expect((await get(at(id))).body).toMatchObject({ title: 'Early' })
  })

  it('is stopped as soon as it is there, and can be started again', async ({ startHeld, send, get }) => {
    const id = await startHeld()
    const stopped = send('POST', at(id, '/stop'))
    gate.open()
    expect((await stopped).body).toMatchObject({
      conversation_status: 'STOPPED',
      message: 'Conversation stopped successfully',
    })
    expect((await get(at(id))).body).toMatchObject({ status: 'STOPPED' })
    expect((await send('POST', at(id, '/start'), {})).body).toMatchObject({ conversation_status: 'RUNNING' })
  })
})

describe('a conversation whose start has failed', () => {
  it('is shown until it is deleted, without events', async ({ startFailing, get, send }) => {
    const id = await startFailing()
    expect((await get(at(id))).body).toMatchObject({ status: 'STOPPED', runtime_status: 'STATUS$ERROR' })
    expect(await get(at(id, '/events'))).toMatchObject({ status: 200, body: { events: [], has_more: false } })
    expect(await send('PATCH', at(id), { title: 'x' })).toMatchObject({ status: 404 })
    expect((await send('POST', at(id, '/stop'))).body).toMatchObject({ conversation_status: 'STOPPED' })
    const message = expect.stringContaining('Failed to start conversation: ')
    expect(await send('POST', at(id, '/start'), {})).toMatchObject({ status: 500, body: { status: 'error', message } })
    expect(await send('DELETE', at(id))).toMatchObject({ status: 200, body: true })
    expect((await get(at(id))).body).toBeNull()
  })
})

describe('a conversation that is stopped', () => {
  it('says so to all that follow it, and lets them go', async ({ model, send, service, get }) => {
    model.setScript([{ text: 'Ready.' }])
    const id = idIn(await send('POST', '/api/conversations', { initial_user_msg: 'Begin.' }))
    const seen = watchLegacy(service, id)
    await seen.untilState('finished')
    const gone = new Promise<string>(resolve => seen.socket.once('disconnect', resolve))
    await send('POST', at(id, '/stop'))
    expect(await gone).toBe('io server disconnect')
    expect(seen.frames.at(-1)).toEqual({
      observation: 'agent_state_changed',
      content: '',
      extras: { agent_state: 'stopped', reason: '' },
      message: '',
    })
    expect((await get(at(id))).body).toMatchObject({ status: 'STOPPED', num_connections: 0 })
  })
})

describe('a start task', () => {
  it('names every field of the request, and where the conversation is reached', async ({ service }) => {
    const task = await startConversation(service, { pr_number: [7] })
    const [told] = await service.client.call(batchGetStartTasks, { query: { ids: [task.id] } })
    const nothing = { sandbox_id: null, llm_model: null, selected_repository: null, selected_branch: null }
    expect(told?.request).toMatchObject({ ...nothing, git_provider: null, title: null, trigger: null, pr_number: [7] })
    const ids = [task.app_conversation_id ?? '']
    const [conversation] = (await service.client.call(listAppConversations, { query: { ids } })) as {
      conversation_url: string
    }[]
    expect(told?.agent_server_url).toBe(new URL(conversation?.conversation_url ?? '').origin)
  })

  it('takes instructions as a title, as existing clients send them', async ({ service, get }) => {
    const title = `Write instructions. ${'And then some. '.repeat(50)}`
    const task = await startConversation(service, { title })
    const { body } = await get(at(task.app_conversation_id ?? ''))
    expect(body).toMatchObject({ title: title.slice(0, 200) })
  })
})
