import { lookup as systemLookup } from 'node:dns/promises'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { createSecureContext, type SecureContext } from 'node:tls'
import { BOUNDS } from '../domain/bounds.ts'
import { isAllowed, isPublic, literalIn, withoutDot } from './address.ts'
import { type AnswerLimits, boundedBody, tooLarge } from './answer-body.ts'
import { BLOCKED_PORTS } from './blocked-ports.ts'
import { trustedCertificates } from './certificates.ts'
import { OutboundError, toOutboundError } from './problem.ts'
import { type OutboundRequest, toRequest } from './request.ts'
import { Sleep } from './sleep.ts'

/**
 * Whose word the host of a call is. `person`: it stands in the settings, or came with the app's own key. `other`: a
 * repository, a sandbox's key, or an answer from the network named it. Then it never leads to this machine or its network.
 */
export type NamedBy = 'person' | 'other'

export interface CallRules {
  /** A function where one client calls several hosts. */
  namedBy: NamedBy | ((url: URL) => NamedBy)
  limits: AnswerLimits
}

/** Every address of a name. @throws an error with the resolver's code */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>

export interface OutboundOptions {
  /** Hosts that the person has allowed for everybody, as `toHost` writes them. */
  allowedHosts: () => readonly string[]
  resolve?: Resolve
  /** What servers are trusted by, as PEM; asked for once. That of the system when absent. */
  certificates?: () => string[]
}

const MAX_REDIRECTS = 3
/** As long a connection waits for the next call; servers close theirs after five seconds and more. */
const IDLE_MS = 4_000
const MAX_IDLE_CONNECTIONS = 32

/**
 * Every HTTP call that Atelier makes itself.
 *
 * INVARIANTS: a key is sent to no other address than the one that was asked; the address that is connected to is the one
 * that was checked; an answer is bounded in size and time.
 */
export class Outbound {
  readonly sleep = new Sleep()
  readonly #options: OutboundOptions
  /** Connections are kept apart, so that nobody else's call goes over one that only the person may open. */
  #agents = { person: newAgents(), other: newAgents() }
  readonly #lookups: Record<NamedBy, LookupFunction>
  /** Made of all certificates once, which takes as long as some calls. */
  #trust: SecureContext | undefined

  constructor(options: OutboundOptions) {
    this.#options = options
    const resolve = options.resolve ?? (hostname => systemLookup(hostname, { all: true }))
    this.#lookups = { person: toLookup(resolve, () => {}), other: toLookup(resolve, assertAllPublic) }
  }

  /**
   * A `fetch` that keeps to the rules. A redirect is an answer like any other with `redirect: 'manual'`; it is followed
   * for a request without a key or a body, on the same origin; everything else rejects.
   * It rejects with an OutboundError, or with the signal's reason.
   */
  fetch(rules: CallRules): typeof globalThis.fetch {
    return async (input, init) => {
      const request = await toRequest(input, init)
      const signal = init?.signal ?? new AbortController().signal
      for (let hops = 0; ; hops++) {
        signal.throwIfAborted()
        const answer = await this.#ask(request, rules, signal)
        const next = nextAddress(request, answer, init?.redirect)
        if (next === null) return toResponse(answer, request, { limits: rules.limits, signal })
        answer.destroy()
        if (next === 'refused' || hops === MAX_REDIRECTS) throw redirected(request)
        request.url = next
      }
    }
  }

  /** The computer falls asleep. No later call goes over a connection of now; who waits for a model asks again. */
  suspend(): void {
    this.sleep.begin()
    const before = Object.values(this.#agents)
    this.#agents = { person: newAgents(), other: newAgents() }
    // What is under way keeps its connection.
    for (const { http, https } of before) {
      for (const sockets of [http.freeSockets, https.freeSockets]) {
        for (const socket of Object.values(sockets).flat()) socket?.destroy()
      }
    }
  }

  resume(): void {
    this.sleep.end()
  }

  /** Ends every connection. */
  close(): void {
    for (const { http, https } of Object.values(this.#agents)) {
      http.destroy()
      https.destroy()
    }
  }

  async #ask(request: OutboundRequest, rules: CallRules, signal: AbortSignal): Promise<IncomingMessage> {
    const namedBy = this.#trustOf(request.url, rules)
    if (namedBy === 'other') assertMayBeAsked(request.url)
    const connection = {
      agents: this.#agents[namedBy],
      lookup: this.#lookups[namedBy],
      ...(request.url.protocol === 'https:' && { secureContext: this.#secureContext() }),
    }
    try {
      return await send(request, { ...connection, headersMs: rules.limits.headersMs, signal })
    } catch (error) {
      signal.throwIfAborted()
      throw toOutboundError(error, request.url.host)
    }
  }

  #secureContext(): SecureContext {
    const { certificates = () => trustedCertificates(process.env) } = this.#options
    this.#trust ??= createSecureContext({ ca: certificates() })
    return this.#trust
  }

  #trustOf(url: URL, { namedBy }: CallRules): NamedBy {
    const stated = typeof namedBy === 'function' ? namedBy(url) : namedBy
    return stated === 'person' || isAllowed(url, this.#options.allowedHosts()) ? 'person' : 'other'
  }
}

function newAgents() {
  const options = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MAX_IDLE_CONNECTIONS }
  return { http: new HttpAgent(options), https: new HttpsAgent(options) }
}

interface Connection {
  agents: ReturnType<typeof newAgents>
  lookup: LookupFunction
  /** For HTTPS. */
  secureContext?: SecureContext
  headersMs: number
  signal: AbortSignal
}

/** Sends and waits for the headers of the answer. */
function send({ url, method, headers, body }: OutboundRequest, connection: Connection): Promise<IncomingMessage> {
  const { agents, lookup, secureContext, headersMs, signal } = connection
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method,
      headers,
      lookup,
      ...(secureContext && { secureContext }),
      agent: isSecure ? agents.https : agents.http,
      maxHeaderSize: BOUNDS.answerHeaders.limit,
    })
    const aborted = () => request.destroy(signal.reason instanceof Error ? signal.reason : new Error('Aborted'))
    const late = setTimeout(() => {
      const seconds = Math.round(headersMs / 1000)
      request.destroy(new OutboundError('timeout', `${url.host} did not answer within ${seconds} seconds.`))
    }, headersMs)
    const done = () => {
      clearTimeout(late)
      signal.removeEventListener('abort', aborted)
    }
    signal.addEventListener('abort', aborted, { once: true })
    request.once('response', answer => {
      isAnswered = true
      done()
      resolve(answer)
    })
    request.on('error', error => {
      done()
      reject(error)
    })
    // After an answer it matters no more that not everything was sent.
    if (body instanceof Readable) pipeline(body, request, error => error && !isAnswered && request.destroy(error))
    else request.end(body)
  })
}

function toLookup(resolve: Resolve, check: (hostname: string, addresses: readonly string[]) => void): LookupFunction {
  return (hostname, { all }, callback) => {
    const found = resolve(hostname).then(addresses => {
      check(
        hostname,
        addresses.map(({ address }) => address),
      )
      return addresses
    })
    found.then(
      addresses => {
        const [first] = addresses
        if (all) callback(null, addresses)
        else callback(null, first?.address ?? '', first?.family)
      },
      error => callback(error, ''),
    )
  }
}

/** One private address among public ones is enough to be refused: which of them is connected to is nobody's choice. */
function assertAllPublic(hostname: string, addresses: readonly string[]): void {
  if (!addresses.every(isPublic)) throw privateHost(withoutDot(hostname))
}

/** @throws OutboundError for what nobody but the person may name */
function assertMayBeAsked(url: URL): void {
  const literal = literalIn(url.hostname)
  if (literal !== null && !isPublic(literal)) throw privateHost(url.hostname)
  if (url.port === '' || !BLOCKED_PORTS.has(Number(url.port))) return
  throw new OutboundError('blocked-port', `Port ${url.port} of ${url.hostname} does not belong to a web server.`)
}

function privateHost(host: string): OutboundError {
  return new OutboundError(
    'private-host',
    `${host} is this machine or a machine of its own network, and it was not named by you. If it is meant to be reached, allow it in Settings › Privacy.`,
  )
}

/** @returns null when the answer is to be read as it is */
function nextAddress(
  { url, method, carriesKey, body }: OutboundRequest,
  { statusCode = 0, headers }: IncomingMessage,
  redirect: RequestRedirect | undefined,
): URL | 'refused' | null {
  if (redirect === 'manual' || !REDIRECTS.has(statusCode) || headers.location === undefined) return null
  const isPlain = method === 'GET' && body === undefined && !carriesKey && redirect !== 'error'
  if (!isPlain || !URL.canParse(headers.location, url)) return 'refused'
  const next = new URL(headers.location, url)
  return next.origin === url.origin ? next : 'refused'
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

function redirected({ url }: OutboundRequest): OutboundError {
  return new OutboundError(
    'redirect',
    `${url.host} answered with a redirect to another address, which was not followed.`,
  )
}

const WITHOUT_BODY = new Set([204, 205, 304])

function toResponse(
  answer: IncomingMessage,
  { url, method }: OutboundRequest,
  { limits, signal }: { limits: AnswerLimits; signal: AbortSignal },
): Response {
  const { statusCode = 0, statusMessage: statusText = '', rawHeaders } = answer
  try {
    const headers = new Headers()
    for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    const isEmpty = WITHOUT_BODY.has(statusCode) || method === 'HEAD'
    if (!isEmpty && !limits.stream && Number(headers.get('content-length')) > limits.bytes) {
      throw tooLarge(url.host, limits.bytes)
    }
    if (isEmpty) answer.resume()
    const body = isEmpty ? null : boundedBody(answer, limits, { host: url.host, signal })
    const response = new Response(body, { status: statusCode, statusText, headers })
    // A response that is made has no address of its own.
    return Object.defineProperty(response, 'url', { value: url.href })
  } catch (error) {
    answer.destroy()
    if (error instanceof OutboundError) throw error
    throw new OutboundError('not-http', `${url.host} does not answer as a web server does.`, error)
  }
}
