import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteAppConversation, listAppConversations, sendMessage } from '../../server/api/app-conversations.ts'
import { newConversation } from '../../server/api/conversations.ts'
import { forgetMcpSignIn, getMcpSignIn, startMcpSignIn } from '../../server/api/mcp-sign-in.ts'
import {
  addMcpServer,
  listMcpServers,
  type McpServerState,
  removeMcpServer,
  restartMcpServer,
  testMcpServer,
} from '../../server/api/mcp-states.ts'
import { searchSandboxes } from '../../server/api/sandboxes.ts'
import { type SettingsPatch, storeSettings } from '../../server/api/settings.ts'
import { searchStartTasks } from '../../server/api/start-tasks.ts'
import { type FakeMcpServer, startMcpServer } from '../fakes/mcp-http-server.ts'
import { MCP_STDIO_SERVER } from '../fakes/mcp-stdio-server.ts'
import { type ModelServer, startModelServer } from '../fakes/model-server.ts'
import { openChanges, said, settled, startConversation } from '../parts/conversation.ts'
import { gatewayCaller } from '../parts/gateway.ts'
import { createLockableVault } from '../parts/lockable-vault.ts'
import { startTestService, type TestService } from '../parts/service.ts'
import { type Watch, watch } from '../parts/watch.ts'

const TOKEN = 'tok-0a1b2c3d4e5f6a7b8c9d'
const items = new Set<string>()
let model: ModelServer
let service: TestService
let remote: FakeMcpServer
const watches: Watch[] = []

const inside = { name: 'inside', command: 'python3', args: ['-c', MCP_STDIO_SERVER], env: { API_TOKEN: TOKEN } }
const slow = { ...inside, name: 'slow', env: { MODE: 'slow' } }
const NO_SERVERS = { stdio_servers: [], sse_servers: [], shttp_servers: [] }

beforeAll(async () => {
  model = await startModelServer()
  const vault = createLockableVault()
  service = await startTestService({
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
  })
})
beforeEach(async () => {
  remote = await startMcpServer()
})
afterEach(async () => {
  for (const one of watches.splice(0)) await one.close()
  await remote.close()
})
afterAll(async () => {
  await service?.close()
  await model?.close()
})

const configure = (mcp_config: SettingsPatch['mcp_config']) =>
  service.client.call(storeSettings, { body: { mcp_config } as never })
const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] })
const FINISH = call('finish', { message: 'Done.' })
const toolsOf = (request: { body: { tools: { function: { name: string } }[] } }) =>
  request.body.tools.map(tool => tool.function.name)

async function follow(id: string): Promise<Watch> {
  const one = await watch(service, id)
  watches.push(one)
  return one
}

async function start(text: string): Promise<{ id: string; seen: Watch }> {
  const task = await startConversation(service, { initial_message: said(text) })
  const id = task.app_conversation_id ?? ''
  return { id, seen: await follow(id) }
}

async function states(id: string): Promise<McpServerState[]> {
  return (await service.client.call(listMcpServers, { params: { conversation_id: id } })).items
}

async function sandboxKeyOf(id: string): Promise<string> {
  const found = await service.client.call(listAppConversations, { query: { ids: [id] } })
  return (Array.isArray(found) && found[0]?.session_api_key) || ''
}

/** Told by the change feed. */
async function until(id: string, fits: (states: McpServerState[]) => boolean): Promise<McpServerState[]> {
  const changes = await openChanges(service)
  try {
    for (;;) {
      const changed = changes.next()
      const now = await states(id)
      if (fits(now)) return now
      await changed
    }
  } finally {
    changes.close()
  }
}

const allReady = (found: McpServerState[]) => found.every(({ state }) => state === 'ready')

describe('the agent with tool servers', () => {
  it('calls tools of the network and of its sandbox, and waits for no slow one', async () => {
    await configure({ ...NO_SERVERS, stdio_servers: [inside, slow], shttp_servers: [{ url: remote.url }] } as never)
    const before = model.requests.length
    model.setScript(async (_request, index) => {
      if (index === 0) return call('search', { query: 'cats', summary: 'Looks for cats' })
      if (index > 2) return FINISH
      await until(id, found => found.some(({ name, state }) => name === 'inside' && state === 'ready'))
      return index === 1 ? call('think', { thought: 'Wait.' }) : call('environment', { name: 'API_TOKEN' })
    })
    const began = performance.now()
    const task = await startConversation(service, { initial_message: said('Find cats') })
    const id = task.app_conversation_id ?? ''
    const seen = await follow(id)
    await model.request(before)
    expect(performance.now() - began).toBeLessThan(20_000)
    await seen.untilStatus('finished')

    expect(toolsOf(model.requests[before] as never)).toEqual(expect.arrayContaining(['terminal', 'search', 'fetch']))
    expect(toolsOf(model.requests.at(-1) as never)).toEqual(expect.arrayContaining(['echo', 'search']))
    const observed = seen.of('ObservationEvent').map(({ observation }) => observation)
    expect(observed[0]).toMatchObject({
      kind: 'MCPToolObservation',
      tool_name: 'search',
      is_error: false,
      content: [{ type: 'text', text: 'search {"query":"cats"}' }],
    })
    expect(seen.of('ActionEvent')[0]).toMatchObject({
      summary: 'Looks for cats',
      action: { kind: 'MCPToolAction', data: { query: 'cats' } },
    })
    expect(observed).toContainEqual(
      expect.objectContaining({ tool_name: 'environment', content: [{ type: 'text', text: '<secret-hidden>' }] }),
    )
    expect((await states(id)).map(({ name, state, source }) => ({ name, state, source }))).toEqual([
      { name: 'inside', state: 'ready', source: 'settings' },
      { name: 'slow', state: 'starting', source: 'settings' },
      { name: '127_0_0_1'.concat(`_${new URL(remote.url).port}`), state: 'ready', source: 'settings' },
    ])
    expect(JSON.stringify(await states(id))).not.toContain(TOKEN)
  })
})

describe('the servers of one conversation', () => {
  it('are added, restarted and taken away while it goes on, and stay so over a restart of the service', async () => {
    await configure({ ...NO_SERVERS, shttp_servers: [{ url: remote.url }] } as never)
    model.setScript(() => FINISH)
    const { id, seen } = await start('Begin')
    await seen.untilStatus('finished')
    const params = { conversation_id: id }
    const added = await service.client.call(addMcpServer, {
      params,
      body: { name: 'mine', server: { command: 'python3', args: ['-c', MCP_STDIO_SERVER] } },
    })
    expect(added).toMatchObject({ name: 'mine', source: 'added', transport: 'stdio' })
    expect(await until(id, allReady)).toHaveLength(2)
    await expect(
      service.client.call(addMcpServer, { params, body: { name: 'mine', server: { url: remote.url } } }),
    ).rejects.toMatchObject({ status: 409 })

    const { state } = await service.client.call(restartMcpServer, { params: { ...params, name: 'mine' } })
    expect(['starting', 'stopped']).toContain(state)
    await until(id, allReady)

    const [ofSettings] = await states(id)
    await service.client.call(removeMcpServer, { params: { ...params, name: ofSettings?.name ?? '' } })
    expect((await states(id)).map(({ name }) => name)).toEqual(['mine'])

    await service.restart()
    expect(await states(id)).toMatchObject([{ name: 'mine', state: 'stopped', source: 'added' }])
    await service.client.call(removeMcpServer, { params: { ...params, name: 'mine' } })
    expect(await states(id)).toEqual([])
  })

  it('that do not exist are refused', async () => {
    const conversation_id = '0123456789abcdef0123456789abcdef'
    await expect(states(conversation_id)).rejects.toMatchObject({ status: 404 })
    model.setScript(() => FINISH)
    const { id } = await start('Begin')
    const params = { conversation_id: id, name: 'nobody' }
    await expect(service.client.call(removeMcpServer, { params })).rejects.toMatchObject({ status: 404 })
    await expect(service.client.call(restartMcpServer, { params })).rejects.toMatchObject({ status: 404 })
  })

  it('that a legacy conversation brings take the place of the settings, and are deleted with it', async () => {
    await configure({ ...NO_SERVERS, sse_servers: [{ url: 'http://127.0.0.1:1/sse' }] } as never)
    const before = new Set(items)
    model.setScript([call('search', { q: 1 }), FINISH])
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
    expect(await states(conversation_id)).toMatchObject([{ source: 'conversation', transport: 'http' }])
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

  it('start again with the next run when they had failed', async () => {
    await configure({ ...NO_SERVERS, shttp_servers: [{ url: remote.url }] } as never)
    remote.mood = 'down'
    model.setScript(() => FINISH)
    const { id, seen } = await start('Begin')
    await seen.untilStatus('finished')
    await until(id, found => found[0]?.state === 'failed')
    remote.mood = 'well'
    await service.client.call(sendMessage, { params: { conversation_id: id }, body: said('Again') })
    await until(id, allReady)
  })
})

describe('trying a tool server out', () => {
  it('tells the tools of one on the network, and what a call of one answers', async () => {
    const reply = await service.client.call(testMcpServer, {
      body: { server: { url: remote.url }, tool_call: { name: 'search', arguments: { q: 'x' } } },
    })
    expect(reply).toEqual({
      ok: true,
      tools: ['search', 'fetch'],
      tool_result: { is_error: false, text: 'search {"q":"x"}' },
    })
  })

  it('runs a command in a sandbox of its own, which is gone after it', async () => {
    const before = await service.client.call(searchSandboxes, { query: {} })
    const reply = await service.client.call(testMcpServer, {
      body: { server: { command: 'python3', args: ['-c', MCP_STDIO_SERVER] }, timeout: 30 },
    })
    expect(reply).toMatchObject({ ok: true, tools: expect.arrayContaining(['echo']) })
    const after = await service.client.call(searchSandboxes, { query: {} })
    expect(after.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id))
  })

  it('says what is wrong, with its log and without secrets', async () => {
    const env = { MODE: 'crashes', API_TOKEN: TOKEN }
    const reply = await service.client.call(testMcpServer, {
      body: { server: { command: 'python3', args: ['-c', MCP_STDIO_SERVER], env }, timeout: 30 },
    })
    expect(reply).toMatchObject({ ok: false, error_kind: 'crashed', next_step: expect.any(String) })
    expect(JSON.stringify(reply)).toContain('No licence found')
    expect(JSON.stringify(reply)).not.toContain(TOKEN)
  })

  it('needs a command or an address', async () => {
    await expect(service.client.call(testMcpServer, { body: { server: {} } })).rejects.toMatchObject({ status: 422 })
  })
})

describe('signing in', () => {
  it('comes back to this port without a key, and the server starts', async () => {
    remote.oauth.on = true
    await configure({ ...NO_SERVERS, shttp_servers: [{ url: remote.url }] } as never)
    model.setScript(() => FINISH)
    const { id, seen } = await start('Begin')
    await seen.untilStatus('finished')
    await until(id, found => found[0]?.state === 'failed')
    expect(await states(id)).toMatchObject([{ error_kind: 'sign_in' }])

    const job = await service.client.call(startMcpSignIn, { body: { server: { url: remote.url } } })
    const back = await remote.oauth.visit(job.authorization_url ?? '')
    expect(back.startsWith(service.url)).toBe(true)
    const page = await fetch(back)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toContain('You are signed in')
    const params = { job_id: job.job_id }
    expect(await service.client.call(getMcpSignIn, { params })).toMatchObject({ status: 'succeeded' })
    await until(id, allReady)
    await service.client.call(forgetMcpSignIn, { body: { url: remote.url } })
  })

  it('that nobody waits for is told so, and repeats nothing of the address', async () => {
    const page = await fetch(`${service.url}/api/v1/mcp/oauth/callback?state=<b>x&code=<script>`)
    const html = await page.text()
    expect(html).toContain('Nobody waits')
    expect(html).not.toContain('<script>')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('the gateway', () => {
  it('serves the tool servers of a sandbox to other programs, with its key alone', async () => {
    await configure({ ...NO_SERVERS, stdio_servers: [inside], shttp_servers: [{ url: remote.url }] } as never)
    model.setScript(() => FINISH)
    const { id, seen } = await start('Begin')
    await seen.untilStatus('finished')
    const key = await sandboxKeyOf(id)
    const address = new URL(`${service.service.gatewayUrl}/mcp`)

    const client = new McpClient({ name: 'another program', version: '1' })
    await client.connect(
      new StreamableHTTPClientTransport(address, { requestInit: { headers: { 'X-Session-API-Key': key } } }),
    )
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('echo')
    expect(tools.map(({ name }) => name)).not.toContain('search')
    expect(tools.find(({ name }) => name === 'echo')?.inputSchema.properties).toEqual({
      text: { type: 'string' },
      times: { type: 'integer', minimum: 1 },
    })
    expect(await client.callTool({ name: 'echo', arguments: { text: 'over there' } })).toMatchObject({
      content: [{ type: 'text', text: 'over there' }],
      isError: false,
    })
    expect(await client.callTool({ name: 'echo', arguments: {} })).toMatchObject({ isError: true })
    await client.close()

    expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(401)
    const reply = await fetch(address, { method: 'POST', headers: { 'X-Session-API-Key': `${key}x` }, body: '{}' })
    expect(reply.status).toBe(401)
  })

  it('tries servers out in the sandbox of the key, as agent servers do', async () => {
    model.setScript(() => FINISH)
    const { id } = await start('Begin')
    const caller = gatewayCaller(service, await sandboxKeyOf(id))
    const server = { type: 'stdio', command: 'python3', args: ['-c', MCP_STDIO_SERVER] }
    expect(await caller.call('POST', '/api/mcp/test', { server, timeout: 30 })).toMatchObject({
      status: 200,
      body: { ok: true, tools: expect.arrayContaining(['echo']), oauth_state: null },
    })
    const gone = { type: 'shttp', url: 'http://127.0.0.1:1/mcp' }
    expect(await caller.call('POST', '/api/mcp/test', { server: gone })).toMatchObject({
      status: 200,
      body: { ok: false, error_kind: 'connection' },
    })
    expect((await caller.call('POST', '/api/mcp/oauth/start', { server: gone })).status).toBe(403)
    const own = gatewayCaller(service, service.key)
    expect(await own.call('POST', '/api/mcp/oauth/start', { server: gone })).toMatchObject({
      status: 200,
      body: { ok: false, authorization_url: null, error: expect.any(String) },
    })
    expect((await own.call('GET', '/api/mcp/oauth/status/none')).status).toBe(404)
  })
})
