import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { listPorts, previewPort } from '../../server/api/v1/sandbox/ports.ts'
import { Atelier } from '../../server/client/atelier.ts'
import { openWebSocket } from '../../server/client/node/connect.ts'
import type { Sandbox } from '../../server/client/sandbox.ts'
import { createClient } from '../../server/docker/client.ts'
import { ask } from '../parts/client/ask-preview.ts'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { SANDBOX_SERVER } from '../parts/sandbox-server.ts'
import { type Headless, startHeadless } from '../parts/service/headless.ts'

let service: Headless
let atelier: Atelier
let sandbox: Sandbox

beforeAll(async () => {
  service = await startHeadless()
  atelier = new Atelier({ url: service.url, key: service.key, connect: openWebSocket })
  sandbox = await atelier.startSandbox()
  await sandbox.writeFile('/tmp/server.py', SANDBOX_SERVER)
})

afterAll(async () => {
  await service?.end('SIGTERM')
  if (!service) return
  await removeSandboxesOf(service.dataDir)
  rmSync(service.dataDir, { recursive: true, force: true })
})

const listen = (port: number, address = '127.0.0.1') =>
  sandbox.run(`cd /tmp && (setsid python3 server.py ${address} ${port} >/dev/null 2>&1 &)`)
const ports = () => atelier.call(listPorts, { params: { sandbox_id: sandbox.id } })
const preview = async (port: number, of: Sandbox = sandbox) =>
  (await atelier.call(previewPort, { params: { sandbox_id: of.id, port } })).url

test('what begins to listen is noticed, with its program, and what ends is gone', async () => {
  expect(await ports()).toEqual([])
  await listen(5173)
  await listen(3000, '0.0.0.0')
  const both = [
    { port: 3000, program: 'python3' },
    { port: 5173, program: 'python3' },
  ]
  await expect.poll(ports).toEqual(both)
  await sandbox.run("pkill -f 'server.py 0.0.0.0'")
  await expect.poll(ports).toEqual(both.slice(1))
})

test('a port on loopback of the sandbox is seen under a name of its own, whoever asks', async () => {
  const url = await preview(5173)
  expect(url).toMatch(/^http:\/\/5173-[a-z2-7]{26}\.localhost:\d+\/$/)
  expect(await preview(5173)).toBe(url)
  const { status, headers, body } = await ask(`${url}a/b?c=d%20e`, {
    headers: { origin: new URL(url).origin, cookie: 'x=1' },
  })
  expect(status).toBe(200)
  expect(headers['referrer-policy']).toBe('same-origin')
  const seen = JSON.parse(body)
  expect(seen).toMatchObject({ method: 'GET', path: '/a/b?c=d%20e' })
  expect(seen.headers).toMatchObject({ host: 'localhost:5173', origin: 'http://localhost:5173', cookie: 'x=1' })
})

test('uploads and large answers pass whole, many at once', async () => {
  const url = await preview(5173)
  const body = Buffer.alloc(3_000_000, 7)
  const uploads = Array.from({ length: 8 }, () => ask(url, { method: 'POST', body }))
  const downloads = Array.from({ length: 3 }, () => ask(`${url}big`))
  for (const { body: told } of await Promise.all(uploads)) {
    expect(JSON.parse(told)).toMatchObject({ method: 'POST', size: body.length, sum: 7 * body.length })
  }
  for (const { body: got } of await Promise.all(downloads)) expect(got).toHaveLength(20_000_000)
})

test('who reads slowly fills nothing, and holds nobody else up', async () => {
  const url = await preview(5173)
  const { host, port } = new URL(url)
  const slow = request({ host: '127.0.0.1', port, path: '/big', headers: { host } })
  slow.on('error', () => {})
  slow.end()
  await new Promise<void>(resolve => slow.once('response', answer => resolve(void answer.pause())))
  expect((await ask(url)).status).toBe(200)
  slow.destroy()
})

test('WebSockets pass, and end with either side', async () => {
  const { host, port } = new URL(await preview(5173))
  const socket = new WebSocket(`ws://127.0.0.1:${port}/hmr`, { headers: { host }, origin: `http://${host}` })
  const received: string[] = []
  socket.on('message', data => received.push(String(data)))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  socket.send('one')
  socket.send('two')
  await expect.poll(() => received).toEqual(['one', 'two'])
  const closed = new Promise(resolve => socket.once('close', resolve))
  await sandbox.run("pkill -f 'server.py 127.0.0.1'")
  await closed
  await listen(5173)
  await expect.poll(async () => (await ask(await preview(5173))).status).toBe(200)
})

test('localhost in an answer means the sandbox', async () => {
  const { status, headers } = await ask(`${await preview(5173)}away`)
  expect(status).toBe(302)
  expect(headers.location).toBe(`${await preview(8000)}in?a=b`)
  expect(headers['set-cookie']).toEqual(['a=1'])
})

test('another site, another sandbox and an unknown name get nothing; another port of the same sandbox does', async () => {
  const url = await preview(5173)
  const other = await atelier.startSandbox()
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: service.url },
    { origin: new URL(await preview(5173, other)).origin },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
  ]
  for (const headers of foreign) expect(await ask(url, { headers })).toMatchObject({ status: 403 })
  const { host, port } = new URL(url)
  const socket = new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { host }, origin: 'https://evil.example' })
  expect(await new Promise(resolve => socket.once('error', ({ message }) => resolve(message)))).toContain('403')

  const own = [
    { origin: new URL(await preview(8000)).origin },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
  ]
  for (const headers of own) expect(await ask(url, { headers })).toMatchObject({ status: 200 })

  const guessed = host.replace(/-./, found => (found === '-a' ? '-b' : '-a'))
  for (const name of [guessed, `localhost:${port}`, `127.0.0.1:${port}`, 'x', `a.${host}`]) {
    expect(await ask(url, { headers: { host: name } })).toMatchObject({ status: 404 })
  }
  await other.delete()
})

test('a port that nobody listens at says so, and a page asks again by itself', async () => {
  const page = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const closed = await ask(await preview(4444), { headers: page })
  expect(closed).toMatchObject({ status: 502, body: expect.stringContaining('Nothing answers on port 4444') })
  expect(closed.headers.refresh).toBe('2')
  expect(await ask(await preview(4444))).toMatchObject({ status: 502, body: expect.stringMatching(/^Nothing answers/) })
})

test('a paused sandbox is said to be one, and goes on being seen after it', async () => {
  const url = await preview(5173)
  await sandbox.pause()
  expect(await ask(url)).toMatchObject({ status: 409, body: expect.stringContaining('paused') })
  await expect(ports()).rejects.toMatchObject({ code: 'sandbox_not_running' })
  await sandbox.resume()
  expect((await ask(url)).status).toBe(200)
})

test('a sandbox that somebody has started anew is seen again', async () => {
  const url = await preview(5173)
  expect((await ask(url)).status).toBe(200)
  const { docker, close } = createClient({ host: process.env.DOCKER_HOST ?? '', certificates: undefined })
  await docker.getContainer(sandbox.id).restart({ t: 0 })
  close()
  await expect.poll(ports).toEqual([])
  expect((await ask(url)).status).toBe(502)
  await listen(5173)
  await expect.poll(async () => (await ask(url)).status).toBe(200)
})

test('nothing is added to the sandbox, and what looks into it goes with the service', async () => {
  const { docker, close } = createClient({ host: process.env.DOCKER_HOST ?? '', certificates: undefined })
  const joined = async () => {
    const { Id } = await docker.getContainer(sandbox.id).inspect()
    const all = await docker.listContainers({ all: true })
    return all.filter(({ HostConfig }) => HostConfig.NetworkMode === `container:${Id}`)
  }
  const [relay, ...more] = await joined()
  expect(more).toEqual([])
  const { HostConfig, Config } = await docker.getContainer(relay?.Id ?? '').inspect()
  expect(HostConfig).toMatchObject({ CapDrop: ['ALL'], ReadonlyRootfs: true, Privileged: false })
  expect(HostConfig.CapAdd ?? []).toEqual([])
  expect(Config.User).toBe('65534:65534')
  expect((await sandbox.run('ps aux | grep -c "[R]ESET" ; ls -A /tmp')).stdout).toBe('0\nserver.py\n')
  await service.end('SIGTERM')
  await expect.poll(joined).toEqual([])
  close()
})
