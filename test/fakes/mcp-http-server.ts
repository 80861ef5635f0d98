import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOAuth, type FakeOAuth } from './mcp-oauth.ts'

export type Mood =
  | 'well'
  | 'silent'
  | 'redirecting'
  | 'web page'
  | 'down'
  | 'no JSON'
  | 'endless'
  /** Begins to answer a call and closes the connection. */
  | 'breaks off'

interface SeenRequest {
  path: string
  method: string
  authorization: string | undefined
  key: string | undefined
  rpc: string | undefined
}

export interface FakeMcpServer {
  url: string
  /** The older transport: a stream of events, and posts beside it. */
  sseUrl: string
  requests: SeenRequest[]
  mood: Mood
  /** The Authorization header that is wanted; undefined lets everybody in. */
  wants: string | undefined
  oauth: FakeOAuth
  tools: string[]
  /** Tells who listens that the tools have changed. */
  announce(): void
  /** Forgets its sessions, as after a restart. */
  forgetSessions(): void
  /** Who listens to its stream. */
  listeners(): number
  close(): Promise<void>
}

interface Rpc {
  id?: number | string
  method?: string
  params?: { name?: string; arguments?: Record<string, unknown>; protocolVersion?: string }
}

/** A tool server on the network, by the protocol and not by any library: streamable HTTP at /mcp, events at /sse. */
export async function startMcpServer(tools = ['search', 'fetch']): Promise<FakeMcpServer> {
  const sessions = new Set<string>()
  const streams = new Set<ServerResponse>()
  const posts = new Map<string, ServerResponse>()
  const http = createServer((request, reply) => void serve(request, reply))

  const serve = async (request: IncomingMessage, reply: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', fake.url)
    const body = await textOf(request)
    if (fake.oauth.handle(pathname, request, { reply, body })) return
    const rpc: Rpc = pathname !== '/stolen' && body.startsWith('{') ? JSON.parse(body) : {}
    const { authorization } = request.headers
    const key = request.headers['x-key']
    fake.requests.push({
      path: pathname,
      method: request.method ?? '',
      authorization,
      key: typeof key === 'string' ? key : undefined,
      rpc: rpc.method,
    })
    if (misbehaves(reply)) return
    if (fake.wants !== undefined && authorization !== fake.wants) return void reply.writeHead(401).end()
    if (fake.oauth.refuses(authorization, reply)) return
    if (pathname === '/mcp') return streamable(request, reply, rpc)
    if (pathname === '/sse') return openEvents(reply)
    const events = posts.get(pathname)
    if (!events) return void reply.writeHead(404).end()
    reply.writeHead(202).end()
    if (rpc.id !== undefined) events.write(`event: message\ndata: ${JSON.stringify(answer(rpc))}\n\n`)
  }

  const misbehaves = (reply: ServerResponse): boolean => {
    switch (fake.mood) {
      case 'silent':
        return true
      case 'down':
        return done(reply.writeHead(503))
      case 'web page':
        return done(reply.writeHead(200, { 'content-type': 'text/html' }), '<h1>Welcome</h1>')
      case 'no JSON':
        return done(reply.writeHead(200, { 'content-type': 'application/json' }), '{"jsonrpc": ')
      case 'redirecting':
        return done(reply.writeHead(307, { location: `http://localhost:${port()}/stolen` }))
      case 'endless': {
        reply.writeHead(200, { 'content-type': 'application/json' })
        const more = () => {
          while (!reply.destroyed && reply.write('x'.repeat(65_536)));
        }
        reply.on('drain', more)
        more()
        return true
      }
      default:
        return false
    }
  }

  const streamable = (request: IncomingMessage, reply: ServerResponse, rpc: Rpc) => {
    if (request.method === 'GET') {
      reply.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
      streams.add(reply)
      reply.on('close', () => streams.delete(reply))
      return
    }
    if (request.method === 'DELETE') return void reply.writeHead(200).end()
    const session = request.headers['mcp-session-id']
    if (rpc.method === 'initialize') {
      const id = randomUUID()
      sessions.add(id)
      reply.setHeader('mcp-session-id', id)
    } else if (rpc.method !== 'server/discover' && !sessions.has(String(session)))
      return void reply.writeHead(404).end()
    if (rpc.id === undefined) return void reply.writeHead(202).end()
    if (fake.mood === 'breaks off' && rpc.method === 'tools/call') {
      reply.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n')
      return void setImmediate(() => reply.end())
    }
    if (rpc.method !== 'tools/call') return done(json(reply), JSON.stringify(answer(rpc)))
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.end(`event: message\ndata: ${JSON.stringify(answer(rpc))}\n\n`)
  }

  const openEvents = (reply: ServerResponse) => {
    const path = `/messages/${randomUUID()}`
    posts.set(path, reply)
    streams.add(reply)
    reply.on('close', () => {
      posts.delete(path)
      streams.delete(reply)
    })
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).write(`event: endpoint\ndata: ${path}\n\n`)
  }

  const answer = ({ id, method, params }: Rpc) => {
    const result = (value: object) => ({ jsonrpc: '2.0', id, result: value })
    if (method === 'initialize') {
      const serverInfo = { name: 'http', version: '1' }
      return result({ protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo })
    }
    if (method === 'tools/list')
      return result({ tools: fake.tools.map(name => ({ name, inputSchema: { type: 'object' } })) })
    if (method === 'tools/call') {
      const text = `${params?.name} ${JSON.stringify(params?.arguments ?? {})}`
      return result({ content: [{ type: 'text', text }] })
    }
    return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } }
  }

  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  const port = () => (http.address() as AddressInfo).port
  const base = `http://127.0.0.1:${port()}`
  const fake: FakeMcpServer = {
    url: `${base}/mcp`,
    sseUrl: `${base}/sse`,
    requests: [],
    mood: 'well',
    wants: undefined,
    oauth: createOAuth(base),
    tools,
    announce: () => {
      const change = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      for (const stream of streams) stream.write(`event: message\ndata: ${change}\n\n`)
    },
    forgetSessions: () => sessions.clear(),
    listeners: () => streams.size,
    close: async () => {
      http.closeAllConnections()
      await new Promise(resolve => http.close(resolve))
    },
  }
  return fake
}

function done(reply: ServerResponse, body?: string): true {
  reply.end(body)
  return true
}

function json(reply: ServerResponse): ServerResponse {
  return reply.writeHead(200, { 'content-type': 'application/json' })
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
