import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { io } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Event } from '../../../server/api/event/events.ts'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import type { ConversationId } from '../../../server/domain/ids.ts'
import { type ModelServer, startModelServer } from '../../fakes/model-server.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { removeSandboxesOf } from '../../parts/engine/containers.ts'
import { turnsDuring } from '../../parts/loop-turns.ts'
import { type Headless, startHeadless } from '../../parts/service/headless.ts'
import { openStore } from '../../parts/service/store.ts'
import { newEvent } from '../../parts/value/agent-event.ts'
import { slowness } from '../../parts/value/slowness.ts'

const EVENTS = 30_000
/** The longest turn of the event loop, in processor time. */
const MAX_BLOCK_MS = 50
/** What is allowed more, and why. */
const EXCEPTIONS: Record<string, { ms: number; why: string }> = {
  'the legacy trajectory': { ms: 150, why: 'its schemas are compiled when they are first used' },
  'a gateway subscriber from the beginning': { ms: 150, why: 'its schemas are compiled when they are first used' },
}

let model: ModelServer
let service: Headless
let id: string
let stored: number

beforeAll(async () => {
  model = await startModelServer({ script: () => ({ text: 'Done.' }) })
  const first = await startHeadless()
  await first.client.call(storeSettings, { body: { llm_model: 'openai/scripted', llm_base_url: model.url.openai } })
  id = (await startConversation(first, {})).app_conversation_id ?? ''
  await first.end('SIGTERM')
  stored = fill(first.dataDir, id)
  service = await startHeadless({
    dataDir: first.dataDir,
    key: first.key,
    preload: join(import.meta.dirname, '../../parts/service/loop-monitor.mjs'),
  })
}, 120_000)

afterAll(async () => {
  await service?.end('SIGTERM')
  if (service) {
    await removeSandboxesOf(service.dataDir)
    rmSync(service.dataDir, { recursive: true, force: true })
  }
  await model?.close()
})

/** @returns how many events the log has now */
function fill(dataDir: string, conversationId: string): number {
  const store = openStore(dataDir)
  const timestamp = new Date().toISOString()
  const events = Array.from({ length: EVENTS }, (_, index) => {
    const event = { ...newEvent(index), id: `event-${index}`, timestamp, seq: 0 }
    return event.kind === 'ObservationEvent' ? { ...event, action_id: `event-${index - 1}` } : event
  })
  store.eventLog.copyAll(conversationId as ConversationId, events as Event[], () => {})
  const count = store.eventLog.lastSeq(conversationId as ConversationId) + 1
  store.close()
  return count
}

const call = async (method: string, path: string, body?: unknown, base = service.url): Promise<Response> => {
  const reply = await fetch(base + path, {
    method,
    headers: { 'X-Session-API-Key': service.key, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return reply
}
const bytesOf = async (reply: Response) => (await reply.arrayBuffer()).byteLength

/** Resolves when so many events have come, none lost and none twice. */
function received(path: string, count: number, base = service.url): Promise<void> {
  const socket = new WebSocket(`${base.replace('http', 'ws')}${path}`, {
    headers: { 'X-Session-API-Key': service.key },
  })
  const seen = new Set<string>()
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', code => reject(new Error(`Closed with ${code} after ${seen.size} events.`)))
    socket.on('message', data => {
      const { id: eventId, key } = JSON.parse(String(data))
      if (key === 'full_state') return
      if (seen.has(eventId)) reject(new Error('An event came twice.'))
      seen.add(eventId)
      if (seen.size < count) return
      socket.removeAllListeners('close')
      socket.close()
      resolve()
    })
  })
}

function receivedByLegacy(count: number): Promise<void> {
  const socket = io(service.url, {
    transports: ['websocket'],
    query: { conversation_id: id, latest_event_id: -1, session_api_key: service.key },
  })
  let seen = 0
  return new Promise((resolve, reject) => {
    socket.on('connect_error', reject)
    socket.on('disconnect', why => reject(new Error(`${why} after ${seen} events`)))
    socket.on('oh_event', () => {
      if (++seen < count) return
      socket.off('disconnect')
      socket.close()
      resolve()
    })
  })
}

async function untilFinished(work: () => Promise<unknown>): Promise<void> {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/sockets/events/${id}`, {
    headers: { 'X-Session-API-Key': service.key },
  })
  await new Promise(resolve => socket.once('open', resolve))
  const finished = new Promise<void>(resolve =>
    socket.on('message', data => {
      const { key, value } = JSON.parse(String(data))
      if (key === 'execution_status' && value === 'finished') resolve()
    }),
  )
  await work()
  await finished
  socket.close()
}

const OPERATIONS: Record<string, () => Promise<unknown>> = {
  'its description on the gateway': async () =>
    bytesOf(await call('GET', `/api/conversations/${id}`, undefined, service.gatewayUrl)),
  'the legacy trajectory': async () => bytesOf(await call('GET', `/api/conversations/${id}/trajectory`)),
  'the download as a ZIP': async () => bytesOf(await call('GET', `/api/v1/app-conversations/${id}/download`)),
  'a fork': () => call('POST', `/api/v1/app-conversations/${id}/fork`, {}),
  'going back': () => call('POST', `/api/v1/app-conversations/${id}/navigate`, { event_id: null }),
  'going on': () => untilFinished(() => call('POST', `/api/v1/app-conversations/${id}/send-message`, said('Go on.'))),
  'a question': () => call('POST', `/api/v1/app-conversations/${id}/ask-agent`, { question: 'How far are you?' }),
  'a subscriber from the beginning': () => received(`/sockets/events/${id}?after_seq=-1`, stored),
  'a gateway subscriber from the beginning': () =>
    received(`/sockets/events/${id}?resend_mode=all`, stored, service.gatewayUrl),
  'a legacy subscriber from the beginning': () => receivedByLegacy(EVENTS),
  'a search for what is nowhere': async () =>
    bytesOf(await call('GET', `/api/conversations/${id}/events?query=zzzz&limit=100`)),
  'a search for the gateway': async () =>
    bytesOf(await call('GET', `/api/conversations/${id}/events/search?body=zzzz`, undefined, service.gatewayUrl)),
}

describe('in a log of 30,000 events', () => {
  it.each(Object.entries(OPERATIONS))('%s never blocks the others', { timeout: 120_000 }, async (name, work) => {
    const { turns, longest } = await turnsDuring(service, work)
    if (process.env.SHOW) console.log(name, turns, longest.slice(0, 6).map(Math.round))
    expect(longest[0]).toBeLessThan((EXCEPTIONS[name]?.ms ?? MAX_BLOCK_MS) * slowness())
  })
})
