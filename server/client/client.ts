import type { Route, RouteBodyInput, RouteParams, RouteQueryInput, RouteReply } from '../api/contract/route.ts'
import { parseJson, refusal, timedOut, unreachable } from './api-error.ts'

export interface ClientOptions {
  /** Where the service answers, `http://127.0.0.1:3737`. */
  url: string
  /** Sent with every operation that is not open. */
  key: string | null
  /** Parse every reply with its schema: for development and tests, where a wrong reply must be seen. */
  validate?: boolean
  /** Milliseconds until a call gives up with code `timeout`; absent waits as long as the service does. Streams have no such limit. */
  timeoutMs?: number | undefined
}

export interface Client {
  readonly url: string
  /** @throws ApiError for every refusal, and with code `unreachable` when nothing answers. */
  call<R extends Route>(route: R, ...input: Arguments<R>): Promise<RouteReply<R>>
  /** The reply as it is, for routes that answer with a file. @throws ApiError as `call` does. */
  download<R extends Route>(route: R, ...input: Arguments<R>): Promise<Blob>
  /** The same as it comes: the body is a stream that is read to the end or cancelled. @throws ApiError as `call` does. */
  open<R extends Route>(route: R, ...input: Arguments<R>): Promise<Response>
}

type Empty = Record<never, never>

/** Optional where the schema wants nothing, or nothing in particular. */
type Field<Name extends string, Value> = undefined extends Value
  ? { [N in Name]?: Value }
  : Empty extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value }

/** Routes that take a file get a form in place of a body. */
type Content<R> = (Field<'body', RouteBodyInput<R>> & { form?: undefined }) | { form: FormData; body?: undefined }

type Input<R> = Field<'params', RouteParams<R>> &
  Field<'query', RouteQueryInput<R>> &
  Content<R> & {
    /** Rejects with the signal's reason. */
    signal?: AbortSignal | undefined
  }

export type Arguments<R> = Empty extends Input<R> ? [input?: Input<R>] : [input: Input<R>]

type Values = Readonly<Record<string, unknown>>
interface Request {
  params?: Values | undefined
  query?: Values | undefined
  body?: unknown
  form?: FormData | undefined
  signal?: AbortSignal | undefined
}

export function createClient({ url, key, validate = false, timeoutMs }: ClientOptions): Client {
  async function answerOf(route: Route, request: Request, signal: AbortSignal | undefined): Promise<Response> {
    const { body, form } = request
    const init = {
      method: route.method.toUpperCase(),
      headers: headersOf(route, request, key),
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
      signal: signal ?? null,
    }
    const response = await send(`${url}${addressOf(route, request)}`, init)
    if (!response.ok) throw refusal(response.status, await textOf(response, signal))
    return response
  }
  async function call<R extends Route>(route: R, ...[input]: Arguments<R>): Promise<RouteReply<R>> {
    const request: Request = input ?? {}
    const text = await inTime({ timeoutMs, signal: request.signal }, async signal =>
      textOf(await answerOf(route, request, signal), signal),
    )
    // The service has validated its reply with the same schema; parsing it again is for development.
    const reply = parseJson(text) as RouteReply<R>
    return validate ? (route.reply.parse(reply) as RouteReply<R>) : reply
  }
  async function open<R extends Route>(route: R, ...[input]: Arguments<R>): Promise<Response> {
    const request: Request = input ?? {}
    return answerOf(route, request, request.signal)
  }
  async function download<R extends Route>(route: R, ...input: Arguments<R>): Promise<Blob> {
    return (await open(route, ...input)).blob()
  }
  return { url, call, download, open }
}

function addressOf(route: Route, { params = {}, query = {} }: Request): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(name, String(item))
    }
  }
  return search.size > 0 ? `${path}?${search}` : path
}

/** The media type of a form comes with its boundary, from whoever sends it. */
function headersOf({ method, open }: Route, { body }: Request, key: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === null || open ? {} : { 'x-session-api-key': key }),
    ...(method === 'get' ? {} : { 'idempotency-key': crypto.randomUUID() }),
  }
}

/** Aborts `work` after the time. @throws ApiError timeout */
async function inTime<T>(
  { timeoutMs, signal }: { timeoutMs: number | undefined; signal: AbortSignal | undefined },
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (timeoutMs === undefined) return work(signal)
  const late = AbortSignal.timeout(timeoutMs)
  try {
    return await work(signal ? AbortSignal.any([signal, late]) : late)
  } catch (error) {
    if (late.aborted && !signal?.aborted) throw timedOut(timeoutMs)
    throw error
  }
}

/**
 * A network interface that comes or goes, as one does with every sandbox, makes the browser break off what is on its way,
 * also to this machine. It is sent again; its key tells the service that it is the same request.
 */
async function send(address: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(address, init)
    } catch (cause) {
      if (init.signal?.aborted) throw cause
      if (attempt === ATTEMPTS) throw unreachable(cause)
      await new Promise(resolve => setTimeout(resolve, attempt * 100))
    }
  }
}

const ATTEMPTS = 3

async function textOf(response: Response, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw unreachable(cause)
  }
}
