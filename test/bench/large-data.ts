import { Agent, get } from 'node:http'
import type { Event } from '../../server/api/event/events.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { median, quantile, type Row, row, timed } from './process/measure.ts'

const CONVERSATIONS = 10_000
const EVENTS = 10_000
const RUNS = 200
const PAGE = 100

/** What a person has who has worked for years: the first and the last page of the list, and the end of a long log. */
export default async function measure(): Promise<Row[]> {
  const { service, id } = await fullService()
  const agent = new Agent({ keepAlive: true })
  const read = (path: string) => timed(() => fetchText(agent, service, path))
  const list = (offset: number) => `/api/v1/app-conversations/search?limit=${PAGE}&page_id=${offset}`
  const newest = `/api/v1/conversation/${id}/events/search?limit=${PAGE}&sort_order=TIMESTAMP_DESC`
  const samples = { first: [] as number[], deep: [] as number[], newest: [] as number[] }
  for (let round = -20; round < RUNS; round++) {
    const times = {
      first: await read(list(0)),
      deep: await read(list(CONVERSATIONS - PAGE)),
      newest: await read(newest),
    }
    if (round < 0) continue
    samples.first.push(times.first)
    samples.deep.push(times.deep)
    samples.newest.push(times.newest)
  }
  await checkNewest(agent, service, newest)
  agent.destroy()
  await service.close()
  const shared = { unit: 'ms', runs: RUNS } as const
  return [
    row({
      ...shared,
      what: 'First of 10,000 conversations, p95',
      atelier: quantile(samples.first, 0.95),
      bare: null,
      aim: { kind: 'value', atMost: 50 },
    }),
    row({
      ...shared,
      what: 'Last page of 10,000 conversations, against the first',
      atelier: median(samples.deep),
      bare: median(samples.first),
      aim: { kind: 'ratio', atMost: 2 },
    }),
    row({
      ...shared,
      what: 'Newest page of 10,000 events, p95',
      atelier: quantile(samples.newest, 0.95),
      bare: null,
      aim: { kind: 'value', atMost: 30 },
    }),
  ]
}

/** The service locks its data folder, so the rows are written while it is closed. */
async function fullService(): Promise<{ service: TestService; id: string }> {
  const service = await startTestService()
  await service.service.close()
  const store = openStore(service.dataDir)
  const conversations = Array.from({ length: CONVERSATIONS }, (_, index) => {
    const at = new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString()
    return aConversation({ created_at: at, updated_at: at, title: `Make the test of parser ${index} pass again` })
  })
  store.database.transaction(() => {
    for (const conversation of conversations) store.conversations.insert(conversation)
  })
  const [first] = conversations
  if (!first) throw new Error('There is no conversation.')
  store.eventLog.appendAll(
    first.id,
    Array.from({ length: EVENTS }, (_, index) => newEvent(index)),
  )
  store.close()
  await service.restart()
  return { service, id: first.id }
}

async function checkNewest(agent: Agent, service: TestService, path: string): Promise<void> {
  const { items } = JSON.parse(await fetchText(agent, service, path)) as { items: Event[] }
  if (items.length !== PAGE || items[0]?.seq !== EVENTS - 1) throw new Error('The page is not the newest.')
}

function fetchText(agent: Agent, service: TestService, path: string): Promise<string> {
  const headers = { 'X-Session-API-Key': service.key }
  return new Promise((resolve, reject) => {
    const request = get(service.url + path, { agent, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString()))
      response.on('error', reject)
      if (response.statusCode !== 200) reject(new Error(`${path} answered ${response.statusCode}.`))
    })
    request.on('error', reject)
  })
}
