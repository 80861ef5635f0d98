import { join } from 'node:path'
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect } from 'vitest'
import { batchGetSandboxes, getSandboxStats } from '../../server/api/v1/sandbox/sandboxes.ts'
import { it as test } from '../fixtures/service.ts'
import type { TestService } from '../parts/service/service.ts'

const terminal = (line: string) => ({ toolCalls: [{ name: 'terminal', arguments: { command: line } }] })

const WAYS = {
  'over stdin and stdout': (service: TestService) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [join(import.meta.dirname, '../../out/cli/main.js'), 'mcp'],
      env: { ...process.env, ATELIER_DATA_DIR: service.dataDir, SESSION_API_KEY: service.key } as Record<
        string,
        string
      >,
    }),
  "at the app's port": (service: TestService) =>
    new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { 'X-Session-API-Key': service.key } },
    }),
}

type Way = keyof typeof WAYS

/** Another agent's client, and how it calls a tool. */
async function openClient(service: TestService, way: Way) {
  const client = new McpClient({ name: 'test', version: '1' })
  await client.connect(WAYS[way](service))
  const messages: string[] = []
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const reply = await client.callTool(
      { name, arguments: args },
      { timeout: 60_000, onprogress: ({ message }) => messages.push(message ?? '') },
    )
    const [part] = reply.content as { type: string; text?: string }[]
    const text = part?.text ?? ''
    // Tests look into it freely.
    // biome-ignore lint/suspicious/noExplicitAny: every tool answers something else
    const value: any = reply.isError ? undefined : JSON.parse(text)
    if (!reply.isError) expect(reply.structuredContent).toEqual(value)
    return { value, text, isError: reply.isError ?? false }
  }
  return { client, call, messages }
}

describe.each(Object.keys(WAYS) as Way[])('another agent, %s,', way => {
  test('starts a task, hears what goes on, reads the changes, goes on with it, and uses its sandbox', async ({
    service,
    model,
  }) => {
    const { client, call, messages } = await openClient(service, way)
    try {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        'start_task',
        'wait_for_task',
        'send_message',
        'stop_task',
        'read_changes',
        'list_tasks',
        'run_command',
      ])
      expect(tools.every(({ description }) => description)).toBe(true)

      model.setScript([terminal('sleep 1; echo plums > jar.txt'), { text: 'It is in the jar.' }])
      const started = await call('start_task', { task: 'Fill the jar.', title: 'Jam' })
      expect(messages).toContainEqual(expect.stringMatching(/^waiting for sandbox/))
      const { conversation_id } = started.value
      const waited = await call('wait_for_task', { conversation_id })
      expect(waited.value).toEqual({ status: 'finished', response: 'It is in the jar.' })
      expect(messages.join('\n')).toContain('says: It is in the jar.')
      expect((await call('read_changes', { conversation_id })).value).toMatchObject({
        files: [{ status: 'ADDED', path: 'jar.txt' }],
        patch: expect.stringContaining('+plums'),
        patch_is_cut: false,
      })
      expect((await call('list_tasks', { limit: 1 })).value.tasks).toMatchObject([
        { conversation_id, title: 'Jam', status: 'finished' },
      ])
      expect((await call('run_command', { conversation_id, command: 'cat jar.txt; exit 3' })).value).toEqual({
        exit_code: 3,
        stdout: 'plums\n',
        stderr: '',
      })

      model.setScript([terminal('sleep 60')])
      await call('send_message', { conversation_id, message: 'Sleep.' })
      expect((await call('wait_for_task', { conversation_id, timeout_seconds: 0.5 })).value).toEqual({
        status: 'running',
      })
      await call('stop_task', { conversation_id })
      expect((await call('wait_for_task', { conversation_id })).value).toMatchObject({ status: 'paused' })
    } finally {
      await client.close()
    }
  })

  test('cannot answer for a person, and is told what waits', async ({ service, model }) => {
    const { client, call } = await openClient(service, way)
    try {
      model.setScript([terminal('touch made'), { text: 'Made.' }])
      const { conversation_id } = (await call('start_task', { task: 'Go.', confirm_each: true })).value
      expect((await call('wait_for_task', { conversation_id })).value).toEqual({
        status: 'waiting_for_confirmation',
        response: '',
        waiting_actions: ['terminal: {"command":"touch made"}'],
      })
      expect((await call('read_changes', { conversation_id })).value).toEqual({ files: [] })
    } finally {
      await client.close()
    }
  })

  test('is told what is wrong with a call, with what to do next', async ({ service }) => {
    const { client, call } = await openClient(service, way)
    try {
      const unknown = await call('wait_for_task', { conversation_id: '0'.repeat(32) })
      expect(unknown).toMatchObject({ isError: true, text: expect.stringMatching(/^conversation_not_found: .+ List/) })
      const wrong = await call('start_task', { task: '' }).catch(error => ({ isError: true, text: String(error) }))
      expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('task') })
      await expect(call('start_task', { task: 'Go.', repository: '--upload-pack=x' })).resolves.toMatchObject({
        isError: true,
      })
    } finally {
      await client.close()
    }
  })
})

test('at the port the key of the app is needed: none, a wrong one and that of a sandbox are refused', async ({
  service,
  model,
}) => {
  const { client, call } = await openClient(service, "at the app's port")
  model.setScript([{ text: 'Done.' }])
  const { sandbox_id } = (await call('start_task', { task: 'Go.' })).value
  await client.close()
  const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [sandbox_id] } })
  const session_api_key = sandbox?.session_api_key
  expect(session_api_key).toBeTruthy()
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  for (const key of ['', 'wrong', session_api_key ?? '']) {
    const reply = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(key && { 'X-Session-API-Key': key }),
      },
      body,
    })
    expect([key === session_api_key, reply.status]).toEqual([key === session_api_key, 401])
  }
  const foreign = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', Origin: 'https://example.com', 'X-Session-API-Key': service.key },
    body,
  })
  expect(foreign.status).toBe(403)
  const deep = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Session-API-Key': service.key },
    body: `${'['.repeat(5000)}${']'.repeat(5000)}`,
  })
  expect(deep.status).toBeGreaterThanOrEqual(400)
  expect(deep.status).toBeLessThan(500)
})

test('a caller who goes away ends its call; the agent goes on', async ({ service, model }) => {
  const { client, call } = await openClient(service, 'over stdin and stdout')
  model.setScript([terminal('sleep 60')])
  const { conversation_id, sandbox_id } = (await call('start_task', { task: 'Sleep.' })).value
  const waiting = call('wait_for_task', { conversation_id, timeout_seconds: 600 })
  waiting.catch(() => {})
  await client.close()
  await expect(waiting).rejects.toThrow()
  const stats = await service.client.call(getSandboxStats, { query: { id: [sandbox_id] } })
  expect(stats[0]?.processes).toBeGreaterThan(1)
})
