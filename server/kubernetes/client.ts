import { setMaxListeners } from 'node:events'
import type { IncomingMessage, RequestOptions } from 'node:http'
import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import type { KubeConfig } from '@kubernetes/client-node'
import { WebSocket } from 'ws'
import { timeLimit } from '../async/time-limit.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import { AppError } from '../domain/errors.ts'
import { ApiFailure, failureOf } from './errors.ts'

/** A request that takes longer is lost: no call but a stream waits for anything in the cluster. */
const REQUEST_MS = 30_000
const CONNECT_MS = 15_000
/** Channels of a process: https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/apimachinery/pkg/util/remotecommand/constants.go */
const EXEC_PROTOCOL = 'v4.channel.k8s.io'
/** A program that gives credentials, and does not say how long they hold, is not run for each request. */
const CREDENTIALS_MS = 60_000
const MAX_ANSWER_BYTES = 64 * 2 ** 20

type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export interface ApiRequest {
  query?: Query | undefined
  body?: object
  /** Absent: JSON. */
  contentType?: string
  signal?: AbortSignal | undefined
}

/** Requests to the API server of one context of a kubeconfig, as who is named there. */
export class ClusterClient {
  readonly endpoint: string
  readonly namespace: string
  readonly #config: KubeConfig
  readonly #closing = new AbortController()
  #credentials: { options: Promise<RequestOptions>; until: number } | undefined
  #agent: http.Agent | undefined
  readonly #sockets = new Set<WebSocket>()
  #received = 0

  constructor(config: KubeConfig, { endpoint, namespace }: { endpoint: string; namespace: string }) {
    this.#config = config
    // Of all connections.
    setMaxListeners(0, this.#closing.signal)
    this.endpoint = endpoint
    this.namespace = namespace
  }

  receivedBytes(): number {
    return this.#received
  }

  /** Of this namespace. */
  path(kind: 'pods' | 'persistentvolumeclaims', name?: string, part?: string): string {
    const more = [name, part].flatMap(each => (each === undefined ? [] : [encodeURIComponent(each)]))
    return ['/api/v1/namespaces', encodeURIComponent(this.namespace), kind, ...more].join('/')
  }

  /** @throws ApiFailure, or what the connection throws */
  async request<T>(method: string, path: string, request: ApiRequest = {}): Promise<T> {
    const late = timeLimit(REQUEST_MS)
    const signal = AbortSignal.any([late, this.#closing.signal, ...(request.signal ? [request.signal] : [])])
    try {
      const response = await this.#send(method, path, { ...request, signal })
      return JSON.parse(await wholeText(response)) as T
    } catch (error) {
      if (late.aborted) throw new ApiFailure(504, 'Timeout', `It has not answered within ${REQUEST_MS / 1000} s.`)
      throw error
    }
  }

  /** An answer that goes on until its reader or the server ends it. Aborting destroys it. */
  async stream(path: string, { query, signal }: Pick<ApiRequest, 'query' | 'signal'>): Promise<IncomingMessage> {
    const ended = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    return this.#send('GET', path, { query, signal: ended })
  }

  /** Resolves with a connection that is open, and paused until its reader listens. @throws ApiFailure where the server refuses it */
  async socket(path: string, query: Query): Promise<WebSocket> {
    const { agent, ...options } = await this.#connection(timeLimit(REQUEST_MS))
    const address = this.#address(path, query)
    address.protocol = address.protocol === 'http:' ? 'ws:' : 'wss:'
    const socket = new WebSocket(address, [EXEC_PROTOCOL], {
      ...(options as object),
      ...(agent && { agent: agent as http.Agent }),
      handshakeTimeout: CONNECT_MS,
      perMessageDeflate: false,
      followRedirects: false,
    })
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    socket.on('message', data => {
      this.#received += (data as Buffer).length
    })
    return new Promise((resolve, reject) => {
      socket.once('open', () => {
        socket.pause()
        resolve(socket)
      })
      socket.on('error', reject)
      socket.once('close', () => reject(connectionLost()))
      socket.once('unexpected-response', (request, response) => {
        if (response.statusCode === 401) this.#forgetCredentials()
        wholeText(response)
          .catch(() => '')
          .then(body => reject(failureOf(response.statusCode ?? 0, body)))
          .finally(() => request.destroy())
      })
    })
  }

  close(): void {
    this.#closing.abort(new AppError('engine_unavailable', 'The connection to the cluster was closed.'))
    for (const socket of this.#sockets) socket.terminate()
    this.#agent?.destroy()
  }

  #address(path: string, query: Query = {}): URL {
    const address = new URL(`${this.endpoint.replace(/\/+$/, '')}${path}`)
    for (const [name, value] of Object.entries(query)) {
      for (const each of Array.isArray(value) ? value : [value]) {
        if (each !== undefined) address.searchParams.append(name, String(each))
      }
    }
    return address
  }

  /** Credentials that were kept may have expired: who is refused asks once more, with new ones. */
  async #send(method: string, path: string, request: ApiRequest, isAgain = false): Promise<IncomingMessage> {
    const response = await this.#exchange(method, path, request)
    const status = response.statusCode ?? 0
    if (status >= 200 && status < 300) return response
    const failure = failureOf(status, await wholeText(response).catch(() => ''))
    if (status !== 401) throw failure
    this.#forgetCredentials()
    if (isAgain) throw failure
    return this.#send(method, path, request, true)
  }

  async #exchange(
    method: string,
    path: string,
    { query, body, contentType, signal }: ApiRequest,
  ): Promise<IncomingMessage> {
    const options = await this.#connection(signal)
    const content = body && JSON.stringify(body)
    const address = this.#address(path, query)
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (address.protocol === 'http:' ? http : https).request(address, {
        ...options,
        method,
        headers: {
          ...options.headers,
          accept: 'application/json',
          ...(content !== undefined && {
            'content-type': contentType ?? 'application/json',
            'content-length': Buffer.byteLength(content),
          }),
        },
        ...(signal && { signal }),
      })
      request.once('response', resolve)
      request.on('error', reject)
      request.end(content)
    })
    response.on('data', (chunk: Buffer) => {
      this.#received += chunk.length
    })
    response.pause()
    return response
  }

  /** All who wait are answered by one question. It may take as long as somebody needs to sign in; who asks need not wait for it. */
  #connection(signal: AbortSignal | undefined): Promise<RequestOptions> {
    const known = this.#credentials
    const credentials = known && Date.now() < known.until ? known : this.#ask()
    const ended = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])])
    return unlessAborted(credentials.options, ended)
  }

  #ask() {
    const credentials = { options: this.#open(), until: Number.POSITIVE_INFINITY }
    this.#credentials = credentials
    credentials.options.then(
      () => {
        credentials.until = Date.now() + CREDENTIALS_MS
      },
      () => {
        if (this.#credentials === credentials) this.#credentials = undefined
      },
    )
    return credentials
  }

  #forgetCredentials(): void {
    this.#credentials = undefined
    this.#agent = undefined
  }

  /** The connections are kept. */
  async #open(): Promise<RequestOptions> {
    const options: https.RequestOptions = {}
    await this.#config.applyToHTTPSOptions(options)
    this.#agent ??= this.#agentOf(options)
    return { ...options, ...(this.#agent && { agent: this.#agent }) }
  }

  #agentOf({ agent, ...options }: https.RequestOptions): http.Agent | undefined {
    const isProxied = this.#config.getCurrentCluster()?.proxyUrl !== undefined
    if (isProxied || this.endpoint.startsWith('http:')) return typeof agent === 'object' ? agent : undefined
    const { ca, cert, key, pfx, passphrase, rejectUnauthorized, servername } = options
    return new https.Agent({
      ...{ ca, cert, key, pfx, passphrase, servername, keepAlive: true },
      ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
    })
  }
}

function connectionLost(): ApiFailure {
  return new ApiFailure(503, 'ConnectionLost', 'The connection to the API server broke.')
}

async function wholeText(response: IncomingMessage): Promise<string> {
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > MAX_ANSWER_BYTES) response.destroy(new Error('The answer of the API server is too large.'))
  })
  return text(response)
}
