import { lookup as systemLookup } from 'node:dns/promises'
import { type Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { checkServerIdentity, createSecureContext, type SecureContext } from 'node:tls'
import { timeLimit } from '../async/time-limit.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import { BOUNDS } from '../domain/bounds.ts'
import { isAllowed, isSocks, literalIn } from './address.ts'
import { Agents } from './agents.ts'
import { type AnswerLimits, boundedBody, tooLarge } from './answer-body.ts'
import { trustedCertificates } from './certificates.ts'
import { OutboundError, toOutboundError, toProxyError } from './problem.ts'
import type { FindProxy } from './proxies.ts'
import { proxyCredentials, proxyServer } from './proxy-server.ts'
import { assertAllPublic, assertMayBeAsked, publicAddressOf, type Resolve, toLookup } from './public-host.ts'
import { nextAddress, redirected } from './redirect.ts'
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

export interface OutboundOptions {
  /** Hosts that the person has allowed for everybody, as `toHost` writes them. */
  allowedHosts: () => readonly string[]
  resolve?: Resolve
  /** What servers are trusted by, as PEM; asked for once. That of the system when absent. */
  certificates?: () => string[]
  /** Every way is direct when absent. */
  findProxy?: FindProxy
}

const MAX_REDIRECTS = 3
/** Until it is known which proxy leads to an address. */
const FIND_MS = 20_000
/**
 * Every HTTP call that Atelier makes itself.
 *
 * INVARIANTS: a key is sent to no other address than the one that was asked; the address that is connected to, also by a proxy,
 * is the one that was checked; an answer is bounded in size and time.
 */
export class Outbound {
  readonly sleep = new Sleep()
  readonly #options: OutboundOptions
  /** Connections are kept apart, so that nobody else's call goes over one that only the person may open. */
  #agents = { person: new Agents(), other: new Agents() }
  readonly #resolve: Resolve
  readonly #lookups: Record<NamedBy, LookupFunction>
  /** Made of all certificates once, which takes as long as some calls. */
  #trust: SecureContext | undefined

  constructor(options: OutboundOptions) {
    this.#options = options
    const resolve = options.resolve ?? (hostname => systemLookup(hostname, { all: true }))
    this.#resolve = resolve
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
    this.#agents = { person: new Agents(), other: new Agents() }
    for (const agents of before) agents.endIdle()
  }

  resume(): void {
    this.sleep.end()
  }

  /** Ends every connection. */
  close(): void {
    for (const agents of Object.values(this.#agents)) agents.destroy()
  }

  async #ask(request: OutboundRequest, rules: CallRules, signal: AbortSignal): Promise<IncomingMessage> {
    const namedBy = this.#trustOf(request.url, rules)
    if (namedBy === 'other') assertMayBeAsked(request.url)
    try {
      const { headersMs } = rules.limits
      const route = await this.#routeTo(request.url, namedBy, { headersMs, signal })
      const secureContext = request.url.protocol === 'https:' && this.#secureContext()
      return await send(request, { ...route, ...(secureContext && { secureContext }), headersMs, signal })
    } catch (error) {
      signal.throwIfAborted()
      throw toOutboundError(error, request.url.host)
    }
  }

  /** A script of the system that chooses proxies, and a nameserver, may never answer. */
  async #routeTo(url: URL, namedBy: NamedBy, { headersMs, signal }: Patience): Promise<Route> {
    const { findProxy } = this.#options
    const found = async () => {
      const proxy = await findProxy?.(url)
      return proxy ? this.#routeThrough(proxy, url, namedBy) : this.#direct(url, namedBy)
    }
    if (!findProxy) return this.#direct(url, namedBy)
    const late = timeLimit(Math.min(headersMs, FIND_MS))
    try {
      return await unlessAborted(found(), AbortSignal.any([late, signal]))
    } catch (error) {
      if (!late.aborted || signal.aborted) throw error
      throw new OutboundError(
        'proxy',
        `The way to ${url.host} was not found in time: the proxy of this computer, or a nameserver, does not answer.`,
      )
    }
  }

  #direct(url: URL, namedBy: NamedBy): Route {
    return { agent: this.#agents[namedBy].direct(url), lookup: this.#lookups[namedBy] }
  }

  /** A proxy looks names up by itself, in a network that may have others: it is given an address where that has to be checked. */
  async #routeThrough(proxy: URL, url: URL, namedBy: NamedBy): Promise<Route> {
    const address = namedBy === 'other' ? await publicAddressOf(url, this.#resolve) : undefined
    const trust = proxy.protocol === 'https:' ? this.#secureContext() : undefined
    const agents = this.#agents[namedBy]
    if (url.protocol === 'http:' && address === undefined && !isSocks(proxy)) {
      const path = `${url.origin}${url.pathname}${url.search}`
      const headers = { host: url.host, ...proxyCredentials(proxy) }
      return { agent: agents.direct(proxy), proxy, asked: { ...proxyServer(proxy, trust), path }, headers }
    }
    return { agent: await agents.through(proxy, trust), proxy, ...(address && { address }) }
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

/** How an address is connected to. */
interface Route {
  agent: Agent
  /** Of the direct way. */
  lookup?: LookupFunction
  proxy?: URL
  /** What a proxy is given in the place of the name. */
  address?: string
  /** A proxy in the place of the server, for the whole address. Made of the path alone, `//elsewhere/` would be another host. */
  asked?: RequestOptions
  /** Beside those of the call. */
  headers?: Record<string, string>
}

interface Patience {
  headersMs: number
  signal: AbortSignal
}

interface Connection extends Route, Patience {
  /** For HTTPS. */
  secureContext?: SecureContext
}

/** Sends and waits for the headers of the answer. */
function send({ url, method, headers: own, body }: OutboundRequest, connection: Connection): Promise<IncomingMessage> {
  const { agent, lookup, proxy, address, asked, secureContext, headersMs, signal } = connection
  const isSecure = (asked?.protocol ?? url.protocol) === 'https:'
  const headers = { ...own, ...connection.headers }
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const givenUp = new AbortController()
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method,
      headers: address === undefined ? headers : { ...headers, host: url.host },
      ...(lookup && { lookup }),
      ...(address !== undefined && { hostname: address, servername: literalIn(url.hostname) ? '' : url.hostname }),
      ...(proxy && !asked && { givenUp: givenUp.signal, checkServerIdentity: identityOf(url) }),
      ...asked,
      ...(secureContext && { secureContext }),
      agent,
      maxHeaderSize: BOUNDS.answerHeaders.limit,
    })
    const fail = (error: unknown) => {
      done()
      reject(proxy ? toProxyError(error, proxy, url) : error)
      givenUp.abort()
    }
    // One that waits for what a proxy is to connect says nothing when it is destroyed.
    const end = (error: Error) => {
      fail(error)
      request.destroy(error)
    }
    const aborted = () => end(signal.reason instanceof Error ? signal.reason : new Error('Aborted'))
    const late = setTimeout(() => {
      const seconds = Math.round(headersMs / 1000)
      end(new OutboundError('timeout', `${url.host} did not answer within ${seconds} seconds.`))
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
    request.on('error', fail)
    // After an answer it matters no more that not everything was sent.
    if (body instanceof Readable) pipeline(body, request, error => error && !isAnswered && end(error))
    else request.end(body)
  })
}

/** For a connection that was made by a proxy Node would check an address by the proxy's own name. */
function identityOf({ hostname }: URL): typeof checkServerIdentity {
  return (_name, certificate) => checkServerIdentity(literalIn(hostname) ?? hostname, certificate)
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
