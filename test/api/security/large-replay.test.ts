import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startReplay } from '../../../server/api/v1/conversation/replays.ts'
import { turnsDuring } from '../../parts/loop-turns.ts'
import { type Headless, startHeadless } from '../../parts/service/headless.ts'
import { slowness } from '../../parts/value/slowness.ts'

const EVENTS = 50_000
/** The longest turn of the event loop, in processor time: JSON of 5 MB is read in one. All of it at once takes seconds. */
const MAX_BLOCK_MS = 250

let service: Headless

beforeAll(async () => {
  service = await startHeadless({
    preload: join(import.meta.dirname, '../../parts/service/loop-monitor.mjs'),
    env: { DOCKER_HOST: 'unix:///nowhere.sock' },
  })
})
afterAll(async () => {
  await service?.end('SIGTERM')
  if (service) rmSync(service.dataDir, { recursive: true, force: true })
})

const legacy = (index: number) => ({
  id: index,
  source: index === 0 ? 'user' : 'agent',
  action: 'message',
  args: { content: `Message ${index}` },
})
const newer = (index: number) => ({
  kind: 'MessageEvent',
  source: index === 0 ? 'user' : 'agent',
  llm_message: { role: index === 0 ? 'user' : 'assistant', content: [{ type: 'text', text: `${index}` }] },
})

it.each([
  ['older', legacy],
  ['newer', newer],
])('a replay of 50,000 events of the %s generation holds up nobody', async (_, eventOf) => {
  const events = Array.from({ length: EVENTS }, (_item, index) => eventOf(index))
  const { longest } = await turnsDuring(service, () => service.client.call(startReplay, { body: { events } }))
  if (process.env.SHOW) console.log(longest.map(Math.round))
  expect(longest[0]).toBeLessThan(MAX_BLOCK_MS * slowness())
})
