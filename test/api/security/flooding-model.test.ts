import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { interruptConversation } from '../../../server/api/v1/conversation/conversations.ts'
import { storeSettings } from '../../../server/api/v1/settings/settings.ts'
import { said, startConversation } from '../../parts/client/conversation.ts'
import { removeSandboxesOf } from '../../parts/engine/containers.ts'
import { type Turns, turnsDuring } from '../../parts/loop-turns.ts'
import { type Headless, startHeadless } from '../../parts/service/headless.ts'
import { slowness } from '../../parts/value/slowness.ts'

const STREAMS = 4
const FLOOD_MS = 5_000
/** The longest turn of the event loop, in processor time. */
const MAX_BLOCK_MS = 50
/** Of an idle service on a quiet machine. */
const USUAL_WAIT_MS = 3

let model: Worker
let service: Headless
let ids: string[]

beforeAll(async () => {
  model = new Worker(join(import.meta.dirname, '../../parts/flooding-model.mjs'))
  const [port] = await once(model, 'message')
  service = await startHeadless({ preload: join(import.meta.dirname, '../../parts/service/loop-monitor.mjs') })
  const settings = { llm_model: 'openai/scripted', llm_base_url: `http://127.0.0.1:${port}/v1` }
  await service.client.call(storeSettings, { body: settings })
  const first = await startConversation(service, {})
  const others = Array.from({ length: STREAMS - 1 }, () => startConversation(service, { sandbox_id: first.sandbox_id }))
  ids = [first, ...(await Promise.all(others))].map(task => task.app_conversation_id ?? '')
})

afterAll(async () => {
  await service?.end('SIGTERM')
  if (service) {
    await removeSandboxesOf(service.dataDir)
    rmSync(service.dataDir, { recursive: true, force: true })
  }
  await model?.terminate()
})

it('four models that pour out single words for ever hold up nobody, and stop at once', {
  timeout: 60_000,
}, async () => {
  const [, idle = 0] = await healthWaits(3)
  // What else the machine does delays every answer, and is not what is looked at.
  const delayed = Math.max(1, idle / USUAL_WAIT_MS)
  const clients = await Promise.all(ids.map(openSocket))
  await Promise.all(clients.map(client => client.say('Go on for ever.')))
  const { longest } = await turnsDuring(service, () => delay(FLOOD_MS))
  const waits = await healthWaits(20)
  const stops = await Promise.all(ids.map(interrupted))
  if (process.env.SHOW) show({ longest, waits, stops, frames: clients.map(client => client.frames()) })
  expect(longest[0]).toBeLessThan(MAX_BLOCK_MS * slowness())
  expect(waits.at(-2)).toBeLessThan(250 * delayed)
  expect(Math.max(...stops)).toBeLessThan(1_000 * delayed)
  for (const client of clients) {
    expect(client.words()).toBeGreaterThan(1_000 / delayed)
    expect(client.frames()).toBeLessThan((FLOOD_MS / 30) * 3)
    client.close()
  }
})

function show(seen: { longest: Turns['longest']; waits: number[]; stops: number[]; frames: number[] }): void {
  console.log(Object.fromEntries(Object.entries(seen).map(([name, list]) => [name, list.map(Math.round)])))
}

/** In milliseconds, the shortest first. */
async function healthWaits(count: number): Promise<number[]> {
  const waits: number[] = []
  for (let index = 0; index < count; index++) {
    const began = performance.now()
    await (await fetch(`${service.url}/health`)).text()
    waits.push(performance.now() - began)
  }
  return waits.sort((one, other) => one - other)
}

async function interrupted(id: string): Promise<number> {
  const began = performance.now()
  await service.client.call(interruptConversation, { params: { conversation_id: id } })
  return performance.now() - began
}

async function openSocket(id: string) {
  const socket = new WebSocket(`${service.url.replace('http', 'ws')}/sockets/events/${id}`, {
    headers: { 'X-Session-API-Key': service.key },
  })
  await once(socket, 'open')
  let frames = 0
  let text = ''
  const flowing = new Promise<void>(resolve =>
    socket.on('message', data => {
      const { kind, content } = JSON.parse(String(data))
      if (kind !== 'StreamingDeltaEvent') return
      frames++
      text += content
      resolve()
    }),
  )
  return {
    frames: () => frames,
    words: () => {
      expect(text.replaceAll('word ', '').length).toBeLessThan('word '.length)
      return text.length / 'word '.length
    },
    say: (words: string) => {
      socket.send(JSON.stringify(said(words)))
      return flowing
    },
    close: () => socket.close(),
  }
}
