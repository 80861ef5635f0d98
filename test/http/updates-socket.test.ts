import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { Bus } from '../../server/bus.ts'
import { BOUNDS } from '../../server/domain/bounds.ts'
import { serveUpdates } from '../../server/http/sockets/updates-socket.ts'
import { UPGRADE } from '../parts/client/raw-http.ts'

it('a client that never reads what changed is closed, not kept in memory', async () => {
  const bus = new Bus()
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write(['GET / HTTP/1.1', 'Host: localhost', ...UPGRADE, '', ''].join('\r\n'))
  const [socket] = (await once(server, 'connection')) as [WebSocket]
  client.pause()
  serveUpdates(socket, bus)
  for (let sent = 0; sent < 400_000; sent++) {
    bus.publish({ resource: 'conversation', id: '0'.repeat(32) })
    if (sent % 1000 === 0) await new Promise(resolve => setImmediate(resolve))
  }
  expect(socket.readyState).not.toBe(socket.OPEN)
  expect(socket.bufferedAmount).toBeLessThan(BOUNDS.unsentBytes.limit * 1.1)
  client.destroy()
  socket.terminate()
  server.close()
})
