import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { TITLE_PROMPT } from '../../server/agent/title.ts'
import { ANSWER_LIMITS } from '../../server/outbound/limits.ts'
import { outbound } from '../parts/outbound.ts'
import { anthropic } from './model-server/anthropic.ts'
import { gemini } from './model-server/gemini.ts'
import { openai } from './model-server/openai.ts'
import { responses } from './model-server/responses.ts'
import {
  type Answer,
  STATUS_FAULTS,
  type StatusFault,
  type Turn,
  type Wire,
  type WireName,
} from './model-server/turn.ts'

/** What the model was asked, as parsed from the wire. */
export interface ModelRequest {
  wire: WireName
  path: string
  model: string
  stream: boolean
  headers: Record<string, string | string[] | undefined>
  // Tests look into it freely.
  // biome-ignore lint/suspicious/noExplicitAny: the body has another shape for each provider
  body: any
  /** Resolves when the connection of this request is over, whoever ended it. */
  closed: Promise<void>
}

/** Turns are used in order, one a request; a function decides itself and may wait. */
export type Script = Turn[] | ((request: ModelRequest, index: number) => Turn | Promise<Turn>)

export interface ModelServer {
  /** Host and port only; also the Ollama lookalike (`/api/tags`). */
  origin: string
  port: number
  /** Base URLs to configure, by provider. */
  url: Record<WireName, string>
  /** Model requests so far, oldest first. */
  requests: ModelRequest[]
  /** Resolves with the request of that index once it has arrived. */
  request: (index: number) => Promise<ModelRequest>
  setScript: (script: Script) => void
  /** Requests for titles so far: they are answered apart from the script. */
  titleRequests: ModelRequest[]
  /** How titles are answered; until then with nothing, for nothing, so that the first line stays. */
  setTitles: (answer: (request: ModelRequest) => Turn | Promise<Turn>) => void
  /** A `fetch` for which this server is every public address of a provider. */
  fetch: typeof globalThis.fetch
  close: () => Promise<void>
}

const modelFetch = outbound.fetch({ namedBy: 'person', limits: ANSWER_LIMITS.model })

const WIRES: Record<WireName, Wire> = { openai, responses, anthropic, gemini }

/** A model on 127.0.0.1 that answers by script, in the wire formats of OpenAI (Chat Completions and Responses), Anthropic and Gemini. */
export async function startModelServer(
  options: { script?: Script; models?: string[]; port?: number } = {},
): Promise<ModelServer> {
  let script = options.script ?? []
  let used = 0
  let title: (request: ModelRequest) => Turn | Promise<Turn> = () => NO_TITLE
  const requests: ModelRequest[] = []
  const titleRequests: ModelRequest[] = []
  const waiting: { index: number; resolve: (request: ModelRequest) => void }[] = []
  const models = options.models ?? ['scripted']

  async function answer(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    if (incoming.method === 'GET') return list(incoming, reply, models)
    const request = await read(incoming, reply)
    if (!request) return json(reply, 404, '404 page not found')
    if (asksForTitle(request)) {
      const index = titleRequests.push(request)
      return perform(await title(request), request, reply, `title-${index}`)
    }
    requests.push(request)
    for (const waiter of waiting) if (waiter.index === requests.length - 1) waiter.resolve(request)
    await perform(await nextTurn(request), request, reply, `answer-${requests.length}`)
  }

  async function nextTurn(request: ModelRequest): Promise<Turn> {
    if (typeof script === 'function') return script(request, used++)
    const turn = script[used++]
    if (!turn) throw new Error(`The script has no turn ${used}`)
    return turn
  }

  const server = createServer((incoming, reply) => {
    answer(incoming, reply).catch(error => {
      // 400, so that no client tries a broken script again.
      if (!reply.headersSent) json(reply, 400, { error: { message: String(error), type: 'script_error', code: null } })
      else reply.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    port,
    url: { openai: `${origin}/v1`, responses: `${origin}/v1`, anthropic: `${origin}/v1`, gemini: `${origin}/v1beta` },
    requests,
    titleRequests,
    setTitles: answer => {
      title = answer
    },
    request: index =>
      new Promise(resolve => {
        const existing = requests[index]
        if (existing) resolve(existing)
        else waiting.push({ index, resolve })
      }),
    setScript: next => {
      script = next
      used = 0
    },
    fetch: (url, init) => {
      const { pathname, search } = new URL(String(url))
      return modelFetch(`${origin}${pathname}${search}`, init)
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close(error => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

const NO_TITLE: Turn = { usage: { input: 0, output: 0 }, cost: 0 }

function asksForTitle({ body }: ModelRequest): boolean {
  return JSON.stringify(body).includes(JSON.stringify(TITLE_PROMPT).slice(1, -1))
}

function list(incoming: IncomingMessage, reply: ServerResponse, models: string[]): void {
  const lists: Record<string, object> = {
    '/api/tags': { models: models.map(name => ({ name, model: name })) },
    '/v1/models': { object: 'list', data: models.map(id => ({ id, object: 'model', owned_by: 'me' })) },
  }
  const found = lists[incoming.url ?? '']
  json(reply, found ? 200 : 404, found ?? { error: { message: 'No such path', type: 'invalid_request_error' } })
}

async function read(incoming: IncomingMessage, reply: ServerResponse): Promise<ModelRequest | undefined> {
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk
  const path = new URL(incoming.url ?? '/', 'http://localhost').pathname
  const closed = new Promise<void>(resolve => reply.once('close', resolve))
  const common = { path, headers: incoming.headers, closed }
  const body = text === '' ? {} : JSON.parse(text)
  if (path === '/v1/chat/completions') {
    return { ...common, wire: 'openai', model: body.model, stream: body.stream === true, body }
  }
  if (path === '/v1/responses') {
    return { ...common, wire: 'responses', model: body.model, stream: body.stream === true, body }
  }
  if (path === '/v1/messages') {
    return { ...common, wire: 'anthropic', model: body.model, stream: body.stream === true, body }
  }
  const match = /^\/v1beta\/models\/([^:]+):(streamGenerateContent|generateContent)$/.exec(path)
  if (!match?.[1]) return undefined
  return { ...common, wire: 'gemini', model: match[1], stream: match[2] === 'streamGenerateContent', body }
}

async function perform(turn: Turn, request: ModelRequest, reply: ServerResponse, id: string): Promise<void> {
  const wire = WIRES[request.wire]
  const answer: Answer = { id, model: request.model }
  if (turn.delayMs) await delay(turn.delayMs)
  if (turn.fault === 'hang') return
  if (turn.fault === 'refused') return void reply.destroy()
  if (isStatusFault(turn.fault)) {
    const { status, body } = wire.error(turn.fault, { model: request.model, key: keyOf(request) })
    if (turn.retryAfter !== undefined) reply.setHeader('retry-after', String(turn.retryAfter))
    return json(reply, status, body)
  }
  if (turn.refusal) return json(reply, turn.refusal.status, wire.refused(turn.refusal.status, turn.refusal.message))
  if (turn.cost !== undefined) reply.setHeader('x-litellm-response-cost', String(turn.cost))
  const said = turn.fault === 'empty' ? { usage: { output: 0 } } : turn
  if (turn.body) return json(reply, 200, turn.body)
  if (!request.stream || turn.unstreamed) return json(reply, 200, wire.whole(said, answer))
  await stream(turn, wire, wire.frames(said, answer), reply)
}

async function stream(turn: Turn, wire: Wire, frames: string[], reply: ServerResponse): Promise<void> {
  const faulty = turn.fault !== undefined && turn.fault !== 'empty'
  reply.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  const half = Math.ceil(frames.length / 2)
  for (const [index, frame] of (faulty ? frames.slice(0, half) : frames).entries()) {
    if (reply.destroyed) return
    if (index === half) await turn.halfway
    reply.write(frame)
    if (turn.chunkDelayMs) await delay(turn.chunkDelayMs)
  }
  if (turn.fault === 'hang-in-stream') return
  if (turn.fault === 'disconnected') return afterFlush(reply, () => reply.destroy())
  if (turn.fault === 'malformed') reply.write('data: {"choices": [{"delta"\n\n')
  if (turn.fault === 'error-frame') reply.write(wire.errorFrame)
  reply.end()
}

function afterFlush(reply: ServerResponse, act: () => void): void {
  reply.write(': the connection drops here\n\n', () => setImmediate(act))
}

function isStatusFault(fault: Turn['fault']): fault is StatusFault {
  return STATUS_FAULTS.some(name => name === fault)
}

/** Error bodies repeat the key, as careless gateways do. */
function keyOf(request: ModelRequest): string {
  const { authorization, 'x-api-key': anthropicKey, 'x-goog-api-key': googleKey } = request.headers
  return String(anthropicKey ?? googleKey ?? authorization ?? '').replace(/^Bearer /, '')
}

function json(reply: ServerResponse, status: number, body: unknown): void {
  const html = typeof body === 'string'
  reply.writeHead(status, { 'content-type': html ? 'text/html' : 'application/json' })
  reply.end(html ? body : JSON.stringify(body))
}
