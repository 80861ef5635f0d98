import { expect, vi } from 'vitest'
import { searchEverything } from '../../../server/api/v1/system/search.ts'
import { getSystem } from '../../../server/api/v1/system/system.ts'
import { it as base } from '../../fixtures/service.ts'
import { aConversation, openStore } from '../../parts/service/store.ts'
import { newEvent } from '../../parts/value/agent-event.ts'

const test = base
  .extend('serviceOptions', { scope: 'file' }, ({}) => ({}))
  .extend('search', { scope: 'file' }, ({ service }) => (query: Record<string, unknown>) => {
    return service.client.call(searchEverything, { query: { query: 'something', ...query } })
  })

let id: string

test.beforeAll(async ({ service }) => {
  await service.restart(() => {
    const store = openStore(service.dataDir)
    const conversation = aConversation({ title: 'Parser of tables' })
    store.conversations.insert(conversation)
    store.eventLog.appendAll(
      conversation.id,
      Array.from({ length: 20 }, (_, index) => newEvent(index)),
    )
    store.close()
    id = conversation.id
  })
})

test('a search finds what stands in the database, and says how far the index is', async ({ search }) => {
  await vi.waitFor(async () => expect((await search({})).index.state).toBe('ready'), { timeout: 20_000 })
  const { items, total, index } = await search({ conversation_id: id, kind: ['command'], limit: 5 })
  expect(index).toMatchObject({ events_indexed: 20, events_total: 20, problem: null })
  expect(total).toBe(10)
  expect(items).toHaveLength(5)
  expect(items[0]).toMatchObject({ conversation_id: id, title: 'Parser of tables', kind: 'command' })
  const [{ snippet = '', matches = [] } = {}] = items
  expect(matches.map(({ start, end }) => snippet.slice(start, end))).toEqual(['something'])
})

test('only the key of the app searches, and the port of the agent servers has no search', async ({ service }) => {
  const ask = (url: string, key?: string) =>
    fetch(`${url}/api/v1/search?query=something`, { headers: key ? { 'X-Session-API-Key': key } : {} })
  const { gateway_url } = await service.client.call(getSystem)
  expect((await ask(service.url)).status).toBe(401)
  expect((await ask(service.url, 'wrong')).status).toBe(401)
  expect((await ask(String(gateway_url), service.key)).status).toBe(404)
  expect((await ask(String(gateway_url))).status).toBe(401)
})

test.for<object>([
  { query: '' },
  { query: 'x'.repeat(501) },
  { kind: ['nothing'] },
  { limit: 101 },
  { after: 'yesterday' },
])('what does not fit is refused: %j', async (query, { service }) => {
  const parameters = new URLSearchParams({ query: 'something' })
  for (const [name, value] of Object.entries(query)) parameters.set(name, String(value))
  const reply = await fetch(`${service.url}/api/v1/search?${parameters}`, {
    headers: { 'X-Session-API-Key': service.key },
  })
  expect(reply.status).toBe(422)
})
