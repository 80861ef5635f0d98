import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect as connectTo } from 'node:net'
import pino from 'pino'
import { afterEach, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createGuard } from '../../server/http/core/guard.ts'
import { RequestGate } from '../../server/http/core/request-gate.ts'
import { serveSockets } from '../../server/http/sockets/socket-server.ts'

const guard = createGuard({ allowedOrigins: [], isKey: () => true })
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

async function openPort(): Promise<number> {
  const server = createServer()
  closers.push(() => server.close())
  const sockets = serveSockets<true>(server, {
    gate: new RequestGate({ guard, maxSockets: 2 }),
    admit: () => true,
    find: () => socket => socket.send('welcome'),
    log: pino({ level: 'silent' }),
  })
  closers.push(() => sockets.close())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

it.each(['//', '///', '//[', '/\\\\'])('an upgrade to %s, which any page may ask for, ends no service', async path => {
  const port = await openPort()
  const socket = connectTo(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  expect(String(answer)).toContain('404 Not Found')
})

it('a socket too many is refused, and let in when another has gone', async () => {
  const port = await openPort()
  const connect = () => new WebSocket(`ws://127.0.0.1:${port}/`, { headers: { 'X-Session-API-Key': 'any' } })
  const first = connect()
  const second = connect()
  await Promise.all([once(first, 'message'), once(second, 'message')])
  const [refusal] = await once(connect(), 'error')
  expect(String(refusal)).toContain('503')
  first.close()
  await once(first, 'close')
  await expect
    .poll(async () => {
      const third = connect()
      return Promise.race([once(third, 'message'), once(third, 'error')]).then(([what]) => String(what))
    })
    .toBe('welcome')
})
