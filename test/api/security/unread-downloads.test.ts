import { get, type IncomingMessage } from 'node:http'
import { expect } from 'vitest'
import { batchGetSandboxes, pauseSandbox, resumeSandbox } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { BOUNDS } from '../../../server/domain/bounds.ts'
import { it as base } from '../../fixtures/service.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { testEngine } from '../../parts/engine/containers.ts'

const it = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({ settings: { language: 'en' } }))
  .extend('started', { scope: 'file' }, ({ service }) => startConversation(service, {}))
  .extend('sandbox', { scope: 'file' }, ({ started }) => started.sandbox_id ?? '')
  .extend('key', { scope: 'file' }, async ({ service, sandbox }) => {
    const [found] = await service.client.call(batchGetSandboxes, { query: { id: [sandbox] } })
    return found?.session_api_key ?? ''
  })
  .extend('gateway', { scope: 'file' }, ({ service }) => (path: string) => {
    return `${service.service.gatewayUrl}${path}`
  })
  .extend('downloads', { scope: 'file' }, ({ service, started, gateway, key }) => ({
    files: { url: gateway('/api/file/download?path=/workspace/project/large.bin'), as: key },
    archives: { url: gateway('/api/file/archive?path=/workspace/project&format=tar.gz'), as: key },
    'ZIP files': {
      url: `${service.url}/api/conversations/${started.app_conversation_id}/zip-directory`,
      as: service.key,
    },
  }))

const MAX_COMMAND_MS = 15_000

it.beforeAll(async ({ sandbox }) => {
  const engine = testEngine()
  const argv = ['/bin/sh', '-ec', 'printf hello >small.txt; head -c 60M /dev/urandom >large.bin']
  const stream = await engine.exec(sandbox, { argv, cwd: '/workspace/project' })
  stream.stdout.resume()
  expect(await stream.exitCode).toBe(0)
  stream.close()
  await engine.close()
})

/** Asks, and reads nothing of what comes. */
function leaveUnread(url: string, as: string): Promise<{ status: number | undefined; end: () => void }> {
  return new Promise((resolve, reject) => {
    const onReply = (reply: IncomingMessage) => {
      reply.pause()
      reply.on('error', () => {})
      resolve({ status: reply.statusCode, end: () => request.destroy() })
    }
    const request = get(url, { headers: { 'X-Session-API-Key': as }, agent: false }, onReply)
    request.on('error', reject)
  })
}

it.for(['files', 'archives', 'ZIP files'] as const)(
  '%s that are asked for and never read leave the sandbox free',
  { timeout: 120_000 },
  async (what, { downloads, gateway, key, service, sandbox }) => {
    const { url, as } = downloads[what]
    const unread = await Promise.all(Array.from({ length: 12 }, () => leaveUnread(url, as)))
    expect(unread.map(({ status }) => status)).toEqual(Array(12).fill(200))
    const reply = await fetch(gateway('/api/bash/execute_bash_command'), {
      method: 'POST',
      headers: { 'X-Session-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ command: 'cat /workspace/project/small.txt' }),
      signal: AbortSignal.timeout(MAX_COMMAND_MS),
    })
    expect(await reply.text()).toContain('hello')
    await service.client.call(pauseSandbox, { params: { sandbox_id: sandbox } })
    await service.client.call(resumeSandbox, { params: { sandbox_id: sandbox } })
    for (const { end } of unread) end()
  },
)

it('are bounded in number for each sandbox, and make room as they are given up', { timeout: 120_000 }, async ({
  downloads,
}) => {
  const { url, as } = downloads.files
  const unread = []
  for (let asked = 0; asked < BOUNDS.downloads.limit; asked++) unread.push(await leaveUnread(url, as))
  expect(new Set(unread.map(({ status }) => status))).toEqual(new Set([200]))
  const refused = await fetch(url, { headers: { 'X-Session-API-Key': as } })
  expect(refused.status).toBe(429)
  expect(await refused.text()).toContain('are being read already')
  for (const { end } of unread) end()
  const small = url.replace('large.bin', 'small.txt')
  const again = async () => (await fetch(small, { headers: { 'X-Session-API-Key': as } })).text()
  await expect.poll(again, { timeout: 60_000 }).toBe('hello')
})

it('and what is read comes whole, also of a file that has grown or is empty', async ({ gateway, key }) => {
  const run = async (command: string) =>
    fetch(gateway('/api/bash/execute_bash_command'), {
      method: 'POST',
      headers: { 'X-Session-API-Key': key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ command }),
    })
  const read = async (path: string) =>
    Buffer.from(
      await (
        await fetch(gateway(`/api/file/download?path=${path}`), { headers: { 'X-Session-API-Key': key } })
      ).arrayBuffer(),
    )
  await run(
    'seq 1 200000 >/tmp/numbers; : >/tmp/empty; (for i in $(seq 1 300); do seq 1 100 >>/tmp/growing; done) & sleep 0.1',
  )
  expect((await read('/tmp/numbers')).toString()).toBe(Array.from({ length: 200_000 }, (_, n) => `${n + 1}\n`).join(''))
  expect((await read('/tmp/empty')).length).toBe(0)
  expect((await read('/tmp/growing')).toString().startsWith('1\n2\n3\n')).toBe(true)
})
