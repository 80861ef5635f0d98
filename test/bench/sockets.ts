import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import express from 'express'
import { WebSocket, WebSocketServer } from 'ws'
import { sendMessage } from '../../server/api/v1/conversation/conversations.ts'
import { projectFolder } from '../parts/project-folder.ts'
import { startTestService, type TestService } from '../parts/service/service.ts'
import { aConversation, openStore } from '../parts/service/store.ts'
import { compare, interleave, type Row, row } from './process/measure.ts'

/** As many as one conversation takes on each port. */
const SOCKETS_A_PORT = 50
const MESSAGES = 400
const MARK = 'message-'
const LAST = 'That was all'
const RECONNECTS = 1000
const AT_ONCE = 20

/** One conversation with many who watch it, and with those who come and go. */
export default async function measure(): Promise<Row[]> {
  const { service, id } = await serviceWithConversation()
  const urls = [service.url, service.service.gatewayUrl].map(url => `${url.replace('http', 'ws')}/sockets/events/${id}`)
  const rows = await broadcast(service, id, urls)
  await service.client.call(sendMessage, { params: { conversation_id: id }, body: message(LAST) })
  rows.push(...(await reconnect(service, urls[0] ?? '')))
  await service.close()
  return rows
}

/** From before a message is stored until the last of all sockets has it, against a server that only passes it on. */
async function broadcast(service: TestService, id: string, urls: readonly string[]): Promise<Row[]> {
  const bare = await startBareBroadcast()
  const clients = {
    atelier: await connect(urls, service.key),
    bare: await connect([bare.socketUrl, bare.socketUrl], service.key),
  }
  let sent = 0
  const text = () => `${MARK}${++sent}`
  const samples = await interleave(
    {
      atelier: () =>
        clients.atelier.receive(() =>
          service.client.call(sendMessage, { params: { conversation_id: id }, body: message(text()) }),
        ),
      bare: () => clients.bare.receive(() => bare.send(message(text()))),
    },
    { warmUps: 50, runs: MESSAGES },
  )
  await Promise.all([clients.atelier.close(), clients.bare.close(), bare.close()])
  const what = `Message until the last of ${urls.length * SOCKETS_A_PORT} sockets has it`
  return [compare(what, samples), compare(`${what}, p99`, samples, { share: 0.99, aim: { kind: 'value', atMost: 25 } })]
}

function message(text: string) {
  return { role: 'user' as const, content: [{ type: 'text' as const, text }], run: false }
}

/** As many sockets on each of the addresses as one conversation takes. */
async function connect(urls: readonly string[], key: string) {
  const headers = { 'X-Session-API-Key': key }
  const all = urls.flatMap(url => Array.from({ length: SOCKETS_A_PORT }, () => url))
  const worker = new Worker(join(projectFolder, 'test/bench/process/socket-clients.mjs'), {
    workerData: { urls: all, headers, mark: `"text":"${MARK}` },
  })
  await once(worker, 'message')
  /** Milliseconds from before the sending until the last socket has it. */
  const receive = async (send: () => Promise<unknown>) => {
    const told = once(worker, 'message')
    const started = process.hrtime.bigint()
    const [[at]] = await Promise.all([told, send()])
    return Number(at - started) / 1e6
  }
  return { receive, close: () => worker.terminate() }
}

/** The same message over HTTP, passed on as it is: nothing is checked, stored or made for anybody. */
async function startBareBroadcast() {
  const app = express()
  const server = createServer(app)
  const sockets = new WebSocketServer({ server })
  app.post('/', express.json(), (request, response) => {
    const frame = JSON.stringify(request.body)
    for (const socket of sockets.clients) socket.send(frame)
    response.json({ success: true })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    socketUrl: `ws://127.0.0.1:${port}`,
    send: (body: unknown) =>
      fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(response => response.text()),
    close: async () => {
      for (const socket of sockets.clients) socket.terminate()
      sockets.close()
      server.close()
    },
  }
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
    if (text.includes(LAST)) seen()
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
