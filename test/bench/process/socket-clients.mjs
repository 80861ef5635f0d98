import { parentPort, workerData } from 'node:worker_threads'
import { WebSocket } from 'ws'

// Sockets in a thread of their own, as other programs are: what they take for reading is not the service's time.
// Posts 'ready' when all are connected, then for each message of the script the moment when the last socket had it.
const { urls, headers, mark } = workerData
let received = 0

const sockets = urls.map((/** @type {string} */ url) => new WebSocket(url, { headers }))
for (const socket of sockets) {
  socket.on('message', (/** @type {Buffer} */ data) => {
    if (!data.includes(mark) || ++received < sockets.length) return
    received = 0
    parentPort?.postMessage(process.hrtime.bigint())
  })
}
await Promise.all(
  sockets.map(
    (/** @type {WebSocket} */ socket) =>
      new Promise((resolve, reject) => {
        socket.once('open', resolve)
        socket.once('error', reject)
      }),
  ),
)
parentPort?.postMessage('ready')
