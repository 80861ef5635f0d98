import { once } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket as NodeSocket, type WebSocket as ServerSocket, WebSocketServer } from 'ws'
import { staleKeys } from '../../renderer/api/query-keys.ts'
import type { ChangeFrame } from '../../server/api/v1/system/system.ts'
import { reconnectDelay, UpdatesSocket } from '../../server/client/updates-socket.ts'

let server: WebSocketServer
let updates: UpdatesSocket
let changes: ChangeFrame[]
const onReconnect = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('WebSocket', NodeSocket)
  server = new WebSocketServer({ port: 0, host: '127.0.0.1', path: '/sockets/updates' })
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  changes = []
  onReconnect.mockReset()
  updates = new UpdatesSocket(
    { url: `http://127.0.0.1:${address.port}`, key: 'secret-key' },
    { onChange: change => changes.push(change), onReconnect },
  )
})

afterEach(async () => {
  updates.close()
  for (const socket of server.clients) socket.terminate()
  await new Promise(resolve => server.close(resolve))
  vi.unstubAllGlobals()
})

test('authenticates with the first frame, not in the address', async () => {
  updates.open()
  const [socket, request] = await once(server, 'connection')
  expect(request.url).toBe('/sockets/updates')
  const [frame] = await once(socket, 'message')
  expect(JSON.parse(String(frame))).toEqual({ type: 'auth', session_api_key: 'secret-key' })
})

test('passes changes on and drops frames that are none', async () => {
  const socket = await connect()
  socket.send('not json')
  socket.send('{"resource":"unheard-of"}')
  socket.send('{"resource":"sandbox","id":"a"}')
  await expect.poll(() => changes).toEqual([{ resource: 'sandbox', id: 'a' }])
})

test('comes back by itself after a loss and says so once', async () => {
  const first = await connect()
  expect(updates.state()).toBe('open')
  expect(onReconnect).not.toHaveBeenCalled()
  const heard: string[] = []
  updates.subscribe(() => heard.push(updates.state()))
  onReconnect.mockImplementation(() => heard.push('reconnected'))
  const connection = once(server, 'connection')
  first.terminate()
  const [second] = await connection
  await expect.poll(() => heard).toEqual(['lost', 'open', 'reconnected'])
  // Whatever says it again would have done so before this arrives.
  second.send('{"resource":"sandbox","id":"a"}')
  await expect.poll(() => changes).toHaveLength(1)
  expect(heard).toEqual(['lost', 'open', 'reconnected'])
  expect(server.clients.size).toBe(1)
})

test('stays closed once it was closed', async () => {
  await connect()
  updates.close()
  await expect.poll(() => server.clients.size).toBe(0)
  updates.open()
  expect(updates.state()).toBe('closed')
  expect(server.clients.size).toBe(0)
})

test('the waits between tries grow and are bounded', () => {
  const waits = [0, 1, 2, 3, 10, 100].map(attempt => reconnectDelay(attempt, 1))
  expect(waits).toEqual([250, 500, 1000, 2000, 8000, 8000])
  expect(reconnectDelay(3, 0)).toBe(1000)
})

test('a changed conversation makes itself and the lists stale, not the other conversations', () => {
  expect(staleKeys({ resource: 'conversation', id: 'a' })).toEqual([
    ['conversations', 'one', 'a'],
    ['repository-trust', 'a'],
    ['attempts', 'a'],
    ['conversations', 'list'],
  ])
  expect(staleKeys({ resource: 'pending-messages', id: 'a' })).toEqual([['pending-messages', 'a']])
})

async function connect(): Promise<ServerSocket> {
  const connection = once(server, 'connection')
  updates.open()
  const [socket] = await connection
  await once(socket, 'message')
  await expect.poll(() => updates.state()).toBe('open')
  return socket
}
