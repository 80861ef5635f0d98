import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { countConversationEvents, searchConversationEvents } from '../../../server/api/v1/conversation/event-routes.ts'
import { batchGetSandboxes } from '../../../server/api/v1/sandbox/sandboxes.ts'
import { BOUNDS } from '../../../server/domain/bounds.ts'
import { newConversationId } from '../../../server/domain/ids.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { removeSandboxesOf } from '../../parts/engine/containers.ts'
import { turnsDuring } from '../../parts/loop-turns.ts'
import { type Headless, startHeadless } from '../../parts/service/headless.ts'
import { slowness } from '../../parts/value/slowness.ts'

const EVENTS = 1000
const TEXT = 'x'.repeat(9_000)
/** The longest turn of the event loop, in processor time: 9 MB of JSON are read in one. */
const MAX_BLOCK_MS = 120

let service: Headless
let key: string

beforeAll(async () => {
  service = await startHeadless({ preload: join(import.meta.dirname, '../../parts/service/loop-monitor.mjs') })
  const started = await startConversation(service, {})
  const [sandbox] = await service.client.call(batchGetSandboxes, { query: { id: [started.sandbox_id ?? ''] } })
  key = sandbox?.session_api_key ?? ''
})

afterAll(async () => {
  await service?.end('SIGTERM')
  if (!service) return
  await removeSandboxesOf(service.dataDir)
  rmSync(service.dataDir, { recursive: true, force: true })
})

const message = (id: string, text = TEXT) => ({
  kind: 'MessageEvent',
  id,
  timestamp: '2026-01-01T10:00:00',
  source: 'agent',
  llm_message: { role: 'assistant', content: [{ type: 'text', text }] },
})

async function report(id: string, name: string): Promise<{ status: number; text: string }> {
  return post(
    `/api/v1/webhooks/events/${id}`,
    Array.from({ length: EVENTS }, (_, index) => message(`${name}-${index}`)),
  )
}

async function post(path: string, body: unknown): Promise<{ status: number; text: string }> {
  const headers = { 'X-Session-API-Key': key, 'Content-Type': 'application/json' }
  const reply = await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: reply.status, text: await reply.text() }
}

it('pages for legacy clients end where their events are large together', async () => {
  const id = newConversationId()
  const events = Array.from({ length: 90 }, (_, index) => message(`large-${index}`, 'x'.repeat(100_000)))
  expect((await post(`/api/v1/webhooks/events/${id}`, events)).status).toBe(200)
  const seen: number[] = []
  for (let more = true; more; ) {
    const address = `${service.url}/api/conversations/${id}/events?limit=100&start_id=${seen.length}`
    const reply = await fetch(address, { headers: { 'X-Session-API-Key': service.key } })
    const text = await reply.text()
    expect(text.length).toBeLessThan(BOUNDS.page.limit * 1.1)
    const page = JSON.parse(text) as { events: { id: number }[]; has_more: boolean }
    seen.push(...page.events.map(event => event.id))
    more = page.has_more
  }
  expect(seen).toEqual(Array.from({ length: 90 }, (_, index) => index))
})

it('reports of a thousand events at once, 9 MB each, are stored in order and block nobody, up to a bound', {
  timeout: 120_000,
}, async () => {
  const id = newConversationId()
  const params = { conversation_id: id }
  expect((await report(id, 'first')).status).toBe(200)
  const statuses: number[] = []
  const { longest } = await turnsDuring(service, async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => report(id, `more-${index}`)))
    statuses.push(...replies.map(({ status }) => status))
    expect(replies.find(({ status }) => status === 409)?.text).toContain('Go on in a new conversation')
  })
  expect(new Set(statuses)).toEqual(new Set([200, 409]))
  expect(longest[0]).toBeLessThan(MAX_BLOCK_MS * slowness())
  const { items } = await service.client.call(searchConversationEvents, { params, query: { limit: 100 } })
  expect(items.map(event => event.id)).toEqual(Array.from({ length: 100 }, (_, index) => `first-${index}`))
  const count = await service.client.call(countConversationEvents, { params })
  expect(count * TEXT.length).toBeLessThanOrEqual(BOUNDS.reportedBytes.limit)
  expect(count).toBeGreaterThan(6 * EVENTS)
  expect((await report(id, 'first')).status).toBe(200)
  expect(await service.client.call(countConversationEvents, { params })).toBe(count)
})

it('conversations without end are reported up to a bound, and what is known goes on', { timeout: 60_000 }, async () => {
  const statuses: number[] = []
  const ids = Array.from({ length: BOUNDS.reportedConversations.limit + 1 }, newConversationId)
  for (const id of ids) {
    for (;;) {
      const { status } = await post('/api/v1/webhooks/conversations', { id })
      if (status !== 429) {
        statuses.push(status)
        break
      }
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  }
  expect(statuses.at(-1)).toBe(409)
  expect((await post('/api/v1/webhooks/conversations', { id: ids[0], title: 'Still known' })).status).toBe(200)
  expect((await post(`/api/v1/webhooks/events/${newConversationId()}`, [message('one')])).status).toBe(409)
})
