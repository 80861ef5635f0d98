import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GitServer } from '../parts/git-server.ts'
import { FakeDeviceFlow } from './device-flow.ts'
import { answerData } from './git-provider-data.ts'
import { FakePullRequests } from './pull-requests.ts'

interface ProviderRequest {
  path: string
  authorization: string | undefined
}

/** What the provider's API does with a request. */
export type Mood = 'well' | 'down' | 'rate-limited' | 'silent' | 'web page' | 'redirecting'

export interface FakeGitProvider {
  /** As a host to store with a token. */
  address: string
  port: number
  requests: ProviderRequest[]
  /** Of the lists that were answered. */
  statuses: number[]
  mood: Mood
  /** The only API that is there; null is both. */
  only: 'github' | 'gitlab' | null
  /** Sent in the mood `rate-limited`, where it is not null. */
  retryAfter: string | null
  /** The Authorization headers that are somebody's. */
  accepted: Set<string>
  pullRequests: FakePullRequests
  signIns: FakeDeviceFlow
  close(): Promise<void>
}

const APIS = { github: '/api/v3/', gitlab: '/api/v4/' } as const
const SIGN_IN = /^\/(?:login|oauth)\//

const USERS: Record<string, object> = {
  '/api/v3/user': { id: 1, login: 'octocat' },
  '/api/v4/user': { id: 1, username: 'tanuki' },
  '/2.0/user': { uuid: '{1}', display_name: 'A Person' },
}

/** The API of GitHub Enterprise and GitLab, and who the user is at Bitbucket; every other path is a repository of `git`, if given. */
export async function startGitProvider(git?: GitServer): Promise<FakeGitProvider> {
  const server = createServer((request, reply) => {
    const path = request.url ?? '/'
    if (provider.only && path.startsWith('/api/') && !path.startsWith(APIS[provider.only])) {
      return void json(reply, 404, { message: 'Not Found' })
    }
    const user = USERS[path]
    if (request.method === 'POST' && SIGN_IN.test(path)) return void answerSignIn(request, reply, path)
    if (path.startsWith('/logs/')) return answerLog(request, reply, path)
    if (!user && path.startsWith('/api/')) return void answerList(request, reply, path)
    if (!user) return git ? pass(request, reply, git) : void reply.writeHead(404).end()
    provider.requests.push({ path, authorization: request.headers.authorization })
    answer(request, reply, user)
  })
  const answerSignIn = async (request: IncomingMessage, reply: ServerResponse, path: string) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const answered = provider.mood === 'well' ? provider.signIns.answer(path, Buffer.concat(chunks).toString()) : null
    if (answered) json(reply, answered.status, answered.body)
    else answer(request, reply, {})
  }
  const answerList = async (request: IncomingMessage, reply: ServerResponse, path: string) => {
    provider.requests.push({ path, authorization: request.headers.authorization })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const authorization = request.headers.authorization ?? ''
    if (provider.mood !== 'well' || !provider.accepted.has(authorization)) return answer(request, reply, {})
    const url = new URL(path, provider.address)
    if (url.pathname === '/api/v3/repos/octocat/renamed') {
      return void reply.writeHead(301, { location: '/api/v3/repos/octocat/hello' }).end()
    }
    const body = Buffer.concat(chunks).toString()
    const pulled = provider.pullRequests.answer(request.method ?? 'GET', url, body)
    if (typeof pulled?.body === 'string')
      return void reply.writeHead(200, { 'content-type': 'text/plain' }).end(pulled.body)
    if (pulled?.location) reply.setHeader('location', pulled.location)
    if (pulled) return void json(reply, pulled.status, pulled.body as object)
    const data = answerData({ url, body, headers: request.headers })
    if (!data) return void json(reply, 404, { message: 'Not Found' })
    provider.statuses.push(data.status)
    reply.writeHead(data.status, data.headers).end(data.body)
  }
  /** The address of a log is secret itself; a storage that gets a token beside it refuses. */
  const answerLog = (request: IncomingMessage, reply: ServerResponse, path: string) => {
    provider.requests.push({ path, authorization: request.headers.authorization })
    const log = provider.pullRequests.answer('GET', new URL(path, provider.address), '')
    const isRefused = request.headers.authorization !== undefined
    reply.writeHead(isRefused ? 400 : (log?.status ?? 404), { 'content-type': 'text/plain' })
    reply.end(isRefused ? 'InvalidAuthenticationInfo' : String(log?.body ?? ''))
  }
  const answer = (request: IncomingMessage, reply: ServerResponse, user: object) => {
    const authorization = request.headers.authorization ?? ''
    const known = provider.accepted.has(authorization)
    if (authorization === 'Bearer token-without-rights') {
      return void json(reply, 403, { message: 'Resource not accessible' })
    }
    if (authorization === 'Bearer token-asked-too-often') {
      return void json(reply.setHeader('retry-after', '600'), 429, { message: 'Slow down' })
    }
    switch (provider.mood) {
      case 'well':
        return void json(reply, known ? 200 : 401, known ? user : { message: 'Bad credentials' })
      case 'down':
        return void json(reply, 502, { message: 'Bad gateway' })
      case 'rate-limited':
        if (provider.retryAfter !== null) reply.setHeader('retry-after', provider.retryAfter)
        return void json(reply.setHeader('x-ratelimit-remaining', '0'), 403, { message: 'Slow down' })
      case 'web page':
        return void reply.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in to this network</h1>')
      case 'redirecting':
        return void reply.writeHead(302, { location: `http://127.0.0.1:${port}/stolen` }).end()
      case 'silent':
        return
    }
  }
  await new Promise<void>(resolve => server.listen(0, '0.0.0.0', resolve))
  const { port } = server.address() as AddressInfo
  const accepted = new Set<string>()
  const provider: FakeGitProvider = {
    address: `http://localhost:${port}`,
    port,
    requests: [],
    statuses: [],
    mood: 'well',
    only: null,
    retryAfter: null,
    accepted,
    signIns: new FakeDeviceFlow(() => provider.address, accepted),
    pullRequests: new FakePullRequests(() => provider.address),
    close: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return provider
}

function json(reply: ServerResponse, status: number, body: object): ServerResponse {
  return reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function pass(request: IncomingMessage, reply: ServerResponse, git: GitServer): void {
  const { method, headers, url } = request
  const onward = forward({ port: git.port, method, headers, path: url }, answer => {
    reply.writeHead(answer.statusCode ?? 500, answer.headers)
    answer.pipe(reply)
  })
  onward.on('error', () => reply.destroy())
  request.pipe(onward)
}
