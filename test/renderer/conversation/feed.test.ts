import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hasOlder, newestSeq } from '../../../renderer/state/conversation/conversation.ts'
import { ConversationFeed, type FeedOptions } from '../../../renderer/state/conversation/feed.ts'
import { createClient } from '../../../server/client/client.ts'
import type { EventSocketOptions } from '../../../server/client/event-socket.ts'
import { EventLog } from './events.ts'

const eventLog = new EventLog()
while (eventLog.events.length < 250) eventLog.user(`message ${eventLog.events.length}`)

let service: Server
let failing: boolean
let requests: URLSearchParams[]
let sockets: Pick<EventSocketOptions, 'afterSeq' | 'onFrame' | 'onResumed' | 'onState'>[]
let closed: number

/** Answers like the service: newest first, `page_id` names the first sequence number of the page before. */
beforeEach(async () => {
  failing = false
  requests = []
  sockets = []
  closed = 0
  service = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://local')
    requests.push(searchParams)
    const end = Number(searchParams.get('page_id') ?? eventLog.events.length)
    const start = Math.max(0, end - Number(searchParams.get('limit')))
    const items = eventLog.events.slice(start, end).reverse()
    response.writeHead(failing ? 503 : 200, { 'content-type': 'application/json' })
    const page = { items, next_page_id: start > 0 ? String(start) : null }
    response.end(JSON.stringify(failing ? { detail: 'The database is busy.', code: 'internal' } : page))
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
})

afterEach(async () => {
  service.closeAllConnections()
  service.close()
  await once(service, 'close')
})

function createFeed(more: Partial<FeedOptions> = {}): ConversationFeed {
  const { port } = service.address() as AddressInfo
  return new ConversationFeed({
    conversationId: 'c1',
    client: createClient({ url: `http://127.0.0.1:${port}`, key: 'key', validate: true }),
    openSocket: options => {
      sockets.push(options)
      return { close: () => (closed += 1) }
    },
    schedule: flush => {
      const timer = setImmediate(flush)
      return () => clearImmediate(timer)
    },
    ...more,
  })
}

const wait = (check: () => void) => vi.waitFor(check, { timeout: 5_000, interval: 2 })
const kind = (feed: ConversationFeed) => feed.snapshot().history.kind
const seqs = (feed: ConversationFeed) => feed.snapshot().conversation.events.map(event => event.seq)

test('shows the newest page first and follows from its newest event on', async () => {
  const feed = createFeed()
  const stop = feed.subscribe(() => {})
  await wait(() => expect(sockets).toHaveLength(1))
  expect(requests[0]?.get('sort_order')).toBe('TIMESTAMP_DESC')
  expect(sockets[0]?.afterSeq).toBe(249)
  expect(newestSeq(feed.snapshot().conversation)).toBe(249)
  expect(hasOlder(feed.snapshot().conversation)).toBe(true)
  stop()
  expect(closed).toBe(1)
})

test('older pages join without a gap or a duplicate, back to the beginning', async () => {
  const feed = createFeed()
  feed.subscribe(() => {})
  await wait(() => expect(kind(feed)).toBe('ready'))
  await Promise.all([feed.loadOlder(), feed.loadOlder()])
  expect(requests).toHaveLength(2)
  await feed.loadAll()
  expect(seqs(feed)).toEqual(eventLog.events.map(event => event.seq))
  expect(hasOlder(feed.snapshot().conversation)).toBe(false)
})

test('frames of one moment render once', async () => {
  const feed = createFeed()
  feed.subscribe(() => {})
  await wait(() => expect(sockets).toHaveLength(1))
  let renders = 0
  feed.subscribe(() => (renders += 1))
  for (let seq = 250; seq < 300; seq += 1) sockets[0]?.onFrame({ ...eventLog.agent('more'), seq })
  eventLog.events.length = 250
  await wait(() => expect(newestSeq(feed.snapshot().conversation)).toBe(299))
  expect(renders).toBe(1)
})

test('an event does not wait for as long as the text that grows before it', async () => {
  const pauses: number[] = []
  let due: (() => void) | undefined
  const feed = createFeed({
    schedule: (flush, pauseMs) => {
      pauses.push(pauseMs)
      due = flush
      return () => (due = undefined)
    },
  })
  feed.subscribe(() => {})
  await wait(() => expect(sockets).toHaveLength(1))
  const say = (content: string) => {
    const piece = { kind: 'StreamingDeltaEvent', id: 'd', timestamp: '2026-01-01T00:00:00Z', source: 'agent' } as const
    sockets[0]?.onFrame({ ...piece, content })
  }
  say('words '.repeat(1_000))
  due?.()
  say('more')
  say('and more')
  sockets[0]?.onFrame({ ...eventLog.agent('done'), seq: 250 })
  eventLog.events.length = 250
  expect(pauses).toEqual([50, 250, 50])
  due?.()
  expect(newestSeq(feed.snapshot().conversation)).toBe(250)
})

test('a failed first page says so and is tried again when asked', async () => {
  failing = true
  const feed = createFeed()
  feed.subscribe(() => {})
  await wait(() => expect(feed.snapshot().history).toMatchObject({ kind: 'failed', part: 'first' }))
  expect(sockets).toHaveLength(0)
  failing = false
  feed.retry()
  await wait(() => expect(kind(feed)).toBe('ready'))
})

test('a failed older page keeps what is loaded', async () => {
  const feed = createFeed()
  feed.subscribe(() => {})
  await wait(() => expect(kind(feed)).toBe('ready'))
  const before = seqs(feed)
  failing = true
  await feed.loadOlder()
  expect(feed.snapshot().history).toMatchObject({ kind: 'failed', part: 'older' })
  expect(seqs(feed)).toEqual(before)
})

test('a conversation that was open before shows at once and reads no page again', async () => {
  let kept: FeedOptions['initial']
  const first = createFeed({
    onClosed: last => {
      kept = last
    },
  })
  const stop = first.subscribe(() => {})
  await wait(() => expect(sockets).toHaveLength(1))
  stop()
  const again = createFeed({ initial: kept })
  expect(newestSeq(again.snapshot().conversation)).toBe(249)
  again.subscribe(() => {})
  expect(kind(again)).toBe('ready')
  expect(requests).toHaveLength(1)
  expect(sockets.map(({ afterSeq }) => afterSeq)).toEqual([249, 249])
})

test('what comes after the last subscriber left is not taken', async () => {
  const left = createFeed()
  const stop = left.subscribe(() => {})
  service.prependOnceListener('request', stop)
  await once(service, 'request')
  const barrier = createFeed()
  barrier.subscribe(() => {})
  await wait(() => expect(kind(barrier)).toBe('ready'))
  expect(seqs(left)).toEqual([])
  expect(sockets).toHaveLength(1)
})

test('goes back to an event in one step, and can be called off on the way', async () => {
  const feed = createFeed()
  let renders: string[] = []
  feed.subscribe(() => renders.push(kind(feed)))
  await wait(() => expect(kind(feed)).toBe('ready'))
  const given = new AbortController()
  given.abort()
  expect(await feed.loadBackTo(10, given.signal)).toBe(false)
  renders = []
  expect(await feed.loadBackTo(10, new AbortController().signal)).toBe(true)
  expect(seqs(feed)[0]).toBeLessThanOrEqual(10)
  expect(seqs(feed)).toEqual(eventLog.events.slice(seqs(feed)[0]).map(event => event.seq))
  expect(renders.filter(one => one === 'ready')).toHaveLength(1)
  const before = requests.length
  expect(await feed.loadBackTo(10, new AbortController().signal)).toBe(true)
  expect(requests).toHaveLength(before)
})

test('a way back that fails keeps what came, and says so', async () => {
  const feed = createFeed()
  feed.subscribe(() => {})
  await wait(() => expect(kind(feed)).toBe('ready'))
  failing = true
  expect(await feed.loadBackTo(10, new AbortController().signal)).toBe(false)
  expect(feed.snapshot().history).toMatchObject({ kind: 'failed', part: 'older' })
})
