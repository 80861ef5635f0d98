import type { Route, RouteBodyInput, RouteParams, RouteQueryInput, RouteReply } from '../../server/api/route.ts'

export interface ClientOptions {
  /** Where the service answers, `http://127.0.0.1:3737`. */
  url: string
  /** Sent with every operation that is not open. */
  key: string | null
  /** Parse every reply with its schema: for development and tests, where a wrong reply must be seen. */
  validate?: boolean
}

export interface Client {
  readonly url: string
  /** @throws ApiError for every refusal, and with code `unreachable` when nothing answers. */
  call<R extends Route>(route: R, ...input: Arguments<R>): Promise<RouteReply<R>>
  /** The reply as it is, for routes that answer with a file. @throws ApiError as `call` does. */
  download<R extends Route>(route: R, ...input: Arguments<R>): Promise<Blob>
}

/** What went wrong, as the service says it. `code` is what to branch on, `message` is for a person. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  /** The reply's `detail`: field errors for `validation`, else the message again. */
  readonly detail: unknown

  constructor(problem: { status: number; code: string; message: string; detail?: unknown; cause?: unknown }) {
    super(problem.message, { cause: problem.cause })
    this.name = 'ApiError'
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.detail ?? null
  }
}

type Empty = Record<never, never>

/** Optional where the schema wants nothing, or nothing in particular. */
type Field<Name extends string, Value> = undefined extends Value
  ? { [N in Name]?: Value }
  : Empty extends Value
    ? { [N in Name]?: Value }
    : { [N in Name]: Value }

type Input<R> = Field<'params', RouteParams<R>> &
  Field<'query', RouteQueryInput<R>> &
  Field<'body', RouteBodyInput<R>> & { signal?: AbortSignal | undefined }

type Arguments<R> = Empty extends Input<R> ? [input?: Input<R>] : [input: Input<R>]

type Values = Readonly<Record<string, unknown>>
interface Request {
  params?: Values | undefined
  query?: Values | undefined
  body?: unknown
  signal?: AbortSignal | undefined
}

export function createClient({ url, key, validate = false }: ClientOptions): Client {
  async function answerOf(route: Route, request: Request): Promise<Response> {
    const response = await send(`${url}${addressOf(route, request)}`, {
      method: route.method.toUpperCase(),
      headers: headersOf(request, route.open ? null : key),
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal: request.signal ?? null,
    })
    if (!response.ok) throw refusal(response.status, await response.text())
    return response
  }
  async function call<R extends Route>(route: R, ...[input]: Arguments<R>): Promise<RouteReply<R>> {
    const text = await (await answerOf(route, input ?? {})).text()
    // The service has validated its reply with the same schema; parsing it again is for development.
    const reply = parseJson(text) as RouteReply<R>
    return validate ? (route.reply.parse(reply) as RouteReply<R>) : reply
  }
  async function download<R extends Route>(route: R, ...[input]: Arguments<R>): Promise<Blob> {
    return (await answerOf(route, input ?? {})).blob()
  }
  return { url, call, download }
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

function headersOf({ body }: Request, key: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(key === null ? {} : { 'x-session-api-key': key }),
  }
}

/**
 * A network interface that comes or goes, as one does with every sandbox, makes the browser break off what is on its way,
 * also to this machine: a question is asked again. What changes something might have arrived, so it is not.
 */
async function send(address: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await fetch(address, init)
    } catch (cause) {
      if (init.signal?.aborted) throw cause
      if (init.method !== 'GET' || attempt === ATTEMPTS) throw unreachable(cause)
      await new Promise(resolve => setTimeout(resolve, attempt * 100))
    }
  }
}

const ATTEMPTS = 3

function unreachable(cause: unknown): ApiError {
  const message = 'The service does not answer. Atelier keeps trying; nothing that was saved is lost.'
  return new ApiError({ status: 0, code: 'unreachable', message, cause })
}

function refusal(status: number, text: string): ApiError {
  const body = parseJson(text)
  if (!isRecord(body)) return new ApiError({ status, code: codeOf(status), message: `The service answered ${status}.` })
  const { detail, error } = body
  const code = typeof body.code === 'string' ? body.code : codeOf(status)
  if (Array.isArray(detail)) return new ApiError({ status, code: 'validation', message: fieldsInWords(detail), detail })
  const message = [detail, error, body.message].find(part => typeof part === 'string')
  return new ApiError({ status, code, message: message ?? `The service answered ${status}.`, detail })
}

function codeOf(status: number): string {
  if (status === 401) return 'unauthorized'
  if (status === 404) return 'not_found'
  return status >= 500 ? 'internal' : 'bad_request'
}

function fieldsInWords(fields: unknown[]): string {
  const lines = fields.filter(isRecord).map(({ loc, msg }) => {
    const name = Array.isArray(loc) ? loc.slice(1).join('.') : ''
    return name ? `${name}: ${String(msg)}` : String(msg)
  })
  return `The service refused the values. ${lines.join('; ')}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
