import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket as NodeSocket, type WebSocket as ServerSocket, WebSocketServer } from 'ws'
import type { Event } from '../../server/api/event/events.ts'
import type { EventFrame } from '../../server/api/event/frames.ts'
import { type EventSocket, type EventSocketState, openEventSocket } from '../../server/client/event-socket.ts'
import { EventLog } from '../renderer/conversation/events.ts'

const eventLog = new EventLog()
for (let index = 0; index < 20; index += 1) eventLog.user(`message ${index}`)

let server: WebSocketServer
let socket: EventSocket | undefined
let seen: number[]
let states: EventSocketState[]
let connections: { afterSeq: number; auth: unknown; peer: ServerSocket }[]

/** A service in small: after the first frame it sends what follows `after_seq`, as `answer` says. */
async function serve(answer: (peer: ServerSocket, rest: readonly Event[], attempt: number) => void): Promise<void> {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (peer, request) => {
    const afterSeq = Number(new URL(request.url ?? '', 'http://local').searchParams.get('after_seq'))
    peer.once('message', data => {
      connections.push({ afterSeq, auth: JSON.parse(String(data)), peer })
      send(peer, fullState())
      answer(peer, eventLog.events.slice(afterSeq + 1), connections.length)
    })
  })
  await once(server, 'listening')
}

function follow(afterSeq = -1): void {
  const { port } = server.address() as AddressInfo
  socket = openEventSocket({
    url: `http://127.0.0.1:${port}`,
    key: 'the key',
    conversationId: 'c1',
    afterSeq,
    // The two classes have the same events and methods; only their declared types differ.
    connect: address => new NodeSocket(address) as unknown as WebSocket,
    onResumed: () => {},
    onFrame: frame => 'seq' in frame && seen.push(frame.seq),
    onState: state => states.push(state),
  })
}

const send = (peer: ServerSocket, frame: unknown) => peer.send(JSON.stringify(frame))

function fullState(): EventFrame {
  const stats = { usage_to_metrics: {}, steps: 0, cost_unknown: false, last_step: null }
  const limits = { max_iterations: 500, max_budget_per_task: null }
  return {
    kind: 'ConversationStateUpdateEvent',
    id: 'full',
    timestamp: '2026-01-05T10:00:00.000Z',
    source: 'environment',
    key: 'full_state',
    value: { id: 'c1', title: null, execution_status: 'idle', stats, ...limits, last_seq: 19 },
  }
}

const all = eventLog.events.map(event => event.seq)
const wait = (check: () => void) => vi.waitFor(check, { timeout: 5_000, interval: 5 })

beforeEach(() => {
  seen = []
  states = []
  connections = []
})

afterEach(async () => {
  socket?.close()
  for (const peer of server.clients) peer.terminate()
  server.close()
  await once(server, 'close')
})

test('authenticates in the first frame, so that the key is in no address', async () => {
  await serve((peer, rest) => {
    for (const event of rest) send(peer, event)
  })
  follow()
  await wait(() => expect(seen).toEqual(all))
  expect(connections[0]?.auth).toEqual({ type: 'auth', session_api_key: 'the key' })
  expect(states.at(-1)).toEqual({ kind: 'open' })
})

test('goes on after the newest event it has', async () => {
  await serve((peer, rest) => {
    for (const event of rest) send(peer, event)
  })
  follow(15)
  await wait(() => expect(seen).toEqual([16, 17, 18, 19]))
})

test('a connection that breaks again and again loses nothing and repeats nothing', async () => {
  await serve((peer, rest) => {
    for (const event of rest.slice(0, 6)) send(peer, event)
    if (rest.length > 6) peer.close(1011)
  })
  follow()
  await wait(() => expect(seen).toEqual(all))
  expect(connections.map(({ afterSeq }) => afterSeq)).toEqual([-1, 5, 11, 17])
  expect(states.filter(state => state.kind === 'waiting')).toHaveLength(3)
})

test('a hole in the numbers is asked for again', async () => {
  await serve((peer, rest, attempt) => {
    for (const event of attempt === 1 ? rest.filter(({ seq }) => seq !== 4) : rest) send(peer, event)
  })
  follow()
  await wait(() => expect(seen).toEqual(all))
  expect(connections.map(({ afterSeq }) => afterSeq)).toEqual([-1, 3])
})

test('repeated, malformed and unknown frames are passed over', async () => {
  await serve((peer, rest) => {
    for (const event of rest) {
      peer.send('{not json')
      send(peer, { kind: 'NobodyKnowsThis' })
      send(peer, event.seq === 7 ? { kind: 'NewerEvent', seq: 7 } : event)
      send(peer, event)
    }
  })
  follow()
  await wait(() => expect(seen.at(-1)).toBe(19))
  expect(seen).toEqual(all.filter(seq => seq !== 7))
})

test.each([
  [4001, 'unauthorized'],
  [4004, 'unknown_conversation'],
] as const)('close code %i is final: %s', async (code, reason) => {
  await serve(peer => peer.close(code))
  follow()
  await wait(() => expect(states.at(-1)).toEqual({ kind: 'refused', reason }))
})

test('close code 1013 waits and says that the service is busy', async () => {
  await serve(peer => peer.close(1013))
  follow()
  await wait(() => expect(states.at(-1)).toEqual({ kind: 'waiting', reason: 'busy' }))
})

test('closing it ends the connection and tries no other', async () => {
  await serve(() => {})
  follow()
  await wait(() => expect(states.at(-1)).toEqual({ kind: 'open' }))
  socket?.close()
  await wait(() => expect(server.clients.size).toBe(0))
  expect(connections).toHaveLength(1)
  expect(states.at(-1)).toEqual({ kind: 'closed' })
})
