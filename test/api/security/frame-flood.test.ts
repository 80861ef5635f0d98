import { rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOUNDS } from '../../../server/domain/bounds.ts'
import { startConversation } from '../../parts/client/conversation.ts'
import { open, UPGRADE } from '../../parts/client/raw-http.ts'
import { removeSandboxesOf } from '../../parts/engine/containers.ts'
import { turnsDuring } from '../../parts/loop-turns.ts'
import { type Headless, startHeadless } from '../../parts/service/headless.ts'
import { slowness } from '../../parts/value/slowness.ts'

const FRAMES = 200_000
/** The longest turn of the event loop, in processor time. */
const MAX_BLOCK_MS = 50
const TEXT = 0x81

let service: Headless
let id: string

beforeAll(async () => {
  service = await startHeadless({ preload: join(import.meta.dirname, '../../parts/service/loop-monitor.mjs') })
  id = (await startConversation(service, {})).app_conversation_id ?? ''
})

afterAll(async () => {
  await service?.end('SIGTERM')
  if (!service) return
  await removeSandboxesOf(service.dataDir)
  rmSync(service.dataDir, { recursive: true, force: true })
})

/** A text frame of a client: https://www.rfc-editor.org/rfc/rfc6455#section-5.2 */
function frame(text: string): Buffer {
  const content = Buffer.from(text)
  const length = content.length < 126 ? [0x80 | content.length] : [0xfe, content.length >> 8, content.length & 0xff]
  return Buffer.concat([Buffer.from([TEXT, ...length, 0, 0, 0, 0]), content])
}

/** A WebSocket that is opened and then written to as fast as it takes it, and never read. */
async function flood(path: string, first: readonly string[], flooding: string): Promise<void> {
  const socket = open(service.url)
  const opened = untilOpen(socket)
  const { host } = new URL(service.url)
  socket.write([`GET ${path} HTTP/1.1`, `Host: ${host}`, ...UPGRADE, '', ''].join('\r\n'))
  await opened
  socket.pause()
  for (const text of first) socket.write(frame(text))
  const chunk = Buffer.concat(Array(1000).fill(frame(flooding)))
  for (let sent = 0; sent < FRAMES && !socket.destroyed; sent += 1000) {
    if (!socket.write(chunk)) await drainedOrClosed(socket)
  }
  socket.destroy()
}

async function untilOpen(socket: Socket): Promise<void> {
  const [head] = await new Promise<[Buffer]>(resolve => socket.once('data', data => resolve([data])))
  expect(String(head)).toContain('101 Switching Protocols')
}

/** Who reads no more has closed too. */
function drainedOrClosed(socket: Socket): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(() => socket.destroy(), 3000)
    const end = () => {
      clearTimeout(timer)
      socket.off('drain', end)
      socket.off('close', end)
      resolve()
    }
    socket.on('drain', end)
    socket.on('close', end)
  })
}

const legacy = '/socket.io/?EIO=4&transport=websocket'
const floods = [
  ['greetings of a legacy client without a key', () => legacy, [], '40'],
  ['greetings to a namespace that is not there', () => legacy, [], '40/nowhere,'],
  [
    'legacy actions that are none',
    () => `${legacy}&session_api_key=${service.key}&conversation_id=${id}`,
    ['40'],
    '42["oh_user_action",1]',
  ],
  ['frames that are no JSON', () => `/sockets/events/${id}?session_api_key=${service.key}`, [], 'x'],
] as const

it.each(floods)('a flood of %s holds up nobody', { timeout: 60_000 }, async (_what, path, first, flooding) => {
  const { longest } = await turnsDuring(service, () => flood(path(), first, flooding))
  if (process.env.SHOW) console.log(longest.map(Math.round))
  expect(longest[0]).toBeLessThan(MAX_BLOCK_MS * slowness())
  expect((await fetch(`${service.url}/api/v1/system`, { headers: { 'X-Session-API-Key': service.key } })).status).toBe(
    200,
  )
})

it('a body of long polling without a key is small, however many packets it could hold', async () => {
  const address = `${service.url}/socket.io/?EIO=4&transport=polling`
  const { sid } = JSON.parse((await (await fetch(address)).text()).slice(1))
  const body = '40\x1e'.repeat(BOUNDS.strangersFrame.limit)
  const { longest } = await turnsDuring(service, async () => {
    const reply = await fetch(`${address}&sid=${sid}`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'text/plain' },
    })
    expect(reply.status).toBe(413)
  })
  expect(longest[0]).toBeLessThan(MAX_BLOCK_MS * slowness())
})
