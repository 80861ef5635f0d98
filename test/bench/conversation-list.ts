import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { appConversationPage } from '../../server/api/v1/conversation/conversations.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { compare, interleave, type Row, timed } from './process/measure.ts'

const CONVERSATIONS = 1000
const PAGE = 100

/** The whole list, page after page, through the service and from a bare Express server that has the same answers. */
export default async function measure(): Promise<Row[]> {
  const service = await serviceWithConversations()
  const agent = new Agent({ keepAlive: true })
  const pages = await readPages(service, agent)
  const bare = await bareServer(pages)
  const headers = { 'X-Session-API-Key': service.key }
  const read = (url: string, paths: readonly string[]) =>
    timed(async () => {
      for (const path of paths) await fetchText(agent, url + path, headers)
    })
  const samples = await interleave(
    {
      atelier: () => read(service.url, [...pages.keys()]),
      bare: () => read(bare.url, [...pages.keys()]),
    },
    { warmUps: 20, runs: 100 },
  )
  agent.destroy()
  bare.close()
  await service.close()
  return [
    compare(`List of ${CONVERSATIONS} conversations, ${pages.size} pages`, samples, {
      aim: { kind: 'ratio', atMost: 2 },
    }),
    compare(`List of ${CONVERSATIONS} conversations, p95`, samples, { share: 0.95 }),
  ]
}

/** The service locks its data folder, so the rows are written while it is closed. */
async function serviceWithConversations(): Promise<TestService> {
  const service = await startTestService()
  await service.service.close()
  const store = openStore(service.dataDir)
  for (let index = 0; index < CONVERSATIONS; index++) {
    const at = new Date(Date.UTC(2025, 0, 1) + index * 60_000).toISOString()
    const title = `Make the test of parser ${index} pass again`
    store.conversations.insert(aConversation({ created_at: at, updated_at: at, title, llm_model: 'openai/gpt-5' }))
  }
  store.close()
  await service.restart()
  return service
}

/** What each path answers, in the order of the pages. */
async function readPages(service: TestService, agent: Agent): Promise<Map<string, unknown>> {
  const pages = new Map<string, unknown>()
  let next: string | null = ''
  while (next !== null) {
    const path = `/api/v1/app-conversations?limit=${PAGE}${next && `&page_id=${next}`}`
    const text = await fetchText(agent, service.url + path, { 'X-Session-API-Key': service.key })
    const page = appConversationPage.parse(JSON.parse(text))
    pages.set(path, page)
    next = page.next_page_id
  }
  if (pages.size !== CONVERSATIONS / PAGE) throw new Error(`The list has ${pages.size} pages.`)
  return pages
}

async function bareServer(pages: ReadonlyMap<string, unknown>) {
  const app = express()
  app.get('/api/v1/app-conversations', (request, response) => {
    response.json(pages.get(request.originalUrl))
  })
  const server = createServer(app)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

function fetchText(agent: Agent, url: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks).toString()))
      response.on('error', reject)
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}.`))
    })
    request.on('error', reject)
  })
}
