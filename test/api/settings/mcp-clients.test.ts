import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { searchSandboxes } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { forgetMcpSignIn, getMcpSignIn, startMcpSignIn } from '../../../server/api/v1/settings/mcp-sign-in.ts'
import { testMcpServer } from '../../../server/api/v1/settings/mcp-states.ts'
import { type FakeMcpServer, startMcpServer } from '../../fakes/mcp-http-server.ts'
import { it as base } from '../../fixtures/service.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { gatewayCaller } from '../../parts/client/gateway.ts'
import {
  allReady,
  COMMAND,
  configure,
  sandboxKeyOf,
  statesOf,
  TOKEN,
  untilServers,
} from '../../parts/client/tool-servers.ts'
import { watch } from '../../parts/client/watch.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, async ({ model }) => {
    model.setScript(() => ({ toolCalls: [{ name: 'finish', arguments: { message: 'Done.' } }] }))
    return {
      settings: { llm_model: 'openai/scripted', llm_base_url: model.url.openai, llm_api_key: 'sk-test-0123456789' },
    }
  })
  /** A conversation whose first run is over. */
  .extend('converse', { scope: 'file' }, ({ service }) => async (): Promise<string> => {
    const task = await startConversation(service, { initial_message: said('Begin') })
    const id = task.app_conversation_id ?? ''
    const seen = await watch(service, id)
    await seen.untilStatus('finished')
    await seen.close()
    return id
  })

let remote: FakeMcpServer
beforeEach(async () => {
  remote = await startMcpServer()
})
afterEach(() => remote.close())

describe('trying a tool server out', () => {
  it('tells the tools of one on the network, and what a call of one answers', async ({ service }) => {
    const reply = await service.client.call(testMcpServer, {
      body: { server: { url: remote.url }, tool_call: { name: 'search', arguments: { q: 'x' } } },
    })
    expect(reply).toEqual({
      ok: true,
      tools: ['search', 'fetch'],
      tool_result: { is_error: false, text: 'search {"q":"x"}' },
    })
  })

  it('runs a command in a sandbox of its own, which is gone after it', async ({ service }) => {
    const before = await service.client.call(searchSandboxes, { query: {} })
    const reply = await service.client.call(testMcpServer, {
      body: { server: { ...COMMAND }, timeout: 30 },
    })
    expect(reply).toMatchObject({ ok: true, tools: expect.arrayContaining(['echo']) })
    const after = await service.client.call(searchSandboxes, { query: {} })
    expect(after.items.map(({ id }) => id)).toEqual(before.items.map(({ id }) => id))
  })

  it('says what is wrong, with its log and without secrets', async ({ service }) => {
    const env = { MODE: 'crashes', API_TOKEN: TOKEN }
    const reply = await service.client.call(testMcpServer, {
      body: { server: { ...COMMAND, env }, timeout: 30 },
    })
    expect(reply).toMatchObject({ ok: false, error_kind: 'crashed', next_step: expect.any(String) })
    expect(JSON.stringify(reply)).toContain('No licence found')
    expect(JSON.stringify(reply)).not.toContain(TOKEN)
  })

  it('needs a command or an address', async ({ service }) => {
    await expect(service.client.call(testMcpServer, { body: { server: {} } })).rejects.toMatchObject({ status: 422 })
  })
})

describe('signing in', () => {
  it('comes back to this port without a key, and the server starts', async ({ service, converse }) => {
    remote.oauth.on = true
    await configure(service, { shttp_servers: [{ url: remote.url }] })
    const id = await converse()
    await untilServers(service, id, found => found[0]?.state === 'failed')
    expect(await statesOf(service, id)).toMatchObject([{ error_kind: 'sign_in' }])

    const job = await service.client.call(startMcpSignIn, { body: { server: { url: remote.url } } })
    const back = await remote.oauth.visit(job.authorization_url ?? '')
    expect(back.startsWith(service.url)).toBe(true)
    const page = await fetch(back)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toContain('You are signed in')
    const params = { job_id: job.job_id }
    expect(await service.client.call(getMcpSignIn, { params })).toMatchObject({ status: 'succeeded' })
    await untilServers(service, id, allReady)
    await service.client.call(forgetMcpSignIn, { body: { url: remote.url } })
  })

  it('that nobody waits for is told so, and repeats nothing of the address', async ({ service }) => {
    const page = await fetch(`${service.url}/api/v1/mcp/oauth/callback?state=<b>x&code=<script>`)
    const html = await page.text()
    expect(html).toContain('Nobody waits')
    expect(html).not.toContain('<script>')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('the gateway', () => {
  it('serves the tool servers of a sandbox to other programs, with its key alone', async ({ service, converse }) => {
    await configure(service, { stdio_servers: [{ ...COMMAND, name: 'inside' }], shttp_servers: [{ url: remote.url }] })
    const id = await converse()
    const key = await sandboxKeyOf(service, id)
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
    await expect(client.callTool({ name: 'nobody', arguments: {} })).rejects.toMatchObject({ code: -32602 })
    await client.close()

    const broken = await fetch(address, {
      method: 'POST',
      headers: { 'X-Session-API-Key': key, 'Content-Type': 'application/json' },
      body: '{"jsonrpc": ',
    })
    expect([broken.status, await broken.json()]).toMatchObject([
      400,
      { jsonrpc: '2.0', error: { code: -32700 }, id: null },
    ])
    expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(401)
    const reply = await fetch(address, { method: 'POST', headers: { 'X-Session-API-Key': `${key}x` }, body: '{}' })
    expect(reply.status).toBe(401)
  })

  it('tries servers out in the sandbox of the key, as agent servers do', async ({ converse, service }) => {
    const id = await converse()
    const caller = gatewayCaller(service, await sandboxKeyOf(service, id))
    const server = { type: 'stdio', ...COMMAND }
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
