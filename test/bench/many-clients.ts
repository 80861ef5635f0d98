import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { storeSettings } from '../../server/api/v1/settings/settings.ts'
import type { ConversationId } from '../../server/domain/ids.ts'
import { startConversation } from '../parts/client/conversation.ts'
import { removeSandboxesOf } from '../parts/engine/containers.ts'
import { projectFolder } from '../parts/project-folder.ts'
import { type Headless, startHeadless } from '../parts/service/headless.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { newEvent } from '../parts/value/agent-event.ts'
import { compare, median, quantile, type Row, row, timed } from './process/measure.ts'
import { type InstantModel, startInstantModel } from './process/model.ts'
import { runTask } from './process/task.ts'

const EVENTS = 50_000
const READ_WHILE = 16
/** Of so many conversations, one after the other: a 95th percentile wants a hundred reads of each kind. */
const READ_ROUNDS = 3
const TOGETHER = 15
const ALONE = 3
const STEPS = 5
const READ_EVERY_MS = 10
/** A quick model and a quick command: what is left is the service's and the engine's. */
const TASK = {
  calls: Array.from({ length: STEPS }, (_, index) => ({
    name: 'terminal',
    arguments: JSON.stringify({ command: `sleep 0.1; echo ${index}` }),
  })),
  thinkMs: 100,
}

/** What others wait while many work, how many hold each other up, and how fast a long log is read from its beginning. */
export default async function measure(): Promise<Row[]> {
  const names = Array.from({ length: ALONE + READ_ROUNDS * READ_WHILE + TOGETHER + 1 }, (_, index) => `task-${index}`)
  const model = await startInstantModel(Object.fromEntries(names.map(name => [name, TASK])))
  const { service, id } = await serviceWithLog(model)
  const bare = await startBareServer()
  const next = () => startAndRun(service, names.pop() ?? '')
  try {
    // What is loaded once, at the first use of its kind, belongs to no conversation.
    await next()
    const alone: number[] = []
    for (let run = 0; run < ALONE; run++) alone.push(await timed(next))
    const together = await timed(() => Promise.all(Array.from({ length: TOGETHER }, next)))
    const reads = await readWhile(service, bare.url, id, async () => {
      for (let round = 0; round < READ_ROUNDS; round++) await Promise.all(Array.from({ length: READ_WHILE }, next))
    })
    const what = `${TOGETHER} conversations at once, each started and working, against one`
    return [
      row({
        what,
        unit: 'ms',
        atelier: together,
        bare: median(alone),
        runs: ALONE,
        aim: { kind: 'ratio', atMost: 4 },
      }),
      ...reads,
      ...(await readLog(service, bare.url, id)),
    ]
  } finally {
    bare.close()
    await service.end('SIGTERM')
    await removeSandboxesOf(service.dataDir)
    rmSync(service.dataDir, { recursive: true, force: true })
    await model.close()
  }
}

/** The service locks its data folder, so the log is written while it is closed. */
async function serviceWithLog(model: InstantModel): Promise<{ service: Headless; id: ConversationId }> {
  const first = await startHeadless()
  await first.client.call(storeSettings, { body: { llm_model: 'openai/scripted', llm_base_url: model.url } })
  await first.end('SIGTERM')
  const store = openStore(first.dataDir)
  const conversation = aConversation()
  store.conversations.insert(conversation)
  store.eventLog.appendAll(
    conversation.id,
    Array.from({ length: EVENTS }, (_, index) => newEvent(index)),
  )
  store.close()
  return { service: await startHeadless({ dataDir: first.dataDir, key: first.key }), id: conversation.id }
}

async function startAndRun(service: Headless, name: string): Promise<void> {
  const { app_conversation_id, detail } = await startConversation(service, {
    title: name,
    llm_model: `openai/${name}`,
  })
  if (!app_conversation_id) throw new Error(`The conversation did not start. ${detail}`)
  await runTask(service, app_conversation_id, 'Work')
}

/** What a window or another program reads again and again, from a process of its own, one after the other. */
async function readWhile(service: Headless, bareUrl: string, id: string, work: () => Promise<unknown>): Promise<Row[]> {
  const headers = { 'X-Session-API-Key': service.key }
  const read = async (url: string) => {
    const reply = await fetch(url, { headers })
    await reply.arrayBuffer()
    if (reply.status !== 200) throw new Error(`${url} answered ${reply.status}.`)
  }
  const paths = [
    '/health',
    '/api/v1/app-conversations/search?limit=20',
    `/api/v1/app-conversations?ids=${id}`,
    `/api/v1/conversation/${id}/events/search?limit=50`,
    '/api/v1/sandboxes/search',
    '/api/v1/settings',
    '/api/conversations?limit=20',
    '/api/settings',
  ]
  const times = new Map(paths.map(path => [path, { atelier: [] as number[], bare: [] as number[] }]))
  let isWorking = true
  const working = work().finally(() => {
    isWorking = false
  })
  while (isWorking) {
    for (const [path, samples] of times) {
      samples.atelier.push(await timed(() => read(service.url + path)))
      samples.bare.push(await timed(() => read(`${bareUrl}/health`)))
      await delay(READ_EVERY_MS)
    }
  }
  await working
  const all = [...times.entries()].map(([path, samples]) => ({ path, samples }))
  const [slowest] = all.sort((a, b) => quantile(b.samples.atelier, 0.95) - quantile(a.samples.atelier, 0.95))
  const health = times.get('/health')
  if (!health || !slowest) throw new Error('Nothing was read.')
  const options = { share: 0.95, aim: { kind: 'value', atMost: 50 } } as const
  const meanwhile = `p95 while ${READ_WHILE} conversations start and work`
  const shown = slowest.path.replace(id, '{id}')
  return [
    compare(`/health, ${meanwhile}`, health, options),
    compare(`The slowest of ${paths.length} reads (${shown}), ${meanwhile}`, slowest.samples, options),
  ]
}

/** A socket from the beginning, until the last event is there, against a server that sends as many frames of their size. */
async function readLog(service: Headless, bareUrl: string, id: string): Promise<Row[]> {
  const socket = (url: string) => `${url.replace('http', 'ws')}`
  const ours = await receive(`${socket(service.url)}/sockets/events/${id}?after_seq=-1`, service.key, EVENTS)
  const bytes = Math.round(ours.bytes / EVENTS)
  const bare = await receive(`${socket(bareUrl)}/?frames=${EVENTS}&bytes=${bytes}`, service.key, EVENTS)
  return [
    row({
      what: `A log of ${EVENTS.toLocaleString('en')} events over a socket from its beginning`,
      unit: 'events/s',
      atelier: (EVENTS * 1000) / ours.ms,
      bare: (EVENTS * 1000) / bare.ms,
      runs: 1,
      aim: { kind: 'value', atLeast: 20_000 },
    }),
  ]
}

function receive(url: string, key: string, count: number): Promise<{ ms: number; bytes: number }> {
  const socket = new WebSocket(url, { headers: { 'X-Session-API-Key': key } })
  let started = performance.now()
  let bytes = 0
  let received = 0
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      started = performance.now()
    })
    socket.on('message', (data: Buffer) => {
      if (data.includes('"key":"full_state"')) return
      bytes += data.length
      if (++received < count) return
      socket.removeAllListeners('close')
      socket.close()
      resolve({ ms: performance.now() - started, bytes })
    })
    socket.on('error', reject)
    socket.on('close', code => reject(new Error(`Closed with ${code} after ${received} events.`)))
  })
}

async function startBareServer(): Promise<{ url: string; close(): void }> {
  const child = fork(join(projectFolder, 'test/bench/bare/server.mjs'))
  const [port] = await once(child, 'message')
  return { url: `http://127.0.0.1:${port}`, close: () => child.disconnect() }
}
