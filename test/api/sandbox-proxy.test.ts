import { rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { openSandboxProxy, type SandboxProxy } from '../../server/api/v1/sandbox/ports.ts'
import { createSandboxSpec, searchSandboxSpecs } from '../../server/api/v1/sandbox/specs.ts'
import { storeSettingsV1 } from '../../server/api/v1/settings/settings.ts'
import { Atelier } from '../../server/client/atelier.ts'
import { openWebSocket } from '../../server/client/node/connect.ts'
import type { Sandbox } from '../../server/client/sandbox.ts'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { SANDBOX_SERVER } from '../parts/sandbox-server.ts'
import { type Headless, startHeadless } from '../parts/service/headless.ts'

let service: Headless
let atelier: Atelier
let sandbox: Sandbox
let proxy: SandboxProxy
/** What this computer itself serves, on every address. */
let host: Server

beforeAll(async () => {
  host = createServer((_request, response) => response.end('this computer'))
  await new Promise<void>(resolve => host.listen(0, '0.0.0.0', resolve))
  service = await startHeadless()
  atelier = new Atelier({ url: service.url, key: service.key, connect: openWebSocket })
  sandbox = await atelier.startSandbox()
  await sandbox.writeFile('/tmp/server.py', SANDBOX_SERVER)
  const listeners = { '127.0.0.1': 5173, '0.0.0.0': 8000 }
  for (const [address, port] of Object.entries(listeners)) {
    await sandbox.run(`cd /tmp && (setsid python3 server.py ${address} ${port} >/dev/null 2>&1 &)`)
  }
  proxy = await open(sandbox)
  for (const port of Object.values(listeners)) {
    const isServed = async () => expect((await through(proxy, `http://localhost:${port}/`)).status).toBe(200)
    await vi.waitFor(isServed, { timeout: 60_000 })
  }
})

afterAll(async () => {
  host?.close()
  await service?.end('SIGTERM')
  if (!service) return
  await removeSandboxesOf(service.dataDir)
  rmSync(service.dataDir, { recursive: true, force: true })
})

const open = (of: Sandbox) => atelier.call(openSandboxProxy, { params: { sandbox_id: of.id } })
const hostPort = () => (host.address() as AddressInfo).port

interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}
type Access = Pick<SandboxProxy, 'url'> & Partial<SandboxProxy>

const credentials = ({ username, password }: Access) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
function heads(access: Access): Record<string, string> {
  return access.username === undefined ? {} : { 'proxy-authorization': credentials(access) }
}

/** As a browser asks its proxy: with the whole address. */
function through(access: Access, address: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { hostname, port } = new URL(access.url)
  return new Promise((resolve, reject) => {
    const sent = request({
      host: hostname,
      port,
      path: address,
      headers: { host: URL.canParse(address) ? new URL(address).host : 'x', ...heads(access), ...headers },
    })
    sent.once('response', async answer =>
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }),
    )
    sent.once('error', reject)
    sent.end()
  })
}

/** As a browser does for WebSockets and https. */
function tunnel(
  access: Access,
  place: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; socket: Socket }> {
  const { hostname, port } = new URL(access.url)
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, method: 'CONNECT', path: place, headers: heads(access) })
    sent.once('connect', (answer, socket) => {
      socket.on('error', () => {})
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, socket })
    })
    sent.once('error', reject)
    sent.end()
  })
}

test('localhost is the sandbox, by each of its names, and the program sees what the browser sent', async () => {
  expect(proxy).toMatchObject({ username: sandbox.id, url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) })
  expect(await open(sandbox)).toEqual(proxy)
  for (const name of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]', '0.0.0.0', 'shop.localhost']) {
    const { status, body } = await through(proxy, `http://${name}:5173/a?b=c`, {
      cookie: 'x=1',
      origin: 'http://a.example',
    })
    expect([name, status]).toEqual([name, 200])
    const { path, headers } = JSON.parse(body)
    expect(path).toBe('/a?b=c')
    expect(headers).toMatchObject({ host: `${name}:5173`, cookie: 'x=1', origin: 'http://a.example' })
    expect(Object.keys(headers).filter(each => each.startsWith('proxy'))).toEqual([])
  }
  expect((await through(proxy, 'http://localhost:8000/')).status).toBe(200)
})

test('WebSockets go through a tunnel', async () => {
  const { socket } = await tunnel(proxy, 'localhost:5173')
  const spoken = new WebSocket('ws://localhost:5173/hmr', { createConnection: () => socket })
  const received: string[] = []
  spoken.on('message', data => received.push(String(data)))
  await new Promise((resolve, reject) => spoken.once('open', resolve).once('error', reject))
  spoken.send('one')
  await expect.poll(() => received).toEqual(['one'])
  spoken.terminate()
})

test('what is said of the next step of the way changes nothing of the message', async () => {
  const own = ['Trailer: x', 'Connection: content-length, host, x-own, close', 'X-Own: 1', 'Content-Length: 2']
  const lines = [
    'POST http://localhost:5173/ HTTP/1.1',
    'Host: x',
    `Proxy-Authorization: ${credentials(proxy)}`,
    ...own,
  ]
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1')
  socket.write(`${lines.join('\r\n')}\r\n\r\nab`)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 200 /)
  const seen = JSON.parse(body).headers
  expect(seen).toMatchObject({ host: 'localhost:5173', 'content-length': '2' })
  expect(seen).not.toHaveProperty('trailer')
  expect(seen).not.toHaveProperty('x-own')
})

test('a redirect and its cookie stay as the program made them', async () => {
  const { status, headers } = await through(proxy, 'http://localhost:5173/away')
  expect(status).toBe(302)
  expect(headers).toMatchObject({ location: 'http://localhost:8000/in?a=b', 'set-cookie': ['a=1; Domain=localhost'] })
})

test('this computer is not reached, but for what a person has opened to sandboxes', async () => {
  const page = { 'sec-fetch-dest': 'document' }
  expect(await through(proxy, `http://127.0.0.1:${hostPort()}/`, page)).toMatchObject({
    status: 502,
    body: expect.stringContaining(`Nothing answers on port ${hostPort()}`),
  })
  const named = `http://host.docker.internal:${hostPort()}/`
  const refused = await through(proxy, named, page)
  expect(refused).toMatchObject({ status: 502, body: expect.stringContaining('cannot be reached from the sandbox') })
  expect(refused.headers.refresh).toBeUndefined()
  const closed = await tunnel(proxy, `host.docker.internal:${hostPort()}`)
  expect(closed.status).toBe(502)

  await atelier.call(storeSettingsV1, { body: { allowed_hosts: ['host.docker.internal'] } })
  await expect.poll(() => through(proxy, named)).toMatchObject({ status: 200, body: 'this computer' })
  expect((await tunnel(proxy, `host.docker.internal:${hostPort()}`)).status).toBe(200)
  await atelier.call(storeSettingsV1, { body: { allowed_hosts: [] } })
  await expect.poll(async () => (await through(proxy, named)).status).toBe(502)
})

test('a name that there is not is said to be unknown', async () => {
  const answer = await through(proxy, 'http://nowhere.invalid/')
  expect(answer).toMatchObject({ status: 502, body: expect.stringContaining('not known in the sandbox') })
  for (const name of ['a..b', `${'a'.repeat(64)}.example`]) {
    expect(await through(proxy, `http://${name}/`)).toMatchObject({
      status: 502,
      body: expect.stringContaining('not known in the sandbox'),
    })
  }
})

test('nobody uses it without the name and the password of the same sandbox', async () => {
  const other = await atelier.startSandbox()
  const { password } = await open(other)
  expect(password).not.toBe(proxy.password)
  const wrong: Access[] = [
    { url: proxy.url },
    { ...proxy, password },
    { ...proxy, username: other.id },
    { ...proxy, password: '' },
    { ...proxy, password: 'é'.repeat(13) },
    { ...proxy, username: '', password: proxy.password },
  ]
  for (const access of wrong) {
    const answer = await through(access, 'http://localhost:5173/')
    expect(answer).toMatchObject({ status: 407, headers: { 'proxy-authenticate': 'Basic realm="Atelier"' } })
    const opened = await tunnel(access, 'localhost:5173')
    expect(opened).toMatchObject({ status: 407, headers: { 'proxy-authenticate': 'Basic realm="Atelier"' } })
  }
  expect((await through({ ...proxy, ...(await open(other)) }, 'http://localhost:5173/')).status).toBe(502)
  await other.delete()
})

test('what is no address of the web is refused', async () => {
  for (const address of ['ftp://localhost:5173/', 'file:///etc/passwd', 'https://localhost:5173/', 'http://a b/']) {
    expect((await through(proxy, encodeURI(address).replace('%20', '"'))).status).toBe(400)
  }
  for (const place of ['localhost', 'localhost:99999', 'local host:80', 'a@localhost:5173/x']) {
    expect((await tunnel(proxy, place.replace(' ', '"'))).status).toBe(400)
  }
})

test('a sandbox without a network has itself', async () => {
  const [standard] = (await atelier.call(searchSandboxSpecs, { query: {} })).items
  const body = { title: 'Alone', image: standard?.image ?? '', network: 'none' as const }
  const spec = await atelier.call(createSandboxSpec, { body })
  const alone = await atelier.startSandbox({ sandbox_spec_id: spec.id })
  await alone.writeFile('/tmp/server.py', SANDBOX_SERVER)
  await alone.run('cd /tmp && (setsid python3 server.py 127.0.0.1 5173 >/dev/null 2>&1 &)')
  const access = await open(alone)
  await expect.poll(async () => (await through(access, 'http://localhost:5173/')).status).toBe(200)
  expect(await through(access, `http://host.docker.internal:${hostPort()}/`)).toMatchObject({ status: 502 })
  expect(await through(access, 'http://1.1.1.1/')).toMatchObject({ status: 502 })
  await alone.delete()
})

test('it ends with the sandbox', async () => {
  const gone = await atelier.startSandbox()
  const access = await open(gone)
  await gone.delete()
  await expect.poll(async () => (await through(access, 'http://localhost:5173/')).status).toBe(404)
})
