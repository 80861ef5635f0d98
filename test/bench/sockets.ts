import { readdirSync } from 'node:fs'
import { WebSocket } from 'ws'
import { sendMessage } from '../../server/api/app-conversations.ts'
import { startTestService, type TestService } from '../parts/service.ts'
import { aConversation, openStore } from '../parts/store.ts'
import { quantile, type Row, row } from './measure.ts'

/** As many as one conversation takes on each port. */
const SOCKETS_A_PORT = 50
const MESSAGES = 300
const RECONNECTS = 1000
const AT_ONCE = 20

/** One conversation with many who watch it, and with those who come and go. */
export default async function measure(): Promise<Row[]> {
  const { service, id } = await serviceWithConversation()
  const urls = [service.url, service.service.gatewayUrl].map(url => `${url.replace('http', 'ws')}/sockets/events/${id}`)
  const rows = [await broadcast(service, id, urls), ...(await reconnect(service, urls[0] ?? ''))]
  await service.close()
  return rows
}

/** From before a message is stored until the last of all sockets has it. */
async function broadcast(service: TestService, id: string, urls: readonly string[]): Promise<Row> {
  const counts: number[] = []
  let told = () => {}
  const sockets = await Promise.all(
    urls.flatMap(url =>
      Array.from({ length: SOCKETS_A_PORT }, async (_, index) => {
        const place = counts.push(0) - 1
        return open(url, service.key, text => {
          if (!text.includes(`"message-`)) return
          counts[place] = (counts[place] ?? 0) + 1
          told()
        }).catch(cause => Promise.reject(new Error(`Socket ${index} failed.`, { cause })))
      }),
    ),
  )
  const latencies: number[] = []
  for (let sent = 1; sent <= MESSAGES; sent++) {
    const all = new Promise<void>(resolve => {
      told = () => {
        if (counts.every(count => count === sent)) resolve()
      }
    })
    const started = performance.now()
    const body = { role: 'user' as const, content: [{ type: 'text' as const, text: `message-${sent}` }], run: false }
    const sending = service.client.call(sendMessage, { params: { conversation_id: id }, body })
    await all
    latencies.push(performance.now() - started)
    await sending
  }
  for (const socket of sockets) socket.terminate()
  return row({
    what: `Message until the last of ${sockets.length} sockets has it, p99`,
    unit: 'ms',
    atelier: quantile(latencies, 0.99),
    bare: null,
    runs: MESSAGES,
    aim: { kind: 'value', atMost: 25 },
  })
}

/** What the process holds more after clients came, read everything and went than it held before. */
async function reconnect(service: TestService, url: string): Promise<Row[]> {
  await comeAndGo(service, url, RECONNECTS)
  const before = held()
  await comeAndGo(service, url, RECONNECTS)
  const after = held()
  const shared = { bare: null, runs: RECONNECTS } as const
  return [
    row({
      ...shared,
      what: `Heap more after ${RECONNECTS} reconnects`,
      unit: 'MB',
      atelier: after.heapMb - before.heapMb,
      aim: { kind: 'value', atMost: 2 },
    }),
    row({
      ...shared,
      what: `Descriptors more after ${RECONNECTS} reconnects`,
      unit: 'descriptors',
      atelier: after.descriptors - before.descriptors,
      aim: { kind: 'value', atMost: 0 },
    }),
  ]
}

async function comeAndGo(service: TestService, url: string, times: number): Promise<void> {
  for (let done = 0; done < times; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => visit(service, url)))
}

async function visit(service: TestService, url: string): Promise<void> {
  let seen = () => {}
  const everything = new Promise<void>(resolve => {
    seen = resolve
  })
  const socket = await open(`${url}?after_seq=-1`, service.key, text => {
    if (text.includes(`"message-${MESSAGES}"`)) seen()
  })
  await everything
  const closed = new Promise(resolve => socket.once('close', resolve))
  socket.close()
  await closed
}

function held(): { heapMb: number; descriptors: number } {
  globalThis.gc?.()
  globalThis.gc?.()
  return { heapMb: process.memoryUsage().heapUsed / 2 ** 20, descriptors: readdirSync('/proc/self/fd').length }
}

/** Resolves when the service has let it in, which the first frame says. */
function open(url: string, key: string, onFrame: (text: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(url, { headers: { 'X-Session-API-Key': key } })
  return new Promise((resolve, reject) => {
    socket.on('message', data => {
      onFrame(String(data))
      resolve(socket)
    })
    socket.once('error', reject)
    socket.once('close', code => reject(new Error(`Closed with ${code}.`)))
  })
}

/** The service locks its data folder, so the row is written while it is closed. */
async function serviceWithConversation(): Promise<{ service: TestService; id: string }> {
  const service = await startTestService()
  await service.service.close()
  const store = openStore(service.dataDir)
  const conversation = aConversation()
  store.conversations.insert(conversation)
  store.close()
  await service.restart()
  return { service, id: conversation.id }
}
