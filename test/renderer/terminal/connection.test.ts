import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { TerminalConnection, type TerminalConnectionState } from '../../../renderer/state/terminal/connection.ts'

let server: WebSocketServer
let connection: TerminalConnection
const seen = { texts: [] as Record<string, unknown>[], typed: [] as Buffer[], states: [] as TerminalConnectionState[] }
let peer: WebSocket
let showsAtOnce: boolean

beforeEach(async () => {
  showsAtOnce = true
  for (const list of Object.values(seen)) list.length = 0
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', socket => {
    peer = socket
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) seen.typed.push(data)
      else seen.texts.push(JSON.parse(String(data)))
    })
    if (showsAtOnce) show()
  })
  await once(server, 'listening')
  connection = connect()
  await expect.poll(() => seen.states.includes('open') && seen.texts.length > 0).toBe(true)
})
afterEach(() => {
  connection.close()
  server.close()
})

/** The service shows the screen to who connected last. */
function show(): void {
  peer.send(JSON.stringify({ type: 'screen', cols: 80, rows: 24, bytes: 3 }))
}

function connect(): TerminalConnection {
  const { port } = server.address() as AddressInfo
  const made = new TerminalConnection(
    {
      url: `http://127.0.0.1:${port}`,
      key: 'a key',
      path: '/sockets/terminals/one',
      connect: address => new WebSocket(address) as unknown as globalThis.WebSocket,
    },
    {
      onScreen: () => {},
      onBytes: (_bytes, shown) => shown(),
      onFrame: () => {},
      onState: state => seen.states.push(state),
    },
  )
  made.open()
  return made
}

test('the key comes in the first frame, and what was shown is said', async () => {
  expect(seen.texts[0]).toEqual({ type: 'auth', session_api_key: 'a key' })
  peer.send(Buffer.from('abc'))
  await expect.poll(() => seen.texts.at(-1)).toEqual({ type: 'shown', bytes: 3 })
})

test('keys of one moment go together, and a long paste waits until it is taken', async () => {
  for (const key of 'hello') connection.type(key)
  await expect.poll(() => seen.typed.length).toBeGreaterThan(0)
  expect(seen.typed.map(String)).toEqual(['hello'])
  peer.send(JSON.stringify({ type: 'typed', bytes: 5 }))
  connection.type('x'.repeat(1_000_000))
  const total = () => seen.typed.reduce((sum, { length }) => sum + length, 0)
  await expect.poll(() => total()).toBeGreaterThanOrEqual(5 + 256 * 1024)
  expect(total()).toBeLessThan(5 + 300 * 1024)
  while (total() < 1_000_005) {
    peer.send(JSON.stringify({ type: 'typed', bytes: 128 * 1024 }))
    const before = total()
    await expect.poll(() => total()).toBeGreaterThan(before)
  }
  expect(Math.max(...seen.typed.map(({ length }) => length))).toBeLessThanOrEqual(32 * 1024)
})

test('what is typed before the screen is there arrives with it', async () => {
  showsAtOnce = false
  const before = seen.texts.length
  const early = connect()
  for (const key of 'soon') early.type(key)
  await expect.poll(() => seen.texts.length).toBeGreaterThan(before)
  // Long after what is typed together would have gone.
  await setTimeout(50)
  expect(seen.typed).toEqual([])
  show()
  await expect.poll(() => seen.typed.length).toBeGreaterThan(0)
  expect(seen.typed.map(String)).toEqual(['soon'])
  early.close()
})

test('it connects again by itself, but not to a terminal that is gone', async () => {
  peer.close(1001)
  await expect.poll(() => seen.states.at(-1) === 'open' && seen.states.includes('lost')).toBe(true)
  peer.close(4004)
  await expect.poll(() => seen.states.at(-1)).toBe('gone')
})
