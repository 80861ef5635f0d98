import { afterEach, beforeEach, describe, expect } from 'vitest'
import { newConversation } from '../../../server/api/legacy/conversations.ts'
import {
  deleteAppConversation,
  listAppConversations,
  sendMessage,
} from '../../../server/api/v1/conversation/conversations.ts'
import { searchStartTasks } from '../../../server/api/v1/conversation/start-tasks.ts'
import { addMcpServer, removeMcpServer, restartMcpServer } from '../../../server/api/v1/settings/mcp-states.ts'
import { type FakeMcpServer, startMcpServer } from '../../fakes/mcp-http-server.ts'
import type { ModelRequest } from '../../fakes/model-server.ts'
import { it as base } from '../../fixtures/service.ts'
import { openChanges, said, settled, startConversation } from '../../parts/client/conversation.ts'
import {
  allReady,
  COMMAND,
  configure,
  NO_SERVERS,
  statesOf,
  TOKEN,
  untilServers,
} from '../../parts/client/tool-servers.ts'
import { type Watch, watch } from '../../parts/client/watch.ts'
import { createLockableVault } from '../../parts/secret/lockable-vault.ts'

const it = base
  .extend('vault', { scope: 'file' }, ({}) => createLockableVault())
  .extend('serviceOptions', { scope: 'file' }, ({ model, vault }) => ({
    settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-test-0123456789' },
    vault: {
      ...vault,
      set: (name, value) => {
        items.add(name)
        return vault.set(name, value)
      },
      delete: name => {
        items.delete(name)
        return vault.delete(name)
      },
    },
  }))
  .extend('follow', { scope: 'file' }, ({ service }) => async (id: string): Promise<Watch> => {
    const one = await watch(service, id)
    watches.push(one)
    return one
  })
  .extend(
    'start',
    { scope: 'file' },
    ({ service, follow }) =>
      async (text: string): Promise<{ id: string; seen: Watch }> => {
        const task = await startConversation(service, { initial_message: said(text) })
        const id = task.app_conversation_id ?? ''
        return { id, seen: await follow(id) }
      },
  )

const items = new Set<string>()
let remote: FakeMcpServer
const watches: Watch[] = []

const inside = { name: 'inside', ...COMMAND, env: { API_TOKEN: TOKEN } }
const slow = { ...inside, name: 'slow', env: { MODE: 'slow' } }
beforeEach(async () => {
  remote = await startMcpServer()
})
afterEach(async () => {
  for (const one of watches.splice(0)) await one.close()
  await remote.close()
})

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const FINISH = call('finish', { message: 'Done.' })
/** How many calls the model has had an answer to. */
const answersIn = ({ body }: ModelRequest) =>
  body.messages.filter(({ role }: { role: string }) => role === 'tool').length
const toolsOf = (request: { body: { tools: { function: { name: string } }[] } }) =>
  request.body.tools.map(tool => tool.function.name)

describe('the agent with tool servers', () => {
  it('calls tools of the network and of its sandbox, and waits for no slow one', async ({ service, model, follow }) => {
    await configure(service, { stdio_servers: [inside, slow], shttp_servers: [{ url: remote.url }] })
    const before = model.requests.length
    const ofNetwork = `127_0_0_1_${new URL(remote.url).port}`
    model.setScript(async request => {
      const index = answersIn(request)
      const untilReady = (name: string) =>
        untilServers(service, id, found => found.some(server => server.name === name && server.state === 'ready'))
      if (index === 0) await untilReady(ofNetwork)
      if (index === 2) await untilReady('inside')
      if (index === 0 || index === 2) return call('think', { thought: 'Wait.' })
      if (index === 1) return call('search', { query: 'cats', summary: 'Looks for cats' })
      return index === 3 ? call('environment', { name: 'API_TOKEN' }) : FINISH
    })
    const began = performance.now()
    const task = await startConversation(service, { initial_message: said('Find cats') })
    const id = task.app_conversation_id ?? ''
    const seen = await follow(id)
    await model.request(before)
    expect(performance.now() - began).toBeLessThan(20_000)
    await seen.untilStatus('finished')

    expect(toolsOf(model.requests[before + 1] as never)).toEqual(
      expect.arrayContaining(['terminal', 'search', 'fetch']),
    )
    expect(toolsOf(model.requests.at(-1) as never)).toEqual(expect.arrayContaining(['echo', 'search']))
    const observed = seen.of('ObservationEvent').map(({ observation }) => observation)
    expect(observed[1]).toMatchObject({
      kind: 'MCPToolObservation',
      tool_name: 'search',
      is_error: false,
      content: [{ type: 'text', text: 'search {"query":"cats"}' }],
    })
    expect(seen.of('ActionEvent')[1]).toMatchObject({
      summary: 'Looks for cats',
      action: { kind: 'MCPToolAction', data: { query: 'cats' } },
    })
    expect(observed).toContainEqual(
      expect.objectContaining({ tool_name: 'environment', content: [{ type: 'text', text: '<secret-hidden>' }] }),
    )
    expect((await statesOf(service, id)).map(({ name, state, source }) => ({ name, state, source }))).toEqual([
      { name: 'inside', state: 'ready', source: 'settings' },
      { name: 'slow', state: 'starting', source: 'settings' },
      { name: ofNetwork, state: 'ready', source: 'settings' },
    ])
    expect(JSON.stringify(await statesOf(service, id))).not.toContain(TOKEN)
  })
})

describe('the servers of one conversation', () => {
  it('are added, restarted and taken away while it goes on, and stay so over a restart of the service', async ({
    service,
    model,
    start,
  }) => {
    await configure(service, { shttp_servers: [{ url: remote.url }] })
    model.setScript(() => FINISH)
    const { id, seen } = await start('Begin')
    await seen.untilStatus('finished')
    const params = { conversation_id: id }
    const added = await service.client.call(addMcpServer, {
      params,
      body: { name: 'mine', server: { ...COMMAND } },
    })
    expect(added).toMatchObject({ name: 'mine', source: 'added', transport: 'stdio' })
    expect(await untilServers(service, id, allReady)).toHaveLength(2)
    await expect(
      service.client.call(addMcpServer, { params, body: { name: 'mine', server: { url: remote.url } } }),
    ).rejects.toMatchObject({ status: 409 })

    const { state } = await service.client.call(restartMcpServer, { params: { ...params, name: 'mine' } })
    expect(['starting', 'stopped']).toContain(state)
    await untilServers(service, id, allReady)

    const [ofSettings] = await statesOf(service, id)
    await service.client.call(removeMcpServer, { params: { ...params, name: ofSettings?.name ?? '' } })
    expect((await statesOf(service, id)).map(({ name }) => name)).toEqual(['mine'])

    await service.restart()
    expect(await statesOf(service, id)).toMatchObject([{ name: 'mine', state: 'stopped', source: 'added' }])
    await service.client.call(removeMcpServer, { params: { ...params, name: 'mine' } })
    expect(await statesOf(service, id)).toEqual([])
  })

  it('that do not exist are refused', async ({ service, model, start }) => {
    const conversation_id = '0123456789abcdef0123456789abcdef'
    await expect(statesOf(service, conversation_id)).rejects.toMatchObject({ status: 404 })
    model.setScript(() => FINISH)
    const { id, seen } = await start('Begin')
    await seen.untilStatus('finished')
    const params = { conversation_id: id, name: 'nobody' }
    await expect(service.client.call(removeMcpServer, { params })).rejects.toMatchObject({ status: 404 })
    await expect(service.client.call(restartMcpServer, { params })).rejects.toMatchObject({ status: 404 })
  })

  it('that a legacy conversation brings take the place of the settings, and are deleted with it', async ({
    service,
    model,
    follow,
  }) => {
    await configure(service, { sse_servers: [{ url: 'http://127.0.0.1:1/sse' }] })
    const before = new Set(items)
    model.setScript(request => (answersIn(request) === 0 ? call('search', { q: 1 }) : FINISH))
    const { conversation_id } = await service.client.call(newConversation, {
      body: {
        initial_user_msg: 'Search',
        mcp_config: { ...NO_SERVERS, shttp_servers: [{ url: remote.url, api_key: TOKEN }] },
      } as never,
    })
    const { items: tasks } = await service.client.call(searchStartTasks, {
      query: { conversation_id__eq: conversation_id },
    })
    if (tasks[0]) await settled(service, tasks[0])
    const seen = await follow(conversation_id)
    await seen.untilStatus('finished')
    expect(seen.of('ObservationEvent')[0]?.observation).toMatchObject({ tool_name: 'search', is_error: false })
    expect(remote.requests.every(({ authorization }) => authorization === `Bearer ${TOKEN}`)).toBe(true)
    expect(await statesOf(service, conversation_id)).toMatchObject([{ source: 'conversation', transport: 'http' }])
    const own = [...items].filter(name => !before.has(name))
    expect(own).toHaveLength(1)

    const changes = await openChanges(service)
    const changed = changes.next()
    await service.client.call(deleteAppConversation, { params: { conversation_id } })
    await changed
    changes.close()
    while (items.has(own[0] ?? '')) await new Promise(resolve => setImmediate(resolve))
    expect(await service.client.call(listAppConversations, { query: { ids: [conversation_id] } })).toEqual([null])
  })

  it('are those of its parent in a sub-conversation', async ({ service, model, start }) => {
    await configure(service, {})
    model.setScript(() => FINISH)
    const { id, seen } = await start('Begin')
    await seen.untilStatus('finished')
    const params = { conversation_id: id }
    await service.client.call(addMcpServer, { params, body: { name: 'mine', server: { url: remote.url } } })
    const task = await startConversation(service, { parent_conversation_id: id, initial_message: said('A part') })
    const child = task.app_conversation_id ?? ''
    expect(await untilServers(service, child, allReady)).toMatchObject([{ name: 'mine' }])
  })

  it('start again with the next run when they had failed', async ({ service, model, start }) => {
    await configure(service, { shttp_servers: [{ url: remote.url }] })
    remote.mood = 'down'
    model.setScript(() => FINISH)
    const { id, seen } = await start('Begin')
    await seen.untilStatus('finished')
    await untilServers(service, id, found => found[0]?.state === 'failed')
    remote.mood = 'well'
    await service.client.call(sendMessage, { params: { conversation_id: id }, body: said('Again') })
    await untilServers(service, id, allReady)
  })
})
