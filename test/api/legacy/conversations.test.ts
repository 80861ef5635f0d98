import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { ConversationInfoPage } from '../../../server/api/legacy/conversation-routes.ts'
import { listAppConversations } from '../../../server/api/v1/conversation/conversations.ts'
import { getUsage } from '../../../server/api/v1/system/usage.ts'
import { it as base, scripted } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { call, problemOf, watchLegacy } from '../../parts/client/legacy.ts'
import { startGitServer } from '../../parts/git-server.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({ model }) => ({
    settings: scripted(model, { allowed_hosts: ['host.docker.internal'] }),
  }))
  .extend('made', { scope: 'file' }, async ({ model, service }) => {
    model.setScript([
      { text: 'I look.', toolCalls: [{ name: 'terminal', arguments: { command: 'echo marmalade' } }] },
      { text: 'It says marmalade.' },
    ])
    return call(service, 'POST', '/api/conversations', { initial_user_msg: 'Say a word.' })
  })
  .extend('id', { scope: 'file' }, ({ made }) => {
    expect(problemOf('post', '/api/conversations', made.body)).toBeUndefined()
    expect(made.body).toMatchObject({ status: 'ok', conversation_status: 'STARTING', message: null })
    return (made.body as { conversation_id: string }).conversation_id
  })
  .extend('at', { scope: 'file' }, ({ id }) => (path = '', conversation = id) => {
    return `/api/conversations/${conversation}${path}`
  })
  .extend('get', { scope: 'file' }, ({ service }) => (path: string) => {
    return call(service, 'GET', path)
  })
  .extend('list', { scope: 'file' }, ({ get }) => async (query: string): Promise<ConversationInfoPage> => {
    return (await get(`/api/conversations?${query}`)).body as ConversationInfoPage
  })

const UNKNOWN = '0'.repeat(32)

it.beforeAll(async ({ get, at, id, service }) => {
  const starting = await get(at())
  expect(problemOf('get', '/api/conversations/{conversation_id}', starting.body)).toBeUndefined()
  expect(starting.body).toMatchObject({ conversation_id: id, status: 'STARTING', conversation_version: 'V0' })
  expect((await get('/api/conversations')).body).toMatchObject({
    results: [{ conversation_id: id, status: 'STARTING' }],
  })
  const seen = watchLegacy(service, id)
  await seen.untilState('finished')
  seen.close()
})

describe('a conversation of the legacy generation', () => {
  it('runs, and says so as published', async ({ get, at }) => {
    const { body } = await get(at())
    expect(problemOf('get', '/api/conversations/{conversation_id}', body)).toBeUndefined()
    expect(body).toMatchObject({
      status: 'RUNNING',
      runtime_status: 'STATUS$READY',
      url: at(),
      session_api_key: null,
      trigger: 'gui',
    })
  })

  it('is visible in the newer generation, and the other way round', async ({ service, id, get, at }) => {
    const newer = await service.client.call(listAppConversations, { query: {} })
    expect(JSON.stringify(newer)).toContain(id)
    const task = await startConversation(service, { title: 'Newer' })
    const { body } = await get(at('', task.app_conversation_id ?? ''))
    const batch = await service.client.call(listAppConversations, { query: { ids: [task.app_conversation_id ?? ''] } })
    const newest = Array.isArray(batch) ? batch[0] : undefined
    expect(body).toMatchObject({
      title: 'Newer',
      status: 'RUNNING',
      conversation_version: 'V1',
      url: newest?.conversation_url,
      session_api_key: newest?.session_api_key,
    })
    expect((await call(service, 'DELETE', at('', task.app_conversation_id ?? ''))).body).toBe(true)
  })

  it('is called what its client calls it, on every way', async ({ service, at, get }) => {
    const name = 'my own name'
    const made = await call(service, 'POST', '/api/conversations', { conversation_id: name })
    expect(made.body).toMatchObject({ conversation_id: name })
    const seen = watchLegacy(service, name)
    await seen.untilState('awaiting_user_input')
    const titled = seen.until(frame => 'conversation_title' in frame, 'A title')
    expect((await call(service, 'PATCH', at('', name), { title: 'Named' })).body).toBe(true)
    expect(await titled).toMatchObject({ message: name, conversation_title: 'Named' })
    seen.close()
    const info = (await get(at('', name))).body
    expect(info).toMatchObject({ conversation_id: name, title: 'Named', conversation_version: 'V0', url: at('', name) })
    expect((await get('/api/conversations')).body).toMatchObject({
      results: expect.arrayContaining([expect.objectContaining({ conversation_id: name })]),
    })
    expect((await get(at('/config', name))).body).toMatchObject({ session_id: name })
    expect((await call(service, 'POST', at('/stop', name))).body).toMatchObject({ conversation_id: name })
    expect((await call(service, 'POST', '/api/conversations', { conversation_id: name })).status).toBe(409)
    expect((await call(service, 'DELETE', at('', name))).body).toBe(true)
    expect((await get(at('', name))).body).toBeNull()
  })

  it('is null when there is none, and 400 when the id is a path', async ({ get, at }) => {
    expect((await get(at('', UNKNOWN))).body).toBeNull()
    expect((await get(at('', 'not-an-id'))).body).toBeNull()
    for (const [text, detail] of [
      ['x'.repeat(101), 'Conversation ID is too long'],
      ['..%2f..%2fetc', 'Conversation ID contains invalid path characters'],
      ['a%00', 'Conversation ID contains invalid characters'],
      ['a%01', 'Conversation ID contains control characters'],
    ] as const) {
      expect(await get(at('', text))).toMatchObject({ status: 400, body: { detail } })
    }
  })

  it('takes a title, trimmed, and refuses others with the body that clients read', async ({ service, at, get }) => {
    expect(await call(service, 'PATCH', at(), { title: '  A word  ' })).toMatchObject({ status: 200, body: true })
    expect((await get(at())).body).toMatchObject({ title: 'A word' })
    expect((await call(service, 'PATCH', at(), { title: '' })).status).toBe(422)
    expect((await call(service, 'PATCH', at(), { title: 'x', other: 1 })).status).toBe(422)
    expect(await call(service, 'PATCH', at('', UNKNOWN), { title: 'x' })).toMatchObject({
      status: 404,
      body: { status: 'error', message: 'Conversation not found', msg_id: 'CONVERSATION$NOT_FOUND' },
    })
  })

  it('stops and starts again, told with the status before', async ({ service, at, get }) => {
    // Two clients at once: one of them finds it stopped already.
    const replies = await Promise.all([1, 2].map(() => call(service, 'POST', at('/stop'))))
    expect(replies).toMatchObject(replies.map(() => ({ status: 200, body: { conversation_status: 'STOPPED' } })))
    expect((await get(at())).body).toMatchObject({ status: 'STOPPED', runtime_status: null, url: null })
    expect((await call(service, 'POST', at('/stop'))).body).toMatchObject({ message: 'Conversation was not running' })
    expect((await get(at('/list-files'))).body).toEqual({ error: 'Runtime not yet initialized' })
    const started = await call(service, 'POST', at('/start'), {})
    expect(problemOf('post', '/api/conversations/{conversation_id}/start', started.body)).toBeUndefined()
    expect((await get(at())).body).toMatchObject({ status: 'RUNNING' })
    expect(await call(service, 'POST', at('/start', UNKNOWN), {})).toMatchObject({
      status: 404,
      body: { status: 'error', conversation_id: UNKNOWN },
    })
  })

  it('names its sandbox', async ({ get, at, id }) => {
    const { body } = await get(at('/config'))
    expect(body).toMatchObject({ session_id: id, runtime_id: expect.stringMatching(/^atelier-/) })
    expect(await get(at('/config', UNKNOWN))).toMatchObject({
      status: 404,
      body: { detail: `Conversation ${UNKNOWN} not found` },
    })
  })
})

describe('the list', () => {
  it('is paged with an opaque id and filtered in whole pages', async ({ service, list }) => {
    const git = await startGitServer()
    for (const name of ['one', 'two']) await git.add(name, { 'README.md': name })
    for (const name of ['one', 'two', 'one']) await startConversation(service, { selected_repository: git.url(name) })
    const first = await list('limit=2')
    expect(problemOf('get', '/api/conversations', first)).toBeUndefined()
    expect(first.results.map(one => one.selected_repository)).toEqual([git.url('one'), git.url('two')])
    const second = await list(`limit=2&page_id=${first.next_page_id}`)
    expect(second.results.map(one => one.selected_repository)).toEqual([git.url('one'), null])
    expect(second.next_page_id).toBeNull()
    expect((await list('selected_repository=&limit=1')).results).toEqual(first.results.slice(0, 1))
    const filtered = await list(`selected_repository=${encodeURIComponent(git.url('one'))}&limit=2`)
    expect(filtered.results).toHaveLength(2)
    expect(filtered.next_page_id).toBeNull()
    await git.close()
  })

  it('is empty where nothing fits, and refuses what is no filter', async ({ list, get }) => {
    expect(await list('conversation_trigger=slack')).toEqual({ results: [], next_page_id: null })
    expect((await get('/api/conversations?conversation_trigger=nobody')).status).toBe(422)
    expect((await get('/api/conversations?page_id=%7B%7B')).status).toBe(400)
    const managed = await get('/api/microagent-management/conversations?selected_repository=one')
    expect(managed.body).toEqual({ results: [], next_page_id: null })
  })
})

describe('its events', () => {
  it('have dense ids, in both directions and in pieces', async ({ get, at }) => {
    const all = (await get(at('/events?limit=100'))).body as { events: { id: number }[]; has_more: boolean }
    expect(all.has_more).toBe(false)
    const ids = all.events.map(event => event.id)
    expect(ids).toEqual([...ids.keys()])
    const backwards = (await get(at('/events?limit=3&reverse=true'))).body as typeof all
    expect(backwards.events.map(event => event.id)).toEqual(ids.slice(-3).reverse())
    expect(backwards.has_more).toBe(true)
    const piece = (await get(at('/events?start_id=2&end_id=4'))).body as typeof all
    expect(piece.events).toEqual(all.events.slice(2, 5))
    expect(await get(at('/events?limit=101'))).toMatchObject({ status: 400, body: { detail: 'Invalid limit' } })
    expect((await get(at('/events?limit=0'))).body).toEqual({ events: [], has_more: true })
    expect((await get(at('/events', UNKNOWN))).status).toBe(404)
  })

  it('show the command, its output and its cause', async ({ get, at }) => {
    const { events } = (await get(at('/events?limit=100'))).body as { events: Record<string, unknown>[] }
    const action = events.find(event => event.action === 'run')
    expect(action).toMatchObject({
      source: 'agent',
      args: { command: 'echo marmalade' },
      llm_metrics: expect.anything(),
    })
    expect(events.find(event => event.observation === 'run')).toMatchObject({
      cause: action?.id,
      source: 'agent',
      success: true,
      content: expect.stringContaining('marmalade'),
    })
    const found = (await get(at('/events?query=marmalade&source=agent&include_types=run'))).body as { events: object[] }
    expect(found.events).toHaveLength(2)
  })

  it('take messages and refuse what the agent cannot do', async ({ model, service, id, at }) => {
    model.setScript([{ text: 'You are welcome.' }])
    const seen = watchLegacy(service, id)
    expect((await call(service, 'POST', at('/message'), { message: 'Thanks.' })).body).toEqual({ success: true })
    await seen.until(frame => 'action' in frame && frame.args.content === 'You are welcome.', 'The answer')
    await seen.untilState('finished')
    seen.close()
    expect(await call(service, 'POST', at('/message'), { message: '' })).toMatchObject({
      status: 400,
      body: { success: false },
    })
    expect((await call(service, 'POST', at('/events'), { action: 'browse', args: {} })).status).toBe(422)
    const state = { action: 'change_agent_state', args: { agent_state: 'loading' } }
    expect((await call(service, 'POST', at('/events'), state)).status).toBe(400)
  })

  it('are a trajectory that a new conversation replays', async ({ get, at, service }) => {
    const { body } = await get(at('/trajectory'))
    const made = await call(service, 'POST', '/api/conversations', { replay_json: JSON.stringify(body) })
    const copy = (made.body as { conversation_id: string }).conversation_id
    const seen = watchLegacy(service, copy)
    await seen.until(frame => 'observation' in frame && frame.observation === 'run', 'The command')
    await seen.untilState('finished')
    expect(JSON.stringify(seen.events())).toContain('It says marmalade.')
    seen.close()
    expect((await call(service, 'DELETE', at('', copy))).body).toBe(true)
  })

  it('let the model write what to remember', async ({ model, get, at, service }) => {
    model.setScript([{ text: 'Sure: <update_prompt>Remember the word.</update_prompt>' }])
    expect((await get(at('/remember-prompt?event_id=2'))).body).toEqual({
      status: 'success',
      prompt: 'Remember the word.',
    })
    expect((await get(at('/remember-prompt?event_id=99999'))).status).toBe(404)
    const { by_model } = await service.client.call(getUsage, { query: { days: 1 } })
    expect(by_model).toContainEqual(expect.objectContaining({ usage_id: 'remember-prompt', prompt_tokens: 100 }))
  })

  it('may be judged, which stays on this machine', async ({ service, at, id }) => {
    const reply = await call(service, 'POST', at('/submit-feedback'), { polarity: 'positive', unknown: true })
    expect(reply.status).toBe(200)
    const kept = readFileSync(join(service.dataDir, 'feedback.jsonl'), 'utf8')
    expect(JSON.parse(kept)).toMatchObject({ conversation_id: id, polarity: 'positive', permissions: 'private' })
  })
})

describe('a request for a conversation', () => {
  it('is refused with an id that is taken, also by one that is starting', async ({ service, at, id }) => {
    const body = { conversation_id: 'f'.repeat(32) }
    expect((await call(service, 'POST', '/api/conversations', body)).status).toBe(200)
    expect((await call(service, 'POST', '/api/conversations', body)).status).toBe(409)
    expect((await call(service, 'DELETE', at('', body.conversation_id))).body).toBe(true)
    expect((await call(service, 'DELETE', at('', UNKNOWN))).body).toBe(false)
    expect((await call(service, 'POST', '/api/conversations', { conversation_id: id })).status).toBe(409)
  })

  it('for a task or for instructions gets its own first message', async ({ service, get, at }) => {
    const git = await startGitServer()
    await git.add('thing', { 'README.md': 'A thing.\n' })
    const repo = git.url('thing')
    const task = { repo, issue_number: 7, title: 'It is broken' }
    for (const [body, trigger] of [
      [{ suggested_task: { ...task, task_type: 'MERGE_CONFLICTS' } }, 'suggested_task'],
      [{ create_microagent: { repo, title: 'Tests' } }, 'microagent_management'],
    ] as const) {
      const made = await call(service, 'POST', '/api/conversations', body)
      const made_id = (made.body as { conversation_id: string }).conversation_id
      expect((await get(at('', made_id))).body).toMatchObject({ trigger, selected_repository: repo })
      expect((await call(service, 'DELETE', at('', made_id))).body).toBe(true)
    }
    const wrong = { suggested_task: { ...task, task_type: 'OPEN_PR' } }
    expect(await call(service, 'POST', '/api/conversations', wrong)).toMatchObject({
      status: 400,
      body: { status: 'error', message: expect.any(String), msg_id: 'CONVERSATION$BAD_REQUEST' },
    })
    await git.close()
  })
})
