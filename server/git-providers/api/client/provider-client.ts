import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import type { GitProvider } from '../../../api/v1/conversation/conversations.ts'
import { AppError } from '../../../domain/errors.ts'
import { outboundErrorIn } from '../../../outbound/problem.ts'
import type { Provider } from '../../provider.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { RateLimits } from './rate-limits.ts'
import { wordsIn } from './refusal-words.ts'
import { endOf } from './tail.ts'

export interface ClientOptions {
  name: GitProvider
  provider: Provider
  origin: URL
  token: string
  /** Another token in the place of one that the provider refuses; null where there is none. */
  renewed: (refused: string) => Promise<string | null>
  fetch: typeof globalThis.fetch
  /** For what is long: at the provider, and where it sends on to without the token. */
  logs: { own: typeof globalThis.fetch; elsewhere: typeof globalThis.fetch }
  signal: AbortSignal
  cache: AnswerCache
  limits: RateLimits
}

export type Query = Readonly<Record<string, string | number | boolean | null>>

interface Request {
  /** Absent is GET, or POST with a body. */
  method?: 'POST' | 'PUT' | 'DELETE'
  accept?: string
  body?: string
  /** What it is for is made, which the provider may refuse in words. */
  makes?: boolean
}

const MAX_REDIRECTS = 2
const MADE = new Set([200, 201, 204])
const REFUSED = new Set([400, 409, 422])
const REDIRECTS = new Set([301, 302, 303, 307, 308])

interface Answer {
  body: string
  headers: Headers
}

/**
 * Calls to one installation of a provider with one token. An answer with an ETag is kept and asked for again with
 * `If-None-Match`, which costs nothing of the rate limit at GitHub; a limit that the provider has reported is kept to.
 * No redirect to another host is followed: the token is for this one alone.
 */
export class ProviderClient {
  readonly #options: ClientOptions
  readonly #identity: string
  #token: string

  constructor(options: ClientOptions) {
    this.#options = options
    this.#token = options.token
    this.#identity = createHash('sha256').update(`${options.origin.href} ${options.token}`).digest('base64')
  }

  get name(): GitProvider {
    return this.#options.name
  }

  get origin(): URL {
    return this.#options.origin
  }

  get api(): string {
    return this.#options.provider.api(this.origin)
  }

  /** Asks for JSON. @param path begins with a slash, under the API, or is an address of the same installation */
  async json<T>(path: string, schema: z.ZodType<T>, query: Query = {}): Promise<{ data: T; headers: Headers }> {
    const { body, headers } = await this.#ask(this.#address(path, query), {})
    return { data: await this.#parse(body, schema), headers }
  }

  /** Sends JSON, to make something. @throws AppError git_refused with what the provider says */
  async post<T>(path: string, content: object, schema: z.ZodType<T>): Promise<T> {
    const { body } = await this.#ask(this.#address(path, {}), { body: JSON.stringify(content), makes: true })
    return this.#parse(body, schema)
  }

  /** Changes something; what the answer says is not read. @throws AppError git_refused with what the provider says */
  async change(method: 'POST' | 'PUT' | 'DELETE', path: string, content?: object): Promise<void> {
    const body = content && JSON.stringify(content)
    await this.#ask(this.#address(path, {}), { method, makes: true, ...(body !== undefined && { body }) })
  }

  async text(path: string, query: Query = {}, accept = '*/*'): Promise<string> {
    return (await this.#ask(this.#address(path, query), { accept })).body
  }

  /**
   * The end of a long text, which may lie elsewhere and is then read without the token; null when there is none, or the
   * token is not shown it. An installation in a private network keeps its logs at its own host.
   */
  async tail(path: string): Promise<string | null> {
    const { logs, signal } = this.#options
    const address = this.#address(path, {})
    try {
      const init = { redirect: 'manual', signal } as const
      let reply = await logs.own(address, { ...init, headers: this.#headers('*/*') })
      const location = REDIRECTS.has(reply.status) ? reply.headers.get('location') : null
      if (location !== null && URL.canParse(location, address)) {
        await reply.body?.cancel()
        const next = new URL(location, address)
        const fetch = next.origin === new URL(address).origin ? logs.own : logs.elsewhere
        reply = await fetch(next.href, init)
      }
      if (reply.status === 200 && reply.body) return await endOf(reply.body)
      await reply.body?.cancel()
      return null
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      if (signal.aborted && !isTimeout(signal.reason)) throw signal.reason
      return null
    }
  }

  /** @param address of the GraphQL endpoint; answers 200 with `errors` where REST has a status */
  async graphql<T>(address: string, document: string, variables: object, schema: z.ZodType<T>): Promise<T> {
    const { body, headers } = await this.#ask(address, { body: JSON.stringify({ query: document, variables }) })
    if (isRateLimitError(parsed(body))) throw this.#limited(this.#options.limits.limit(this.#identity, headers))
    const refused = refusal.safeParse(parsed(body)).data?.errors[0]?.message
    if (refused !== undefined && /^\s*mutation\b/.test(document)) throw this.#notMade(body)
    return this.#parse(body, schema)
  }

  /** @throws AppError provider_unavailable, for an answer that nobody but the provider can explain */
  unavailable(what: string, cause?: unknown): AppError {
    const reason = outboundErrorIn(cause)?.message
    const message = `${this.#place} ${what}.${reason ? ` ${reason}` : ''} Check the network and the host, then try again.`
    return new AppError('provider_unavailable', message, { cause })
  }

  get #place(): string {
    return `${this.#options.provider.title} at ${this.origin.host}`
  }

  #address(path: string, query: Query): string {
    const url = new URL(path.startsWith('/') ? this.api + path : path)
    for (const [name, value] of Object.entries(query)) if (value !== null) url.searchParams.set(name, String(value))
    return url.href
  }

  async #ask(address: string, request: Request): Promise<Answer> {
    const { limits, cache } = this.#options
    const limited = limits.until(this.#identity)
    if (limited !== undefined) throw this.#limited(limited)
    const key = `${this.#identity} ${request.accept ?? ''} ${address}`
    const isRead = request.body === undefined && !request.makes
    const cached = isRead ? cache.get(key) : undefined
    const { status, headers, body } = await this.#follow(address, request, cached?.etag)
    const until = limits.note(this.#identity, status, headers)
    if (until !== undefined) throw this.#limited(until)
    if (status === 304 && cached) return cached
    if (request.makes && MADE.has(status)) return { body, headers }
    if (request.makes && REFUSED.has(status)) throw this.#notMade(body)
    if (status !== 200) throw this.#refusal(status)
    const etag = headers.get('etag')
    if (etag && isRead) cache.set(key, { etag, body, headers })
    return { body, headers }
  }

  /** A repository that was renamed answers with a redirect. One to another host is not followed. */
  async #follow(address: string, request: Request, etag: string | undefined) {
    let answer = await this.#send(address, request, etag)
    for (let hops = 0; hops < MAX_REDIRECTS && request.body === undefined && !request.makes; hops++) {
      const location = REDIRECTS.has(answer.status) ? answer.headers.get('location') : null
      if (location === null || !URL.canParse(location, address)) break
      const next = new URL(location, address)
      if (next.origin !== new URL(address).origin) break
      answer = await this.#send(next.href, request, etag)
    }
    return answer
  }

  /** A token that is refused is renewed once: nothing was done with it. */
  async #send(address: string, request: Request, etag: string | undefined) {
    const reply = await this.#sendOnce(address, request, etag)
    const token = reply.status === 401 ? await this.#options.renewed(this.#token) : null
    if (token === null) return reply
    this.#token = token
    return this.#sendOnce(address, request, etag)
  }

  async #sendOnce(
    address: string,
    { accept = 'application/json', body, ...request }: Request,
    etag: string | undefined,
  ) {
    const { fetch, signal } = this.#options
    const headers = this.#headers(accept)
    if (etag) headers.set('if-none-match', etag)
    if (body !== undefined) headers.set('content-type', 'application/json')
    const method = request.method ?? (body === undefined ? 'GET' : 'POST')
    try {
      const reply = await fetch(address, { method, headers, redirect: 'manual', signal, ...(body && { body }) })
      return { status: reply.status, headers: reply.headers, body: await reply.text() }
    } catch (cause) {
      if (signal.aborted && isTimeout(signal.reason)) throw this.unavailable('did not answer in time', cause)
      signal.throwIfAborted()
      throw this.unavailable('could not be reached', cause)
    }
  }

  #headers(accept: string): Headers {
    const { provider } = this.#options
    try {
      return new Headers({ accept, authorization: provider.authorization(this.#token), 'user-agent': 'Atelier' })
    } catch {
      // The runtime's message quotes the value.
      throw this.#invalid()
    }
  }

  #refusal(status: number): AppError {
    const { title } = this.#options.provider
    if (status === 401) return this.#invalid()
    if (status === 403) {
      const message = `${this.#place} does not let the stored token see this. Give the token the permission, or store another one.`
      return new AppError('provider_refused', message)
    }
    if (status === 404 || status === 410) {
      return new AppError('not_found', `${this.#place} has no such thing, or does not show it to the stored token.`)
    }
    if (status === 422 || status === 400) {
      return new AppError(
        'bad_request',
        `${this.#place} cannot use what it was asked for. Change the text or the name.`,
      )
    }
    if (status >= 300 && status < 400) {
      return this.unavailable('answered with a redirect to another place, which is not followed with a token')
    }
    return this.unavailable(status >= 500 ? `answered with status ${status}` : `did not answer as ${title} does`)
  }

  #notMade(body: string): AppError {
    const said = wordsIn(parsed(body)) || 'It gave no reason.'
    return new AppError('git_refused', `${this.#place} refused. It said: ${said} Put that right, then try again.`)
  }

  #invalid(): AppError {
    const message = `${this.#place} refuses the stored token: it was revoked, or has expired. Change it.`
    return new AppError('provider_token_invalid', message)
  }

  #limited(until: number): AppError {
    const time = new Date(until).toISOString().slice(11, 16)
    const retryAfterSeconds = Math.max(1, Math.ceil((until - Date.now()) / 1000))
    const minutes = Math.ceil(retryAfterSeconds / 60)
    const message = `${this.#place} has been asked too often. It can be asked again at ${time} UTC, in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`
    return new AppError('provider_rate_limited', message, { details: { retryAfterSeconds } })
  }

  /** Large answers are parsed in a turn of their own. */
  async #parse<T>(body: string, schema: z.ZodType<T>): Promise<T> {
    await nextTurn()
    const result = schema.safeParse(parsed(body))
    if (result.success) return result.data
    throw this.unavailable(`did not answer as ${this.#options.provider.title} does`)
  }
}

/** As GraphQL words it, https://spec.graphql.org/October2021/#sec-Errors. */
const refusal = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) })

const rateLimitError = z.object({ errors: z.array(z.object({ type: z.literal('RATE_LIMITED') })).min(1) })

/** GitHub reports its limit for GraphQL with status 200. */
function isRateLimitError(reply: unknown): boolean {
  return rateLimitError.safeParse(reply).success
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether a `Link` header names a next page (RFC 8288). */
export function hasNextLink(headers: Headers): boolean {
  return /;\s*rel="?next"?/.test(headers.get('link') ?? '')
}
