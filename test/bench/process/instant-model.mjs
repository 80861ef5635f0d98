import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

// A model in a thread of its own that answers each conversation by the script that bears its model's name, in the wire format
// of Chat Completions. It tells when a request came and when its answer was out: what lies between an answer and the next
// request is what the agent takes for itself. It does not look at the conversation.
/** @type {{scripts: Record<string, {calls: object[], thinkMs: number}>}} */
const { scripts } = workerData
/** @type {Map<string, {step: number, answeredAt: bigint, pauses: number[]}>} */
const talks = new Map()

const server = createServer(async (request, reply) => {
  const at = process.hrtime.bigint()
  const [beginning] = await once(request, 'data')
  const name = /"model":"([^"]+)"/.exec(String(beginning.subarray(0, 200)))?.[1] ?? ''
  const script = scripts[name]
  for await (const _ of request);
  if (!script) return void reply.writeHead(404).end()
  const talk = talks.get(name) ?? { step: 0, answeredAt: 0n, pauses: [] }
  talks.set(name, talk)
  if (talk.answeredAt > 0n) talk.pauses.push(Number(at - talk.answeredAt) / 1e6)
  const call = script.calls[talk.step++] ?? { name: 'finish', arguments: '{"message":"Done."}' }
  if (script.thinkMs > 0) await delay(script.thinkMs)
  reply.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.end(frames(talk.step, call), () => {
    talk.answeredAt = process.hrtime.bigint()
  })
})

/** @param {number} step @param {object} call */
function frames(step, call) {
  const id = `answer-${step}`
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }
  const chunk = (/** @type {object[]} */ choices, rest = {}) =>
    `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', created: 1, model: 'scripted', choices, ...rest })}\n\n`
  const tool_calls = [{ index: 0, id: `call-${step}`, type: 'function', function: call }]
  return [
    chunk([{ index: 0, delta: { role: 'assistant', tool_calls }, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: 'tool_calls' }]),
    chunk([], { usage }),
    'data: [DONE]\n\n',
  ].join('')
}

// Asked for the pauses of a script, which begins anew with that.
parentPort?.on('message', name => {
  parentPort?.postMessage(talks.get(name)?.pauses ?? [])
  talks.delete(name)
})

server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  parentPort?.postMessage(typeof address === 'object' ? address?.port : undefined)
})
