import { once } from 'node:events'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** `fetch` forbids the headers that tests of the front door are about. */
export function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent: false }, response => {
      text(response).then(
        body => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
        reject,
      )
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** As written, on a connection of its own; the first bytes that come back. */
export async function sendRaw(url: string, lines: readonly string[]): Promise<string> {
  const socket = open(url)
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return String(answer)
}

export function open(url: string): Socket {
  const { port } = new URL(url)
  return connect(Number(port), '127.0.0.1').on('error', () => {})
}

export const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  `Sec-WebSocket-Key: ${'A'.repeat(22)}==`,
]
export const PATHS = [
  '/',
  '/docs',
  '/openapi.json',
  '/alive',
  '/health',
  '/api/v1/system',
  '/api/tools/',
  '/mcp',
  '/nothing',
  '/assets/x.js',
]
export const POLLING = '/socket.io/?EIO=4&transport=polling'
export const SOCKETS = [
  '/sockets/updates',
  `/sockets/events/${'0'.repeat(32)}`,
  '/sockets/bash-events',
  '/socket.io/?EIO=4&transport=websocket',
]

export async function untilSeen(socket: Socket, wanted: string): Promise<void> {
  let seen = ''
  for await (const chunk of socket) {
    seen = seen.slice(-wanted.length) + String(chunk)
    if (seen.includes(wanted)) return
  }
  throw new Error(`The connection ended without "${wanted}".`)
}
