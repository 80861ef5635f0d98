import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createGuard } from '../../../server/http/core/guard.ts'
import { closePort, createPort, endArrival, letArriveSlowly, listen } from '../../../server/http/core/port.ts'
import { refuseUpgrade } from '../../../server/http/core/refusal.ts'
import { RequestGate } from '../../../server/http/core/request-gate.ts'

const UPGRADE = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

const clients: Socket[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})

async function openPort(onUpgrade: (socket: import('node:stream').Duplex) => void) {
  const guard = createGuard({ allowedOrigins: [], isKey: () => false })
  const server = createPort((_request, response) => response.end(), {
    gate: new RequestGate({ guard }),
    requestTimeout: 60_000,
  })
  server.on('upgrade', (_request, socket) => onUpgrade(socket))
  const port = await listen(server, 0, 'PORT')
  const dial = async (text: string) => {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    clients.push(client)
    await once(client, 'connect')
    client.write(text)
    return client
  }
  return { server, dial }
}

test('a port closes while clients keep upgraded, silent and half-sent connections open', async () => {
  let upgraded = () => {}
  const isUpgraded = new Promise<void>(resolve => {
    upgraded = resolve
  })
  const { server, dial } = await openPort(() => upgraded())
  await Promise.all([dial(UPGRADE), dial(''), dial('GET / HTTP/1.1\r\nHost:')])
  await isUpgraded
  await closePort(server)
  expect(server.listening).toBe(false)
})

test('a request that does not arrive in its time is ended, unless it was let in to arrive slowly', async () => {
  const slow: import('node:http').IncomingMessage[] = []
  const server = createPort(
    request => {
      if (request.url === '/slow') letArriveSlowly(request)
      slow.push(request)
    },
    { requestTimeout: 300 },
  )
  const port = await listen(server, 0, 'PORT')
  const send = (path: string) => {
    const client = connect({ port, host: '127.0.0.1' })
    clients.push(client)
    client.write(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nhalf`)
    return client
  }
  const patient = send('/slow')
  await expect.poll(() => slow.length).toBe(1)
  const [answer] = await once(send('/usual'), 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 408 /)
  patient.write(' whole')
  await expect.poll(() => slow[0]?.resume().complete).toBe(true)
  await closePort(server)
})

test('what was refused while it came slowly is not read for long', async () => {
  const server = createPort(
    (request, response) => {
      letArriveSlowly(request)
      response.statusCode = 400
      response.end()
      endArrival(request.resume())
    },
    { requestTimeout: 300 },
  )
  const port = await listen(server, 0, 'PORT')
  const client = connect({ port, host: '127.0.0.1' })
  clients.push(client)
  client.on('error', () => {})
  client.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\nhalf')
  const [answer] = await once(client, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 400 /)
  await once(client, 'close')
  await closePort(server)
})

test('the connection of a refused upgrade is gone, though its client never closes its half', async () => {
  const { server, dial } = await openPort(socket =>
    refuseUpgrade(socket, { status: 403, code: 'forbidden', detail: '' }),
  )
  const client = await dial(UPGRADE)
  const [head] = await once(client, 'data')
  expect(String(head)).toContain('403')
  await once(client, 'end')
  await expect.poll(() => connectionCount(server)).toBe(0)
  await closePort(server)
})

function connectionCount(server: import('node:http').Server): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}
