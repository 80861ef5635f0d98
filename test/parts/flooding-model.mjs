import { createServer } from 'node:http'
import { parentPort } from 'node:worker_threads'

// A model in a thread of its own that never ends its answer: single words on the wire of Chat Completions, as fast as they are
// taken. Titles, which are asked for without a stream of tools, are answered with nothing.
const frame = (/** @type {object} */ fields) =>
  `data: ${JSON.stringify({ id: 'flood', object: 'chat.completion.chunk', created: 1, model: 'scripted', ...fields })}\n\n`
const WORDS = frame({ choices: [{ index: 0, delta: { content: 'word ' }, finish_reason: null }] }).repeat(100)
const END = frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })

const server = createServer(async (request, reply) => {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += chunk
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  if (!JSON.parse(body).tools?.length) return void reply.end(`${END}data: [DONE]\n\n`)
  const pour = () => {
    while (!reply.destroyed && reply.write(WORDS));
  }
  reply.on('drain', pour)
  pour()
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : undefined)
})
