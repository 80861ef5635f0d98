import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { io } from 'socket.io-client'
import { describe, expect } from 'vitest'
import { WebSocket } from 'ws'
import type { Event } from '../../../server/api/event/events.ts'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import type { ConversationId } from '../../../server/domain/ids.ts'
import { it as base } from '../../fixtures/base.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { removeSandboxesOf } from '../../parts/engine/containers.ts'
import { turnsDuring } from '../../parts/loop-turns.ts'
import { type Headless, startHeadless } from '../../parts/service/headless.ts'
import { openStore } from '../../parts/service/store.ts'
import { newEvent } from '../../parts/value/agent-event.ts'
import { slowness } from '../../parts/value/slowness.ts'

const it = base
  /** What the service finds: a conversation with a long log. */
  .extend('kept', { scope: 'file' }, async ({ model }, { onCleanup }) => {
    model.setScript(() => ({ text: 'Done.' }))
    const first = await startHeadless()
    const { dataDir, key } = first
    onCleanup(async () => {
      await removeSandboxesOf(dataDir)
      rmSync(dataDir, { recursive: true, force: true })
    })
    await first.client.call(storeSettings, { body: { llm_model: 'openai/scripted', llm_base_url: model.url.openai } })
    const id = (await startConversation(first, {})).app_conversation_id ?? ''
    await first.end('SIGTERM')
    return { dataDir, key, id, stored: fill(dataDir, id) }
  })
  .extend('service', { scope: 'file' }, async ({ kept: { dataDir, key } }, { onCleanup }) => {
    const preload = join(import.meta.dirname, '../../parts/service/loop-monitor.mjs')
    const service = await startHeadless({ dataDir, key, preload })
    onCleanup(async () => {
      await service.end('SIGTERM')
    })
    return service
  })

const EVENTS = 30_000
/** The longest turn of the event loop, in processor time. */
const MAX_BLOCK_MS = 50
/** What is allowed more, and why. */
const EXCEPTIONS: Record<string, { ms: number; why: string }> = {
  'the legacy trajectory': { ms: 150, why: 'its schemas are compiled when they are first used' },
  'a gateway subscriber from the beginning': { ms: 150, why: 'its schemas are compiled when they are first used' },
}

// Not within the time of the first test.
it.beforeAll(({ service: _ }) => {}, 120_000)

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

/** A conversation, and the service that has it. */
interface Place {
  service: Headless
  id: string
  /** How many events its log had at first. */
  stored: number
}

async function call(
  service: Headless,
  method: string,
  path: string,
  body?: unknown,
  base = service.url,
): Promise<Response> {
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
function received(service: Headless, path: string, count: number, base = service.url): Promise<void> {
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

function receivedByLegacy({ service, id }: Place, count: number): Promise<void> {
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

async function untilFinished({ service, id }: Place, work: () => Promise<unknown>): Promise<void> {
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

const OPERATIONS: Record<string, (place: Place) => Promise<unknown>> = {
  'its description on the gateway': async ({ service, id }) =>
    bytesOf(await call(service, 'GET', `/api/conversations/${id}`, undefined, service.gatewayUrl)),
  'the legacy trajectory': async ({ service, id }) =>
    bytesOf(await call(service, 'GET', `/api/conversations/${id}/trajectory`)),
  'the download as a ZIP': async ({ service, id }) =>
    bytesOf(await call(service, 'GET', `/api/v1/app-conversations/${id}/download`)),
  'a fork': ({ service, id }) => call(service, 'POST', `/api/v1/app-conversations/${id}/fork`, {}),
  'going back': ({ service, id }) =>
    call(service, 'POST', `/api/v1/app-conversations/${id}/navigate`, { event_id: null }),
  'going on': place =>
    untilFinished(place, () =>
      call(place.service, 'POST', `/api/v1/app-conversations/${place.id}/send-message`, said('Go on.')),
    ),
  'a question': ({ service, id }) =>
    call(service, 'POST', `/api/v1/app-conversations/${id}/ask-agent`, { question: 'How far are you?' }),
  'a subscriber from the beginning': ({ service, id, stored }) =>
    received(service, `/sockets/events/${id}?after_seq=-1`, stored),
  'a gateway subscriber from the beginning': ({ service, id, stored }) =>
    received(service, `/sockets/events/${id}?resend_mode=all`, stored, service.gatewayUrl),
  'a legacy subscriber from the beginning': place => receivedByLegacy(place, EVENTS),
  'a search for what is nowhere': async ({ service, id }) =>
    bytesOf(await call(service, 'GET', `/api/conversations/${id}/events?query=zzzz&limit=100`)),
  'a search for the gateway': async ({ service, id }) =>
    bytesOf(
      await call(service, 'GET', `/api/conversations/${id}/events/search?body=zzzz`, undefined, service.gatewayUrl),
    ),
}

describe('in a log of 30,000 events', () => {
  it.for(Object.entries(OPERATIONS))(
    '%s never blocks the others',
    { timeout: 120_000 },
    async ([name, work], { service, kept: { id, stored } }) => {
      const { turns, longest } = await turnsDuring(service, () => work({ service, id, stored }))
      if (process.env.SHOW) console.log(name, turns, longest.slice(0, 6).map(Math.round))
      expect(longest[0]).toBeLessThan((EXCEPTIONS[name]?.ms ?? MAX_BLOCK_MS) * slowness())
    },
  )
})
