import { once } from 'node:events'
import { createServer } from 'node:http'
import express from 'express'
import { WebSocketServer } from 'ws'

// A server that does nothing but answer, in a process of its own: `/health`, and a socket on which it sends as many frames
// of as many bytes as the address says. Tells its port, then ends with its parent.
const app = express()
app.get('/health', (_request, response) => void response.json({ status: 'ok' }))
const server = createServer(app)

/** As much as may wait in memory for a reader. */
const HIGH_WATER = 2 ** 20

new WebSocketServer({ server }).on('connection', async (socket, request) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const frame = 'x'.repeat(Number(searchParams.get('bytes')))
  for (let left = Number(searchParams.get('frames')); left > 0; left--) {
    socket.send(frame)
    while (socket.bufferedAmount > HIGH_WATER) await new Promise(resolve => setImmediate(resolve))
  }
})

server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
process.send?.(typeof address === 'object' ? address?.port : undefined)
process.on('disconnect', () => process.exit())
