import { z } from 'zod'
import type { Failure } from './failures.ts'
import type { Tag } from './tags.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * One operation of the API. Everything that is known about it stands here: the server mounts it, the client calls it,
 * the OpenAPI document shows it. Paths are in OpenAPI form: `/api/v1/sandboxes/{sandbox_id}/pause`.
 */
export interface Route<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
> {
  method: Method
  path: `/${string}`
  /** A few words for a list of operations. */
  summary: string
  /** What it does, what it does when something is absent or there already, and how it fails: for whoever writes a client. */
  description: string
  tag: Tag
  params: Params
  query: Query
  body: Body
  reply: Reply
  /** HTTP status of success. */
  status: number
  /** What the document says of a success, where the specification has words for it. */
  success?: string
  /** Another status of success with the same reply, and when it comes. */
  otherSuccess?: { status: number; description: string }
  /** Open to callers without a key: health checks only. */
  open: boolean
  /** What it refuses for reasons of its own, besides what is `EVERYWHERE` and what does not fit its schemas. */
  failures: readonly Failure[]
  /** `sandbox`: the key is a sandbox's own, not the app's. */
  key?: 'sandbox'
  /** Media types where they are not JSON; such a body or reply is a stream. */
  media?: { body?: string; reply?: string; otherReplies?: readonly string[] }
}

export const NOTHING = z.object({})
export const NO_BODY = z.undefined()

type Optional<R> = Partial<Pick<Route, 'status' | 'success' | 'otherSuccess' | 'open' | 'media' | 'key' | 'failures'>> &
  R

export function route<
  Reply extends z.ZodType,
  Params extends z.ZodObject = typeof NOTHING,
  Query extends z.ZodObject = typeof NOTHING,
  Body extends z.ZodType = typeof NO_BODY,
>(
  definition: Optional<
    Pick<Route, 'method' | 'path' | 'summary' | 'description' | 'tag'> & {
      reply: Reply
      params?: Params
      query?: Query
      body?: Body
    }
  >,
): Route<Params, Query, Body, Reply> {
  const {
    params = NOTHING,
    query = NOTHING,
    body = NO_BODY,
    status = 200,
    open = false,
    failures = [],
    ...rest
  } = definition
  return { ...rest, params, query, body, status, open, failures } as Route<Params, Query, Body, Reply>
}

export type RouteParams<R> = R extends Route<infer P, z.ZodObject, z.ZodType, z.ZodType> ? z.output<P> : never
export type RouteQuery<R> = R extends Route<z.ZodObject, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never
export type RouteBody<R> = R extends Route<z.ZodObject, z.ZodObject, infer B, z.ZodType> ? z.output<B> : never
export type RouteReply<R> = R extends Route<z.ZodObject, z.ZodObject, z.ZodType, infer Y> ? z.output<Y> : never
/** What a caller sends: fields with defaults are optional. */
export type RouteQueryInput<R> = R extends Route<z.ZodObject, infer Q, z.ZodType, z.ZodType> ? z.input<Q> : never
export type RouteBodyInput<R> = R extends Route<z.ZodObject, z.ZodObject, infer B, z.ZodType> ? z.input<B> : never
