import type { Express, Request, Response } from 'express'
import type { z } from 'zod'
import {
  type Method,
  NO_BODY,
  type Route,
  type RouteBody,
  type RouteParams,
  type RouteQuery,
  type RouteReply,
} from '../../api/contract/route.ts'
import { keyIn } from '../core/guard.ts'
import { parseLax } from './coerce.ts'
import { ValidationError } from './validation.ts'

/** A parsed request; `signal` is aborted when the client goes away. */
export interface Call<R> {
  caller: Caller
  params: RouteParams<R>
  query: RouteQuery<R>
  body: RouteBody<R>
  signal: AbortSignal
}

/** What a request says of who sends it. */
interface Caller {
  /** The key that let it in. */
  key: string | undefined
  userAgent: string | undefined
}

export type AnyRoute = Route<z.ZodObject, z.ZodObject, z.ZodType, z.ZodType>
export type Handler<R> = (call: Call<R>) => RouteReply<R> | Promise<RouteReply<R>>

/** Serves one operation of the contract: what comes in is parsed once, what goes out is checked. */
export function mount<R extends AnyRoute>(app: Express, route: R, handler: Handler<R>): void {
  app[route.method](expressPath(route.path), async (request, response) => {
    const reply = route.reply.parse(await handler(readCall(route, request, response)))
    response.status(route.status).json(reply)
  })
}

/** @throws ValidationError */
export function readCall<R extends AnyRoute>(route: R, request: Request, response: Response): Call<R> {
  return {
    caller: { key: keyIn(response), userAgent: request.headers['user-agent'] },
    params: parsed(route.params, request.params, 'path') as RouteParams<R>,
    query: parsed(route.query, request.query, 'query') as RouteQuery<R>,
    body: bodyOf(route, request) as RouteBody<R>,
    // Most operations are over before they could be given up: it is made for those that look at it.
    get signal() {
      return closedSignal(response)
    },
  }
}

/** Every other method on a path of the contract answers 405. */
export function refuseOtherMethods(app: Express, routes: readonly Pick<AnyRoute, 'method' | 'path'>[]): void {
  const methods = new Map<string, Set<Method>>()
  for (const { path, method } of routes) {
    methods.set(path, (methods.get(path) ?? new Set<Method>()).add(method))
  }
  for (const [path, allowed] of methods) {
    app.all(expressPath(path), (_request, response) => {
      response.set('Allow', [...allowed].map(method => method.toUpperCase()).join(', '))
      response.status(405).json({ detail: 'Method Not Allowed', code: 'bad_request' })
    })
  }
}

function parsed<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  place: 'body' | 'query' | 'path',
): z.output<Schema> {
  const result = parseLax(schema, input, place)
  if (!result.success) throw ValidationError.of(place, result.error)
  return result.data
}

/** Clients send bodies to operations that want none, which are ignored. `undefined` is no body at all, and so is `null`. */
function bodyOf(route: AnyRoute, request: Request): unknown {
  return route.body === NO_BODY ? undefined : parsed(route.body, request.body ?? undefined, 'body')
}

export function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function closedSignal(response: Response): AbortSignal {
  const controller = new AbortController()
  const onClose = () => {
    if (!response.writableFinished) controller.abort()
  }
  if (response.closed) onClose()
  else response.on('close', onClose)
  return controller.signal
}
