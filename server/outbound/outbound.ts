import { lookup as systemLookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import type { LookupFunction } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import { timeLimit } from '../async/time-limit.ts'
import { unlessAborted } from '../async/unless-aborted.ts'
import { isAllowed, isSocks, literalIn } from './address.ts'
import { Agents } from './agents.ts'
import { type AnswerLimits, boundedBody, tooLarge } from './answer-body.ts'
import { trustedCertificates } from './certificates.ts'
import { OutboundError, toOutboundError } from './problem.ts'
import type { FindProxy } from './proxies.ts'
import { proxyCredentials, proxyServer } from './proxy-server.ts'
import { assertAllPublic, assertMayBeAsked, publicAddressOf, type Resolve, toLookup } from './public-host.ts'
import { nextAddress, redirected } from './redirect.ts'
import { type OutboundRequest, toRequest } from './request.ts'
import { type Route, send } from './send.ts'
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
      signal.throwIfAborted()
      const { limits } = rules
      const giveUp = new AbortController()
      const late = setTimeout(() => giveUp.abort(notInTime(request.url, limits)), limits.headersMs)
      const stop = () => giveUp.abort(signal.reason)
      signal.addEventListener('abort', stop, { once: true })
      try {
        const answer = await this.#follow(request, rules, { redirect: init?.redirect, giveUp })
        return toResponse(answer, request, { limits, signal })
      } catch (error) {
        signal.throwIfAborted()
        throw toOutboundError(error, request.url.host)
      } finally {
        clearTimeout(late)
        signal.removeEventListener('abort', stop)
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

  /** @returns the answer of the last address, which `request` then names */
  async #follow(
    request: OutboundRequest,
    rules: CallRules,
    { redirect, giveUp }: { redirect: RequestRedirect | undefined; giveUp: AbortController },
  ): Promise<IncomingMessage> {
    for (let hops = 0; ; hops++) {
      const answer = await send(request, await this.#routeTo(request.url, rules, giveUp.signal), giveUp)
      const next = nextAddress(request, answer, redirect)
      if (next === null) return answer
      answer.destroy()
      if (next === 'refused' || hops === MAX_REDIRECTS) throw redirected(request)
      request.url = next
    }
  }

  /** A script of the system that chooses proxies, and a nameserver, may never answer. */
  async #routeTo(url: URL, rules: CallRules, signal: AbortSignal): Promise<Route> {
    const namedBy = this.#trustOf(url, rules)
    if (namedBy === 'other') assertMayBeAsked(url)
    const { findProxy } = this.#options
    const found = async () => {
      const proxy = await findProxy?.(url)
      return proxy ? this.#routeThrough(proxy, url, namedBy) : this.#direct(url, namedBy)
    }
    if (!findProxy) return this.#direct(url, namedBy)
    const late = timeLimit(FIND_MS)
    try {
      return await unlessAborted(found(), AbortSignal.any([late, signal]))
    } catch (error) {
      if (!late.aborted && !signal.aborted) throw error
      throw new OutboundError(
        'proxy',
        `The way to ${url.host} was not found in time: the proxy of this computer, or a nameserver, does not answer.`,
      )
    }
  }

  #direct(url: URL, namedBy: NamedBy): Route {
    const options = { lookup: this.#lookups[namedBy], ...this.#encryption(url) }
    return { agent: this.#agents[namedBy].direct(url), options, headers: {} }
  }

  /** A proxy looks names up by itself, in a network that may have others: it is given an address where that has to be checked. */
  async #routeThrough(proxy: URL, url: URL, namedBy: NamedBy): Promise<Route> {
    const address = namedBy === 'other' ? await publicAddressOf(url, this.#resolve) : undefined
    const agents = this.#agents[namedBy]
    const { secureContext: trust } = this.#encryption(proxy)
    if (url.protocol === 'http:' && address === undefined && !isSocks(proxy)) {
      // The address is whole. Made of the path alone, `//elsewhere/` would be another host.
      const options = { ...proxyServer(proxy, trust), path: `${url.origin}${url.pathname}${url.search}` }
      return { agent: agents.direct(proxy), options, headers: { host: url.host, ...proxyCredentials(proxy) }, proxy }
    }
    const options = {
      ...(address !== undefined && { hostname: address }),
      servername: literalIn(url.hostname) ? '' : url.hostname,
      ...this.#encryption(url),
    }
    const headers: Route['headers'] = address === undefined ? {} : { host: url.host }
    return { agent: await agents.through(proxy, trust), options, headers, proxy }
  }

  #encryption({ protocol }: URL): { secureContext?: SecureContext } {
    return protocol === 'https:' ? { secureContext: this.#secureContext() } : {}
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

function notInTime({ host }: URL, { headersMs }: AnswerLimits): OutboundError {
  return new OutboundError('timeout', `${host} did not answer within ${Math.round(headersMs / 1000)} seconds.`)
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
